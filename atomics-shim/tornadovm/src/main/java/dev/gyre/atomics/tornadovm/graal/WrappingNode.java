package dev.gyre.atomics.tornadovm.graal;

import jdk.graal.compiler.core.common.type.Stamp;
import jdk.graal.compiler.graph.NodeClass;
import jdk.graal.compiler.nodeinfo.NodeCycles;
import jdk.graal.compiler.nodeinfo.NodeInfo;
import jdk.graal.compiler.nodeinfo.NodeSize;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.FloatingNode;
import jdk.graal.compiler.nodes.spi.LIRLowerable;
import jdk.graal.compiler.nodes.spi.NodeLIRBuilderTool;
import jdk.vm.ci.meta.Value;

/** Arithmetic on two numbers as text: a sum that wraps around, which is undefined in C. */
@NodeInfo(shortName = "Wrapping", cycles = NodeCycles.CYCLES_1, size = NodeSize.SIZE_1)
public final class WrappingNode extends FloatingNode implements LIRLowerable {

  public static final NodeClass<WrappingNode> TYPE = NodeClass.create(WrappingNode.class);

  @Input ValueNode x;
  @Input ValueNode y;

  private final String text;
  private final Printer printer;

  WrappingNode(Stamp stamp, String text, Printer printer, ValueNode x, ValueNode y) {
    super(TYPE, stamp);
    this.text = text;
    this.printer = printer;
    this.x = x;
    this.y = y;
  }

  @Override
  public void generate(NodeLIRBuilderTool builder) {
    var tool = builder.getLIRGeneratorTool();
    Value result = tool.newVariable(tool.getLIRKind(stamp));
    tool.append(
        new TextInstruction(
            text, printer, result, Value.ILLEGAL, builder.operand(x), builder.operand(y)));
    builder.setResult(this, result);
  }
}

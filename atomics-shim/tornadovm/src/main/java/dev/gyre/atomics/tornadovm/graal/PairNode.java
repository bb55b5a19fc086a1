package dev.gyre.atomics.tornadovm.graal;

import jdk.graal.compiler.core.common.type.Stamp;
import jdk.graal.compiler.graph.NodeClass;
import jdk.graal.compiler.nodeinfo.NodeCycles;
import jdk.graal.compiler.nodeinfo.NodeInfo;
import jdk.graal.compiler.nodeinfo.NodeSize;
import jdk.graal.compiler.nodes.FixedWithNextNode;
import jdk.graal.compiler.nodes.memory.address.AddressNode;
import jdk.graal.compiler.nodes.spi.LIRLowerable;
import jdk.graal.compiler.nodes.spi.NodeLIRBuilderTool;
import jdk.vm.ci.meta.Value;
import org.jspecify.annotations.Nullable;

/**
 * Access that loads two neighbours. Its value is the first; a {@link PairSecondNode} is the second.
 * It is created after the last phase that moves memory accesses.
 */
@NodeInfo(shortName = "Pair", cycles = NodeCycles.CYCLES_UNKNOWN, size = NodeSize.SIZE_UNKNOWN)
public final class PairNode extends FixedWithNextNode implements LIRLowerable {

  public static final NodeClass<PairNode> TYPE = NodeClass.create(PairNode.class);

  @Input AddressNode address;

  private final String text;
  private final Printer printer;
  private @Nullable Value second;

  PairNode(Stamp stamp, String text, Printer printer, AddressNode address) {
    super(TYPE, stamp);
    this.text = text;
    this.printer = printer;
    this.address = address;
  }

  @Override
  public void generate(NodeLIRBuilderTool builder) {
    var tool = builder.getLIRGeneratorTool();
    Value first = tool.newVariable(tool.getLIRKind(stamp));
    Value other = tool.newVariable(tool.getLIRKind(stamp));
    second = other;
    builder.setResult(this, first);
    tool.append(new PairInstruction(text, printer, first, other, builder.operand(address)));
  }

  /** Returns the variable of the second value, after code for the access was generated. */
  Value second() {
    Value other = second;
    if (other == null) {
      throw new IllegalStateException("the second value of a pair is used before the access");
    }
    return other;
  }
}

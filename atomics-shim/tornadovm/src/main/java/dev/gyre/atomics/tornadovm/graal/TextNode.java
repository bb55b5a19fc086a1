package dev.gyre.atomics.tornadovm.graal;

import jdk.graal.compiler.core.common.type.Stamp;
import jdk.graal.compiler.graph.NodeClass;
import jdk.graal.compiler.nodeinfo.NodeCycles;
import jdk.graal.compiler.nodeinfo.NodeInfo;
import jdk.graal.compiler.nodeinfo.NodeSize;
import jdk.graal.compiler.nodes.FixedWithNextNode;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.memory.SingleMemoryKill;
import jdk.graal.compiler.nodes.memory.address.AddressNode;
import jdk.graal.compiler.nodes.spi.LIRLowerable;
import jdk.graal.compiler.nodes.spi.NodeLIRBuilderTool;
import jdk.vm.ci.meta.Value;
import org.graalvm.word.LocationIdentity;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.common.Access;
import uk.ac.manchester.tornado.runtime.graal.nodes.interfaces.MarkArrayParameterAccess;

/**
 * Call of the shim in a kernel's graph, which becomes text of the backend's language.
 *
 * <p>It kills all memory, so that no read moves across it. It declares that it reads and writes its
 * array: otherwise TornadoVM would not copy arrays that only these nodes use.
 */
@NodeInfo(shortName = "Shim", cycles = NodeCycles.CYCLES_UNKNOWN, size = NodeSize.SIZE_UNKNOWN)
public final class TextNode extends FixedWithNextNode
    implements LIRLowerable, SingleMemoryKill, MarkArrayParameterAccess {

  public static final NodeClass<TextNode> TYPE = NodeClass.create(TextNode.class);

  @OptionalInput @Nullable AddressNode address;

  /** Address in shared memory, as a number. */
  @OptionalInput @Nullable ValueNode shared;

  @OptionalInput @Nullable ValueNode x;
  @OptionalInput @Nullable ValueNode y;

  private final String text;
  private final Printer printer;

  TextNode(
      Stamp stamp,
      String text,
      Printer printer,
      @Nullable AddressNode address,
      @Nullable ValueNode x,
      @Nullable ValueNode y) {
    this(stamp, text, printer, address, null, x, y);
  }

  TextNode(
      Stamp stamp,
      String text,
      Printer printer,
      @Nullable AddressNode address,
      @Nullable ValueNode shared,
      @Nullable ValueNode x,
      @Nullable ValueNode y) {
    super(TYPE, stamp);
    this.shared = shared;
    this.text = text;
    this.printer = printer;
    this.address = address;
    this.x = x;
    this.y = y;
  }

  String text() {
    return text;
  }

  @Nullable AddressNode address() {
    return address;
  }

  boolean isOnElement() {
    return address != null || shared != null;
  }

  @Override
  public LocationIdentity getKilledLocationIdentity() {
    return LocationIdentity.any();
  }

  @Override
  public Access getArrayParameterAccess(ValueNode parameter) {
    return Access.READ_WRITE;
  }

  @Override
  public void generate(NodeLIRBuilderTool builder) {
    var tool = builder.getLIRGeneratorTool();
    Value result = Value.ILLEGAL;
    if (text.contains("$r")) {
      result = tool.newVariable(tool.getLIRKind(stamp));
      builder.setResult(this, result);
    }
    tool.append(
        new TextInstruction(
            text,
            printer,
            result,
            operand(builder, address == null ? shared : address),
            operand(builder, x),
            operand(builder, y)));
  }

  private static Value operand(NodeLIRBuilderTool builder, @Nullable ValueNode node) {
    return node == null ? Value.ILLEGAL : builder.operand(node);
  }
}

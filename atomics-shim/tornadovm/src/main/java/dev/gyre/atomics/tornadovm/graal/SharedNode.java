package dev.gyre.atomics.tornadovm.graal;

import dev.gyre.atomics.tornadovm.Syntax;
import jdk.graal.compiler.core.common.type.StampFactory;
import jdk.graal.compiler.core.common.type.TypeReference;
import jdk.graal.compiler.graph.NodeClass;
import jdk.graal.compiler.nodeinfo.NodeCycles;
import jdk.graal.compiler.nodeinfo.NodeInfo;
import jdk.graal.compiler.nodeinfo.NodeSize;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.calc.AddNode;
import jdk.graal.compiler.nodes.calc.FloatingNode;
import jdk.vm.ci.meta.JavaKind;
import jdk.vm.ci.meta.ResolvedJavaType;
import org.jspecify.annotations.Nullable;

/**
 * Shared memory in a kernel's graph, with the type of its handle. After records are dissolved, it
 * is declared at the start of the kernel, and its address is a number.
 */
@NodeInfo(shortName = "Shared", cycles = NodeCycles.CYCLES_0, size = NodeSize.SIZE_0)
public final class SharedNode extends FloatingNode {

  public static final NodeClass<SharedNode> TYPE = NodeClass.create(SharedNode.class);

  private final int number;
  private final long bytes;

  /**
   * Creates shared memory.
   *
   * @param type class of the handle
   * @param number identifies it within the kernel
   * @param bytes its size
   */
  public SharedNode(ResolvedJavaType type, int number, long bytes) {
    super(TYPE, StampFactory.objectNonNull(TypeReference.createExactTrusted(type)));
    this.number = number;
    this.bytes = bytes;
  }

  /**
   * Replaces all shared memory of a graph by addresses.
   *
   * @return an access whose memory is unknown, or null
   */
  static @Nullable SharedAddressNode place(StructuredGraph graph, Syntax syntax, Printer printer) {
    for (SharedNode shared : graph.getNodes().filter(SharedNode.class).snapshot()) {
      TextNode base =
          graph.add(
              new TextNode(
                  StampFactory.forKind(JavaKind.Long),
                  syntax.shared(shared.number, shared.bytes),
                  printer,
                  null,
                  null,
                  null));
      graph.addAfterFixed(graph.start(), base);
      for (SharedAddressNode address : shared.usages().filter(SharedAddressNode.class).snapshot()) {
        address.replaceAtUsagesAndDelete(graph.addOrUnique(new AddNode(base, address.offset())));
      }
    }
    return graph.getNodes().filter(SharedAddressNode.class).first();
  }
}

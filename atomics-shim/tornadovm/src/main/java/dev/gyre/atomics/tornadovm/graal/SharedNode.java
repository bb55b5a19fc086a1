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
 * Memory that a block shares, in a kernel's graph, under the type of its handle. Once records are
 * dissolved it is declared at the kernel's begin, and its address is a number.
 */
@NodeInfo(shortName = "Shared", cycles = NodeCycles.CYCLES_0, size = NodeSize.SIZE_0)
public final class SharedNode extends FloatingNode {

  public static final NodeClass<SharedNode> TYPE = NodeClass.create(SharedNode.class);

  private final int number;
  private final long bytes;

  /**
   * Shared memory.
   *
   * @param type the handle's class
   * @param number tells it from others of the kernel
   * @param bytes how much it is
   */
  public SharedNode(ResolvedJavaType type, int number, long bytes) {
    super(TYPE, StampFactory.objectNonNull(TypeReference.createExactTrusted(type)));
    this.number = number;
    this.bytes = bytes;
  }

  /**
   * Puts addresses in place of all shared memory of a graph.
   *
   * @return an access of which it is not known what memory it is to; null if there is none
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

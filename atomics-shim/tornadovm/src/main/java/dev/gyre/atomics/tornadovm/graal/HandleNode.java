package dev.gyre.atomics.tornadovm.graal;

import jdk.graal.compiler.core.common.type.StampFactory;
import jdk.graal.compiler.core.common.type.TypeReference;
import jdk.graal.compiler.graph.NodeClass;
import jdk.graal.compiler.nodeinfo.NodeCycles;
import jdk.graal.compiler.nodeinfo.NodeInfo;
import jdk.graal.compiler.nodeinfo.NodeSize;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.FloatingNode;
import jdk.vm.ci.meta.ResolvedJavaType;

/**
 * Handle in a kernel's graph: an array with the handle's type.
 *
 * <p>The type is exact and not null, so that a handle may be stored in a record and read again, and
 * its methods are known. After records are dissolved, the array replaces it.
 */
@NodeInfo(shortName = "Handle", cycles = NodeCycles.CYCLES_0, size = NodeSize.SIZE_0)
public final class HandleNode extends FloatingNode {

  public static final NodeClass<HandleNode> TYPE = NodeClass.create(HandleNode.class);

  @Input ValueNode array;

  /**
   * Creates a handle for an array.
   *
   * @param type class of the handle
   */
  public HandleNode(ResolvedJavaType type, ValueNode array) {
    super(TYPE, StampFactory.objectNonNull(TypeReference.createExactTrusted(type)));
    this.array = array;
  }

  /** Replaces all handles of a graph by their arrays. */
  static void drop(StructuredGraph graph) {
    for (HandleNode handle : graph.getNodes().filter(HandleNode.class).snapshot()) {
      handle.replaceAtUsagesAndDelete(handle.array);
    }
  }
}

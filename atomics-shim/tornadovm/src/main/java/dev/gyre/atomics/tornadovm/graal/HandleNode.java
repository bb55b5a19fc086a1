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
 * A handle in a kernel's graph: an array, under the handle's own type.
 *
 * <p>The type is exact and not null, so that a handle may be kept in a record and read again, and
 * its methods are known. Once records are dissolved the array takes its place.
 */
@NodeInfo(shortName = "Handle", cycles = NodeCycles.CYCLES_0, size = NodeSize.SIZE_0)
public final class HandleNode extends FloatingNode {

  public static final NodeClass<HandleNode> TYPE = NodeClass.create(HandleNode.class);

  @Input ValueNode array;

  /**
   * A handle that stands for an array.
   *
   * @param type the handle's class
   */
  public HandleNode(ResolvedJavaType type, ValueNode array) {
    super(TYPE, StampFactory.objectNonNull(TypeReference.createExactTrusted(type)));
    this.array = array;
  }

  /** Puts the arrays in place of all handles of a graph. */
  static void drop(StructuredGraph graph) {
    for (HandleNode handle : graph.getNodes().filter(HandleNode.class).snapshot()) {
      handle.replaceAtUsagesAndDelete(handle.array);
    }
  }
}

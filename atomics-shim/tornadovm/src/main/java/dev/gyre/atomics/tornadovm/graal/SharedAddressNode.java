package dev.gyre.atomics.tornadovm.graal;

import jdk.graal.compiler.core.common.type.StampFactory;
import jdk.graal.compiler.graph.NodeClass;
import jdk.graal.compiler.nodeinfo.NodeCycles;
import jdk.graal.compiler.nodeinfo.NodeInfo;
import jdk.graal.compiler.nodeinfo.NodeSize;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.FloatingNode;
import jdk.vm.ci.meta.JavaKind;

/** Address of an element in shared memory, as a number. */
@NodeInfo(shortName = "SharedAddress", cycles = NodeCycles.CYCLES_1, size = NodeSize.SIZE_1)
public final class SharedAddressNode extends FloatingNode {

  public static final NodeClass<SharedAddressNode> TYPE = NodeClass.create(SharedAddressNode.class);

  @Input ValueNode handle;
  @Input ValueNode offset;

  SharedAddressNode(ValueNode handle, ValueNode offset) {
    super(TYPE, StampFactory.forKind(JavaKind.Long));
    this.handle = handle;
    this.offset = offset;
  }

  ValueNode offset() {
    return offset;
  }
}

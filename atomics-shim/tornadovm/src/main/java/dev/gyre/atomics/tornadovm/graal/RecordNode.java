package dev.gyre.atomics.tornadovm.graal;

import java.util.List;
import jdk.graal.compiler.graph.NodeClass;
import jdk.graal.compiler.nodeinfo.NodeCycles;
import jdk.graal.compiler.nodeinfo.NodeInfo;
import jdk.graal.compiler.nodeinfo.NodeSize;
import jdk.graal.compiler.nodes.ConstantNode;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.java.NewInstanceNode;
import jdk.graal.compiler.nodes.spi.VirtualizerTool;
import jdk.graal.compiler.nodes.virtual.VirtualInstanceNode;
import jdk.vm.ci.meta.ResolvedJavaType;

/**
 * Record that a kernel creates. It consists of its components only, so that it can be dissolved
 * even if branches select one of several records.
 */
@NodeInfo(shortName = "Record", cycles = NodeCycles.CYCLES_0, size = NodeSize.SIZE_0)
public final class RecordNode extends NewInstanceNode {

  public static final NodeClass<RecordNode> TYPE = NodeClass.create(RecordNode.class);

  /**
   * Creates a record whose fields are still to be written.
   *
   * @param type its class
   */
  public RecordNode(ResolvedJavaType type) {
    super(TYPE, type, true, null);
  }

  /** Virtualizes as its parent does, without an identity. */
  @Override
  public void virtualize(VirtualizerTool tool) {
    VirtualInstanceNode record = new VirtualInstanceNode(instanceClass(), false);
    ValueNode[] components = new ValueNode[record.entryCount()];
    for (int i = 0; i < components.length; i++) {
      components[i] = ConstantNode.defaultForKind(record.field(i).getType().getJavaKind(), graph());
    }
    tool.createVirtualObject(record, components, List.of(), getNodeSourcePosition(), false);
    tool.replaceWithVirtual(record);
  }
}

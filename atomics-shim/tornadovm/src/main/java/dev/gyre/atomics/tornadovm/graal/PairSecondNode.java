package dev.gyre.atomics.tornadovm.graal;

import jdk.graal.compiler.core.common.type.Stamp;
import jdk.graal.compiler.graph.NodeClass;
import jdk.graal.compiler.nodeinfo.NodeCycles;
import jdk.graal.compiler.nodeinfo.NodeInfo;
import jdk.graal.compiler.nodeinfo.NodeSize;
import jdk.graal.compiler.nodes.FixedWithNextNode;
import jdk.graal.compiler.nodes.spi.LIRLowerable;
import jdk.graal.compiler.nodes.spi.NodeLIRBuilderTool;

/** Second value of a {@link PairNode}. */
@NodeInfo(shortName = "PairSecond", cycles = NodeCycles.CYCLES_0, size = NodeSize.SIZE_0)
public final class PairSecondNode extends FixedWithNextNode implements LIRLowerable {

  public static final NodeClass<PairSecondNode> TYPE = NodeClass.create(PairSecondNode.class);

  @Input PairNode pair;

  PairSecondNode(Stamp stamp, PairNode pair) {
    super(TYPE, stamp);
    this.pair = pair;
  }

  @Override
  public void generate(NodeLIRBuilderTool builder) {
    builder.setResult(this, pair.second());
  }
}

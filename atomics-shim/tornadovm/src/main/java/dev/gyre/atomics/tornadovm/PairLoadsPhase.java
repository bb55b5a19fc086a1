package dev.gyre.atomics.tornadovm;

import java.util.ListIterator;
import java.util.Optional;
import jdk.graal.compiler.nodes.GraphState;
import jdk.graal.compiler.nodes.NodeView;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.AddNode;
import jdk.graal.compiler.nodes.calc.LeftShiftNode;
import jdk.graal.compiler.nodes.memory.address.AddressNode;
import jdk.graal.compiler.phases.BasePhase;
import jdk.graal.compiler.phases.PhaseSuite;
import jdk.graal.compiler.phases.schedule.SchedulePhase;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.runtime.graal.phases.TornadoLowTierContext;

/**
 * Makes one access of two loads that follow one another and read neighbours, such as the two words
 * of a slot, where the pair is aligned to its size. PTX takes a vector load for as many loads as it
 * has elements, in no order, which is what two plain or relaxed loads are.
 */
final class PairLoadsPhase extends BasePhase<TornadoLowTierContext> {

  private final Printer printer;

  PairLoadsPhase(Printer printer) {
    this.printer = printer;
  }

  /** Puts the phase before the final schedule. */
  void insertInto(PhaseSuite<TornadoLowTierContext> tier) {
    ListIterator<BasePhase<? super TornadoLowTierContext>> schedule =
        tier.findPhase(SchedulePhase.class);
    if (schedule == null) {
      throw new LinkageError("the backend's phases are not those of TornadoVM 5.2");
    }
    BasePhase<? super TornadoLowTierContext> _ = schedule.previous();
    schedule.add(this);
  }

  @Override
  public Optional<NotApplicable> notApplicableTo(GraphState state) {
    return ALWAYS_APPLICABLE;
  }

  @Override
  protected void run(StructuredGraph graph, TornadoLowTierContext context) {
    for (TextNode first : graph.getNodes().filter(TextNode.class).snapshot()) {
      if (first.isAlive() && first.next() instanceof TextNode second) {
        String text = PtxSyntax.pair(first.text());
        if (text != null && second.text().equals(first.text()) && areAPair(first, second)) {
          join(graph, first, second, text);
        }
      }
    }
  }

  private static boolean areAPair(TextNode first, TextNode second) {
    Place low = Place.of(first.address());
    Place high = Place.of(second.address());
    long size = first.text().contains(".b64 ") ? Long.BYTES : Integer.BYTES;
    return low != null
        && high != null
        && low.base.equals(high.base)
        && low.index.equals(high.index)
        && low.shift == high.shift
        && high.offset == low.offset + size
        && low.offset % (2 * size) == 0
        && 1L << low.shift >= 2 * size;
  }

  private void join(StructuredGraph graph, TextNode first, TextNode second, String text) {
    PairNode pair =
        graph.add(new PairNode(first.stamp(NodeView.DEFAULT), text, printer, first.address()));
    graph.addBeforeFixed(first, pair);
    PairSecondNode other = graph.add(new PairSecondNode(second.stamp(NodeView.DEFAULT), pair));
    graph.addBeforeFixed(first, other);
    first.replaceAtUsages(pair);
    second.replaceAtUsages(other);
    graph.removeFixed(second);
    graph.removeFixed(first);
  }

  /** An address as {@code base + (index << shift) + offset}; arrays are aligned to 256 bytes. */
  private record Place(ValueNode base, ValueNode index, int shift, long offset) {

    static @Nullable Place of(@Nullable AddressNode address) {
      if (address == null || address.getBase() == null || address.getIndex() == null) {
        return null;
      }
      ValueNode node = address.getIndex();
      int shift = 0;
      long offset = 0;
      boolean more = true;
      while (more) {
        switch (node) {
          case AddNode add when add.getY().isJavaConstant() -> {
            offset += add.getY().asJavaConstant().asLong() << shift;
            node = add.getX();
          }
          case LeftShiftNode left when left.getY().isJavaConstant() -> {
            shift += left.getY().asJavaConstant().asInt();
            node = left.getX();
          }
          default -> more = false;
        }
      }
      return new Place(address.getBase(), node, shift, offset);
    }
  }
}

package dev.gyre.atomics.tornadovm.graal;

import dev.gyre.atomics.tornadovm.Syntax;
import java.util.Optional;
import jdk.graal.compiler.core.common.type.Stamp;
import jdk.graal.compiler.nodes.GraphState;
import jdk.graal.compiler.nodes.NodeView;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.AddNode;
import jdk.graal.compiler.nodes.calc.LeftShiftNode;
import jdk.graal.compiler.nodes.memory.address.AddressNode;
import jdk.graal.compiler.phases.BasePhase;
import jdk.graal.compiler.phases.PhaseSuite;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.runtime.graal.phases.TornadoLowTierContext;

/**
 * Phase that combines two consecutive loads of neighbours, such as the two words of a slot, if the
 * pair is aligned to its size. PTX defines a vector load as loads of its elements in no order, like
 * two plain or relaxed loads.
 */
public final class PairLoadsPhase extends BasePhase<TornadoLowTierContext> {

  private final Syntax syntax;
  private final Printer printer;
  private final long alignment;

  /**
   * @param alignment divisor of the address of each memory's payload
   */
  public PairLoadsPhase(Syntax syntax, Printer printer, long alignment) {
    this.syntax = syntax;
    this.printer = printer;
    this.alignment = alignment;
  }

  /** Inserts the phase before the final schedule. */
  public void insertInto(PhaseSuite<TornadoLowTierContext> tier) {
    FixArithmeticPhase.insert(this, tier);
  }

  @Override
  public Optional<NotApplicable> notApplicableTo(GraphState state) {
    return ALWAYS_APPLICABLE;
  }

  @Override
  protected void run(StructuredGraph graph, TornadoLowTierContext context) {
    for (TextNode first : graph.getNodes().filter(TextNode.class).snapshot()) {
      AddressNode address = first.address();
      if (first.isAlive() && address != null && first.next() instanceof TextNode second) {
        String text = syntax.pair(first.text());
        Place low = Place.of(address);
        Place high = Place.of(second.address());
        boolean alike = second.text().equals(first.text());
        if (text != null
            && low != null
            && high != null
            && alike
            && 2L * size(first) <= alignment
            && low.isPairWith(high, size(first))) {
          join(graph, first, second, new PairNode(stamp(first), text, printer, address));
        }
      }
    }
  }

  private static int size(TextNode load) {
    return stamp(load).getStackKind().getByteCount();
  }

  private static Stamp stamp(TextNode load) {
    return load.stamp(NodeView.DEFAULT);
  }

  private static void join(StructuredGraph graph, TextNode first, TextNode second, PairNode node) {
    PairNode pair = graph.add(node);
    graph.addBeforeFixed(first, pair);
    PairSecondNode other = graph.add(new PairSecondNode(stamp(second), pair));
    graph.addBeforeFixed(first, other);
    first.replaceAtUsages(pair);
    second.replaceAtUsages(other);
    graph.removeFixed(second);
    graph.removeFixed(first);
  }

  /** Address as {@code base + (index << shift) + offset}. */
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

    boolean isPairWith(Place high, int size) {
      return base.equals(high.base)
          && index.equals(high.index)
          && shift == high.shift
          && high.offset == offset + size
          && offset % (2L * size) == 0
          && 1L << shift >= 2L * size;
    }
  }
}

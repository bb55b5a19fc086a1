package dev.gyre.kernels.trie;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.table.ElementType;
import dev.gyre.kernels.stress.Cells;
import dev.gyre.kernels.stress.Window;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Two threads come by an edge that leads nowhere. One makes the node and both go on to it; both see
 * what the winner wrote before.
 *
 * <p>Each thread takes nodes from a pool of its own here, so that the number tells who won.
 */
public final class TriePublication {

  private static final String FIRST = "first won";
  private static final String SECOND = "second won";
  private static final int FIRST_POOL = 1;
  private static final int SECOND_POOL = 1 << 30;
  private static final DeviceInts EDGES = DeviceInts.of(Cells.MEMORY);
  private static final DeviceLongs FIRST_BUMP = DeviceLongs.of(Memory.ofLongs(1));
  private static final DeviceLongs SECOND_BUMP = DeviceLongs.of(Memory.ofLongs(1));

  private TriePublication() {}

  @State
  public static class Edge {
    final long taken = Cells.take();
    final long edge = Cells.first(ElementType.INT, taken);
    final long firstWord = Cells.second(ElementType.INT, taken);
    final long secondWord = firstWord + 1;
    int firstNode;
    int secondNode;
    boolean firstSawIt;
    boolean secondSawIt;

    public Edge() {
      // Long before a pool runs into the other's numbers.
      if (taken % (1 << 28) == 0) {
        FIRST_BUMP.storeRelaxed(0, FIRST_POOL);
        SECOND_BUMP.storeRelaxed(0, SECOND_POOL);
      }
    }

    /** Goes to the node of the edge. */
    private int go(DeviceLongs bump) {
      int node = EDGES.loadAcquire(edge);
      return node > 0
          ? node
          : TrieEdges.claim(node, EDGES, edge, Long.MAX_VALUE, bump, Long.MAX_VALUE);
    }

    /** Goes to the node of the edge, without a compare-and-exchange. */
    private int checkThenAct(DeviceLongs bump) {
      int node = EDGES.loadAcquire(edge);
      if (node <= 0) {
        node = (int) bump.fetchAddRelaxed(0, 1);
        Window.open();
        EDGES.storeRelease(edge, node);
      }
      return node;
    }

    private boolean sees(int node) {
      return EDGES.get(node < SECOND_POOL ? firstWord : secondWord) == 1;
    }

    private String verdict() {
      if (firstNode != secondNode || EDGES.get(edge) != firstNode || firstNode <= 0) {
        return "two nodes";
      }
      if (!firstSawIt || !secondSawIt) {
        return "node seen before what was written";
      }
      return firstNode < SECOND_POOL ? FIRST : SECOND;
    }
  }

  @JCStressTest
  @Outcome(
      id = {FIRST, SECOND},
      expect = Expect.ACCEPTABLE,
      desc = "One node, and what was written before it was published")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Two winners, or published too early")
  public static class Claim {
    @Actor
    public void first(Edge edge) {
      EDGES.set(edge.firstWord, 1);
      edge.firstNode = edge.go(FIRST_BUMP);
      edge.firstSawIt = edge.sees(edge.firstNode);
    }

    @Actor
    public void second(Edge edge) {
      EDGES.set(edge.secondWord, 1);
      edge.secondNode = edge.go(SECOND_BUMP);
      edge.secondSawIt = edge.sees(edge.secondNode);
    }

    @Arbiter
    public void after(Edge edge, L_Result result) {
      result.r1 = edge.verdict();
    }
  }

  /** The node is published before what belongs to it is written. */
  @JCStressTest
  @Outcome(
      id = {FIRST, SECOND},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(
      id = "node seen before what was written",
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "Published too early")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Two winners")
  public static class PublishedFirstMutant {
    @Actor
    public void first(Edge edge) {
      edge.firstNode = edge.go(FIRST_BUMP);
      edge.firstSawIt = edge.firstNode < SECOND_POOL || edge.sees(edge.firstNode);
      Window.open();
      EDGES.set(edge.firstWord, 1);
    }

    @Actor
    public void second(Edge edge) {
      edge.secondNode = edge.go(SECOND_BUMP);
      edge.secondSawIt = edge.secondNode >= SECOND_POOL || edge.sees(edge.secondNode);
      Window.open();
      EDGES.set(edge.secondWord, 1);
    }

    @Arbiter
    public void after(Edge edge, L_Result result) {
      result.r1 = edge.verdict();
    }
  }

  /** The edge is claimed without a compare-and-exchange. */
  @JCStressTest
  @Outcome(
      id = {FIRST, SECOND},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "Two winners")
  public static class CheckThenActMutant {
    @Actor
    public void first(Edge edge) {
      EDGES.set(edge.firstWord, 1);
      edge.firstNode = edge.checkThenAct(FIRST_BUMP);
      edge.firstSawIt = edge.sees(edge.firstNode);
    }

    @Actor
    public void second(Edge edge) {
      EDGES.set(edge.secondWord, 1);
      edge.secondNode = edge.checkThenAct(SECOND_BUMP);
      edge.secondSawIt = edge.sees(edge.secondNode);
    }

    @Arbiter
    public void after(Edge edge, L_Result result) {
      result.r1 = edge.verdict();
    }
  }
}

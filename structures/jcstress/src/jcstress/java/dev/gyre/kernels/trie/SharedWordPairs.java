package dev.gyre.kernels.trie;

import dev.gyre.kernels.stress.Window;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads tell of words that want the same entries, and look for them meanwhile: neither word
 * ever has the node of the other. Who is told of a node sees what was written before.
 */
public final class SharedWordPairs {

  private static final long FIRST = WordKey.PACKED | 3;
  private static final long SECOND = WordKey.PACKED | 4;
  private static final int FIRST_NODE = 5;
  private static final int SECOND_NODE = 6;

  private SharedWordPairs() {}

  /** Words of which there is one pair. */
  @State
  public static class Pair {
    private final SharedWordCache learnt = new SharedWordCache(2);
  }

  /** An entry in two parts, of which each is seen by itself. */
  @State
  public static class Parts {
    private volatile long key;
    private volatile int node;

    void add(long added, int its) {
      key = added;
      Window.open();
      node = its;
    }

    int node(long of) {
      return key == of ? node : SharedWordCache.NONE;
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, 0", "5, 0", "0, 6", "5, 6"},
      expect = Expect.ACCEPTABLE,
      desc = "Each word has its node, or is lost")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The node of another word")
  public static class OwnNodes {
    @Actor
    public void first(Pair pair) {
      pair.learnt.add(FIRST, FIRST_NODE);
    }

    @Actor
    public void second(Pair pair) {
      pair.learnt.add(SECOND, SECOND_NODE);
    }

    @Arbiter
    public void after(Pair pair, II_Result result) {
      result.r1 = pair.learnt.node(FIRST);
      result.r2 = pair.learnt.node(SECOND);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, 0", "5, 0", "0, 6", "5, 6"},
      expect = Expect.ACCEPTABLE,
      desc = "Each word has its node, or is lost")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The node of another word")
  public static class OwnNodesMeanwhile {
    @Actor
    public void first(Pair pair, II_Result result) {
      pair.learnt.add(FIRST, FIRST_NODE);
      result.r2 = pair.learnt.node(SECOND);
    }

    @Actor
    public void second(Pair pair, II_Result result) {
      pair.learnt.add(SECOND, SECOND_NODE);
      result.r1 = pair.learnt.node(FIRST);
    }
  }

  /** The key and the node are two. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "5, 0", "0, 6"},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "The node of another word")
  public static class TwoPartsMutant {
    @Actor
    public void first(Parts parts) {
      parts.add(FIRST, FIRST_NODE);
    }

    @Actor
    public void second(Parts parts) {
      parts.add(SECOND, SECOND_NODE);
    }

    @Arbiter
    public void after(Parts parts, II_Result result) {
      result.r1 = parts.node(FIRST);
      result.r2 = parts.node(SECOND);
    }
  }

  /** A node, with what is plainly written where it is made. */
  @State
  public static class Made {
    private final SharedWordCache learnt = new SharedWordCache(2);
    private int edge;

    void make() {
      edge = 1;
    }

    void tell() {
      learnt.add(FIRST, FIRST_NODE);
    }

    void look(II_Result result) {
      result.r1 = learnt.node(FIRST);
      result.r2 = edge;
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "5, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "The node with its edge, or not yet")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The node without its edge")
  public static class SeenWhenMade {
    @Actor
    public void first(Made made) {
      made.make();
      made.tell();
    }

    @Actor
    public void second(Made made, II_Result result) {
      made.look(result);
    }
  }

  /** It is told of before it is made. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "5, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "The node without its edge")
  public static class PublishedFirstMutant {
    @Actor
    public void first(Made made) {
      made.tell();
      Window.open();
      made.make();
    }

    @Actor
    public void second(Made made, II_Result result) {
      made.look(result);
    }
  }
}

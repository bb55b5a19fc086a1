package dev.gyre.kernels.trie;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.stress.Window;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Two threads add a word to an empty trie, the same one: both counts reach its node, and there is
 * one node per letter.
 *
 * <p>All states share one text, in whose chunks mutants look for the word; their tries form a ring.
 */
public final class TrieStrips {

  /** At least twice as many as jcstress keeps states alive; see Cells. */
  private static final int TRIES = 1 << 15;

  private static final LaunchShape SHAPE = LaunchShape.ofThreads(2);

  /** The first two letters have no edges in these tries: their place is the number of nodes. */
  private static final String WORD = "cd";

  private static final long KEY = WordKey.of(WORD, WORD.length()) | WordKey.PACKED;

  private static final int SHIFT = Letter.STEP_BITS;
  private static final int CAPACITY = 8;
  private static final int BLOCK_WORDS = 4;
  private static final String RIGHT = "2, 3";
  private static final DeviceLongs ENDED = DeviceLongs.of(Memory.ofLongs(TrieLayout.ENDED_LONGS));
  private static final BuildTrie[] BUILDS = builds();
  private static final AtomicInteger TAKEN = new AtomicInteger();

  private TrieStrips() {}

  private static BuildTrie[] builds() {
    String chunk = WORD + " ".repeat(KernelText.CHUNK - WORD.length());
    Memory text = Memory.ofBytes(2 * KernelText.CHUNK);
    text.segment().asByteBuffer().put(chunk.repeat(2).getBytes(StandardCharsets.US_ASCII));
    Letters letters = Alphabet.ASCII_LETTERS.letters(Alphabet.ASCII_LETTERS.table());
    DeviceInts left = DeviceInts.of(Memory.ofInts(2));
    BuildTrie[] builds = new BuildTrie[TRIES];
    for (int i = 0; i < TRIES; i++) {
      Memory trie = Memory.ofBytes(CAPACITY * TrieLayout.nodeBytes(SHIFT));
      DeviceLongs longs = DeviceLongs.of(trie);
      builds[i] =
          new BuildTrie(
              KernelText.of(text, 2 * KernelText.CHUNK),
              letters,
              new TrieEdges(
                  new LargeNodes(), DeviceInts.of(trie), longs, CAPACITY, longs, Long.MAX_VALUE),
              BlockWords.of(BLOCK_WORDS),
              left,
              false,
              ENDED);
    }
    return builds;
  }

  /** A trie to build. */
  @State
  public static class Strips {
    private final BuildTrie build;

    public Strips() {
      build = BUILDS[TAKEN.getAndIncrement() & (TRIES - 1)];
      build.trie().edges().memory().segment().fill((byte) 0);
      build.trie().bump().set(0, 1);
    }

    /** What the words of a block come to at its end. */
    private void add() {
      TrieEdges trie = build.trie();
      trie.count(trie.walk(KEY), 1);
    }

    /** The same by a worker of the JVM, which makes the nodes of both letters at once. */
    private void branch() {
      TrieEdges trie = build.trie();
      trie.count(new PathInserter(trie).node(KEY), 1);
    }

    /** The same, but the first node is published before it leads to the second. */
    private void publishEarly() {
      DeviceInts edges = build.trie().edges();
      edges.storeRelease(edge(TrieLayout.ROOT, 0), 1);
      Window.open();
      edges.set(edge(1, 1), 2);
    }

    private static long edge(int node, int letter) {
      return TrieLayout.edge(node, SHIFT, Alphabet.ASCII_LETTERS.letterOf(WORD.charAt(letter)));
    }

    /** How many nodes somebody comes to who walks along the word. */
    private int walk() {
      DeviceInts edges = build.trie().edges();
      // acquire: pairs with the release of the edge.
      int first = edges.loadAcquire(edge(TrieLayout.ROOT, 0));
      return first == TrieEdges.EMPTY || first == TrieEdges.RESERVED
          ? 0
          : edges.get(edge(first, 1)) > 0 ? 2 : 1;
    }

    private long count() {
      int node = TrieLayout.ROOT;
      for (int i = 0; i < WORD.length(); i++) {
        int letter = Alphabet.ASCII_LETTERS.letterOf(WORD.charAt(i));
        node = build.trie().edges().get(TrieLayout.edge(node, SHIFT, letter));
      }
      return build.trie().counts().get(TrieLayout.count(node, SHIFT));
    }

    private long nodes() {
      return build.trie().bump().get(0);
    }
  }

  @JCStressTest
  @Outcome(id = RIGHT, expect = Expect.ACCEPTABLE, desc = "Both counted, one node per letter")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A count was lost, or a node made twice")
  public static class Build {
    @Actor
    public void first(Strips strips) {
      strips.add();
    }

    @Actor
    public void second(Strips strips) {
      strips.add();
    }

    @Arbiter
    public void after(Strips strips, JJ_Result result) {
      result.r1 = strips.count();
      result.r2 = strips.nodes();
    }
  }

  @JCStressTest
  @Outcome(id = RIGHT, expect = Expect.ACCEPTABLE, desc = "Both counted, one node per letter")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A count was lost, or a node made twice")
  public static class Branches {
    @Actor
    public void first(Strips strips) {
      strips.branch();
    }

    @Actor
    public void second(Strips strips) {
      strips.branch();
    }

    @Arbiter
    public void after(Strips strips, JJ_Result result) {
      result.r1 = strips.count();
      result.r2 = strips.nodes();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0", "2"},
      expect = Expect.ACCEPTABLE,
      desc = "Nothing yet, or the branch as a whole")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A node that does not lead on yet")
  public static class BranchIsWhole {
    @Actor
    public void makes(Strips strips) {
      strips.branch();
    }

    @Actor
    public void walks(Strips strips, I_Result result) {
      result.r1 = strips.walk();
    }
  }

  /** A node is published before the edge behind it is written. */
  @JCStressTest
  @Outcome(
      id = {"0", "2"},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(id = "1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "A part of the branch")
  public static class PublishedEarlyMutant {
    @Actor
    public void makes(Strips strips) {
      strips.publishEarly();
    }

    @Actor
    public void walks(Strips strips, I_Result result) {
      result.r1 = strips.walk();
    }
  }

  /** An edge is claimed without a compare-and-exchange. */
  @JCStressTest
  @Outcome(id = RIGHT, expect = Expect.ACCEPTABLE, desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "A count was lost, or a node made twice")
  public static class CheckThenActMutant {
    @Actor
    public void first(Strips strips) {
      BrokenTries.checkThenAct(strips.build).run(0, SHAPE);
    }

    @Actor
    public void second(Strips strips) {
      BrokenTries.checkThenAct(strips.build).run(1, SHAPE);
    }

    @Arbiter
    public void after(Strips strips, JJ_Result result) {
      result.r1 = strips.count();
      result.r2 = strips.nodes();
    }
  }

  /** A count is added to by a load and a store. */
  @JCStressTest
  @Outcome(id = RIGHT, expect = Expect.ACCEPTABLE, desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "A count was lost")
  public static class PlainCountMutant {
    @Actor
    public void first(Strips strips) {
      BrokenTries.plainCount(strips.build).run(0, SHAPE);
    }

    @Actor
    public void second(Strips strips) {
      BrokenTries.plainCount(strips.build).run(1, SHAPE);
    }

    @Arbiter
    public void after(Strips strips, JJ_Result result) {
      result.r1 = strips.count();
      result.r2 = strips.nodes();
    }
  }
}

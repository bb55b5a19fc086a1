package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.LaunchShape;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Two strips of a text with one word each, the same one, build an empty trie: both counts reach the
 * node from the strips' caches, and there is one node per letter.
 *
 * <p>All states share one text, in which each has two strips of its own; their tries form a ring.
 */
public final class TrieStrips {

  /** At least twice as many as jcstress keeps states alive; see Cells. */
  private static final int TRIES = 1 << 15;

  private static final int STRIPS = 2 * TRIES;
  private static final LaunchShape SHAPE = LaunchShape.ofThreads(STRIPS);

  /** The first two letters have no edges in these tries: their place is the number of nodes. */
  private static final String WORD = "cd ";

  private static final int SHIFT = TrieLayout.nodeShift(4);
  private static final int CAPACITY = 8;
  private static final String RIGHT = "2, 3";
  private static final ThreadLongs PROGRESS =
      ThreadLongs.of(Memory.ofLongs((long) STRIPS * TrieLayout.PROGRESS_LONGS));
  private static final DeviceLongs ENDED = DeviceLongs.of(Memory.ofLongs(TrieLayout.ENDED_LONGS));
  private static final BuildTrie[] BUILDS = builds();
  private static final AtomicInteger TAKEN = new AtomicInteger();

  private TrieStrips() {}

  private static BuildTrie[] builds() {
    long length = (long) STRIPS * WORD.length();
    Memory textMemory = Memory.ofBytes(length);
    Bytes text = Bytes.of(textMemory);
    for (long i = 0; i < length; i++) {
      text.set(i, (byte) WORD.charAt((int) (i % WORD.length())));
    }
    Bytes classes = Bytes.of(Alphabet.ASCII_LETTERS.classTable());
    ThreadLongs pending = ThreadLongs.of(Memory.ofLongs(TrieLayout.pendingLongs(STRIPS, 0)));
    BuildTrie[] builds = new BuildTrie[TRIES];
    for (int i = 0; i < TRIES; i++) {
      Memory trie = Memory.ofBytes(CAPACITY * TrieLayout.nodeBytes(SHIFT));
      DeviceLongs longs = DeviceLongs.of(trie);
      builds[i] =
          new BuildTrie(
              text,
              length,
              ThreadLongs.of(textMemory),
              0, // These nodes are smaller than those of all letters.
              classes,
              SHIFT,
              DeviceInts.of(trie),
              longs,
              CAPACITY,
              longs,
              pending,
              0,
              PROGRESS,
              ENDED,
              Long.MAX_VALUE);
    }
    return builds;
  }

  @State
  public static class Strips {
    private final BuildTrie build;
    private final int first;

    public Strips() {
      int number = TAKEN.getAndIncrement() & (TRIES - 1);
      first = 2 * number;
      build = BUILDS[number];
      build.edges().memory().segment().fill((byte) 0);
      build.bump().set(0, 1);
      PROGRESS.set(TrieLayout.position(first), 0);
      PROGRESS.set(TrieLayout.position(first + 1), 0);
    }

    private long count() {
      int node = TrieLayout.ROOT;
      for (int i = 0; i < 2; i++) {
        int letter = Alphabet.ASCII_LETTERS.letterOf(WORD.charAt(i));
        node = build.edges().get(TrieLayout.edge(node, SHIFT, letter));
      }
      return build.counts().get(TrieLayout.count(node, SHIFT));
    }

    private long nodes() {
      return build.bump().get(0);
    }
  }

  @JCStressTest
  @Outcome(id = RIGHT, expect = Expect.ACCEPTABLE, desc = "Both counted, one node per letter")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A count was lost, or a node made twice")
  public static class Build {
    @Actor
    public void first(Strips strips) {
      strips.build.run(strips.first, SHAPE);
    }

    @Actor
    public void second(Strips strips) {
      strips.build.run(strips.first + 1, SHAPE);
    }

    @Arbiter
    public void after(Strips strips, JJ_Result result) {
      result.r1 = strips.count();
      result.r2 = strips.nodes();
    }
  }

  /** An edge is claimed without a compare-and-exchange. */
  @JCStressTest
  @Outcome(id = RIGHT, expect = Expect.ACCEPTABLE, desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "A count was lost, or a node made twice")
  public static class CheckThenActTwin {
    @Actor
    public void first(Strips strips) {
      BrokenTries.checkThenAct(strips.build).run(strips.first, SHAPE);
    }

    @Actor
    public void second(Strips strips) {
      BrokenTries.checkThenAct(strips.build).run(strips.first + 1, SHAPE);
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
  public static class PlainCountTwin {
    @Actor
    public void first(Strips strips) {
      BrokenTries.plainCount(strips.build).run(strips.first, SHAPE);
    }

    @Actor
    public void second(Strips strips) {
      BrokenTries.plainCount(strips.build).run(strips.first + 1, SHAPE);
    }

    @Arbiter
    public void after(Strips strips, JJ_Result result) {
      result.r1 = strips.count();
      result.r2 = strips.nodes();
    }
  }
}

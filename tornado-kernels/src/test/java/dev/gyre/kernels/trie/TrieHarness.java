package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/** Builds a trie over a text on the JVM, growing the pool as the strips ask for it. */
final class TrieHarness {

  static final int MAX_NODES = 1 << 13;

  private final int strips;
  private final LaunchMode mode;
  private final int pendingMask;
  private final long firstCapacity;
  private final long growth;
  boolean windows = true;
  long nodes;
  int launches;

  TrieHarness(int strips, LaunchMode mode, int pendingMask, long firstCapacity, long growth) {
    this.strips = strips;
    this.mode = mode;
    this.pendingMask = pendingMask;
    this.firstCapacity = firstCapacity;
    this.growth = growth;
  }

  /** A harness with room for all nodes. */
  TrieHarness(int strips, LaunchMode mode) {
    this(strips, mode, 15, MAX_NODES, 0);
  }

  Map<String, Long> count(JvmLauncher launcher, byte[] text) {
    return count(launcher, text, build -> build);
  }

  /** Counts with a kernel made from the real one. */
  Map<String, Long> count(JvmLauncher launcher, byte[] text, Function<BuildTrie, Kernel> kernel) {
    int shift = Alphabet.ASCII_LETTERS.nodeShift();
    try (Memory bytes = Memory.ofBytes(text.length);
        Memory classes = Alphabet.ASCII_LETTERS.classTable();
        Memory trie = Memory.ofBytes(MAX_NODES * TrieLayout.nodeBytes(shift));
        Memory bumpMemory = Memory.ofLongs(1);
        Memory pending = Memory.ofLongs(TrieLayout.pendingLongs(strips, pendingMask));
        Memory progressMemory = Memory.ofLongs((long) strips * TrieLayout.PROGRESS_LONGS);
        Memory ended = Memory.ofLongs(TrieLayout.ENDED_LONGS)) {
      Bytes handle = Bytes.of(bytes);
      for (int i = 0; i < text.length; i++) {
        handle.set(i, text[i]);
      }
      DeviceLongs bump = DeviceLongs.of(bumpMemory);
      ThreadLongs progress = ThreadLongs.of(progressMemory);
      bump.set(0, 1);
      long capacity = firstCapacity;
      boolean done = false;
      while (!done) {
        BuildTrie build =
            new BuildTrie(
                handle,
                text.length,
                ThreadLongs.of(bytes),
                windows ? text.length : 0,
                Bytes.of(classes),
                shift,
                DeviceInts.of(trie),
                DeviceLongs.of(trie),
                capacity,
                bump,
                ThreadLongs.of(pending),
                pendingMask,
                progress,
                DeviceLongs.of(ended),
                Long.MAX_VALUE);
        launcher.start(kernel.apply(build), LaunchShape.ofThreads(strips), mode).join();
        launches++;
        done = allDone(progress);
        requireCounted(progress, ended);
        bump.set(0, Math.min(bump.get(0), capacity));
        capacity += growth;
      }
      nodes = bump.get(0);
      requireZero(ThreadLongs.of(pending));
      Map<String, Long> counts = new TreeMap<>();
      collect(DeviceInts.of(trie), DeviceLongs.of(trie), shift, counts);
      return counts;
    }
  }

  /** The counts of outcomes are those of the strips. */
  private void requireCounted(ThreadLongs progress, Memory endedMemory) {
    long[] outcomes = new long[4];
    for (int strip = 0; strip < strips; strip++) {
      outcomes[(int) progress.get(TrieLayout.outcome(strip))]++;
    }
    DeviceLongs ended = DeviceLongs.of(endedMemory);
    long[] counted = new long[4];
    for (int i = 0; i < TrieLayout.ENDED_LONGS; i++) {
      counted[i % 4] += ended.get(i);
    }
    if (!Arrays.equals(outcomes, counted)) {
      throw new IllegalStateException(
          Arrays.toString(outcomes) + " were counted as " + Arrays.toString(counted));
    }
    endedMemory.segment().fill((byte) 0);
  }

  private boolean allDone(ThreadLongs progress) {
    boolean done = true;
    for (int strip = 0; strip < strips; strip++) {
      long outcome = progress.get(TrieLayout.outcome(strip));
      if (outcome != TrieFunctions.DONE && outcome != TrieFunctions.FULL) {
        throw new IllegalStateException("strip " + strip + " ended with outcome " + outcome);
      }
      done &= outcome == TrieFunctions.DONE;
    }
    return done;
  }

  private static void requireZero(ThreadLongs pending) {
    for (long i = 0; i < pending.length(); i += TrieLayout.PENDING_LONGS) {
      if (pending.get(i) != 0) {
        throw new IllegalStateException("entry " + i + " of the cache was left behind");
      }
    }
  }

  /** A node and the letters that lead to it. */
  private record Prefix(int node, String letters) {}

  private static void collect(
      DeviceInts edges, DeviceLongs counts, int shift, Map<String, Long> into) {
    ArrayDeque<Prefix> toVisit = new ArrayDeque<>();
    toVisit.add(new Prefix(TrieLayout.ROOT, ""));
    while (!toVisit.isEmpty()) {
      Prefix prefix = toVisit.removeLast();
      long count = counts.get(TrieLayout.count(prefix.node(), shift));
      if (count != 0) {
        into.merge(prefix.letters(), count, Long::sum);
      }
      for (int letter = 0; letter < Alphabet.ASCII_LETTERS.radix(); letter++) {
        int child = edges.get(TrieLayout.edge(prefix.node(), shift, letter));
        if (child > 0) {
          char c = (char) ('a' + letter);
          toVisit.add(new Prefix(child, prefix.letters() + c));
        } else if (child == TrieEdges.RESERVED) {
          throw new IllegalStateException(
              "an edge after '" + prefix.letters() + "' stayed reserved");
        }
      }
    }
  }

  /** The same count with a map. */
  static Map<String, Long> expected(byte[] text) {
    Map<String, Long> counts = new TreeMap<>();
    String all = new String(text, StandardCharsets.ISO_8859_1);
    for (String word : all.split("[^A-Za-z]+", -1)) {
      if (!word.isEmpty()) {
        counts.merge(word.toLowerCase(Locale.ROOT), 1L, Long::sum);
      }
    }
    return counts;
  }

  /** Words of a few letters, some long, between all kinds of bytes. */
  static byte[] randomText(Random random, int length, int letters) {
    byte[] text = new byte[length];
    int wordLeft = 0;
    for (int i = 0; i < length; i++) {
      if (wordLeft > 0) {
        text[i] = (byte) ((random.nextBoolean() ? 'a' : 'A') + random.nextInt(letters));
        wordLeft--;
      } else {
        text[i] = random.nextInt(8) == 0 ? (byte) (128 + random.nextInt(128)) : (byte) ' ';
        wordLeft = random.nextInt(random.nextInt(8) == 0 ? 30 : 5);
      }
    }
    return text;
  }
}

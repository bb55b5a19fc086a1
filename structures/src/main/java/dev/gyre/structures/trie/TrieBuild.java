package dev.gyre.structures.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.trie.BuildTrie;
import dev.gyre.kernels.trie.BuildUnicodeTrie;
import dev.gyre.kernels.trie.TrieFunctions;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.kernels.trie.TrieWorkers;
import dev.gyre.structures.StructureException;
import java.util.function.Supplier;

/**
 * Adds the words of one text to a trie: launches, grows the pool where it is full, and launches
 * again until every strip has come to its end. Where launches defer, a strip that meets an edge
 * which another thread has claimed stops before that word, and the next launch goes on with it.
 */
final class TrieBuild {

  /** A worker's cache of words has room for one per so many bytes of its text, within bounds. */
  private static final int BYTES_PER_CACHED_WORD = 64;

  private static final int MIN_CACHED_WORDS = 16;
  private static final int MAX_CACHED_WORDS = 1 << 16;

  /** The same on a device, where the caches of all strips share one that is fast. */
  private static final int DEVICE_BYTES_PER_PENDING_SLOT = 128;

  private static final int MIN_DEVICE_PENDING_SLOTS = 4;
  private static final int MAX_DEVICE_PENDING_SLOTS = 32;

  /** A text of n bytes is expected to need the square root of n times so many nodes... */
  private static final int NODES_PER_ROOT = 32;

  /** ... but no more than these, since it may repeat itself. */
  private static final long MOST_EXPECTED_NODES = 1 << 17;

  /** A text, and what its strips need of their own. */
  private record Text(
      Memory memory,
      long length,
      int strips,
      ThreadLongs pending,
      int pendingSlots,
      ThreadLongs progress,
      DeviceLongs ended) {

    /** How many strips of the last launch ended so. */
    long ended(long outcome) {
      long sum = 0;
      for (int stripe = 0; stripe < TrieLayout.ENDED_LONGS; stripe++) {
        sum += stripe % TrieLayout.ENDED_OUTCOMES == outcome ? ended.get(stripe) : 0;
      }
      return sum;
    }
  }

  private final Launcher launcher;
  private final TrieNodes nodes;
  private final Memory letters;
  private final TrieScratch scratch;
  private final boolean defers;
  private boolean begun;

  TrieBuild(
      Launcher launcher, TrieNodes nodes, Memory letters, TrieScratch scratch, boolean defers) {
    this.launcher = launcher;
    this.nodes = nodes;
    this.letters = letters;
    this.scratch = scratch;
    this.defers = defers;
  }

  /** Whether words may be counted. */
  boolean hasBegun() {
    return begun;
  }

  /**
   * Adds all words of {@code text[0, length)}, which neither begins nor ends inside a word, and
   * which the launcher was told of if the host wrote it.
   */
  void add(Memory text, long length, LaunchShape shape) {
    if (launcher.device().target() == Target.JVM) {
      addByWorkers(text, length, shape.threads());
    } else {
      // Growing is what takes longest there: nodes come to the host and go back each time.
      boolean _ = nodes.expect(expectedNodes(length));
      int strips = shape.threads();
      int slots = pendingSlots(length / strips);
      ThreadLongs pending = scratch.pending(TrieLayout.pendingLongs(strips, slots - 1), launcher);
      ThreadLongs progress = scratch.progress(strips, launcher);
      Text all = new Text(text, length, strips, pending, slots, progress, scratch.ended());
      addAll(all, () -> kernel(all), shape);
    }
  }

  private void addByWorkers(Memory text, long length, int strips) {
    int workers = Math.min(strips, launcher.device().units());
    TrieWorkers team = new TrieWorkers(workers, cachedWords(length / workers));
    boolean reserved = nodes.expect(expectedNodes(length));
    // Workers have caches of their own.
    ThreadLongs pending = scratch.pending(TrieLayout.pendingLongs(strips, 0), launcher);
    ThreadLongs progress = scratch.progress(strips, launcher);
    Text all = new Text(text, length, strips, pending, 1, progress, scratch.ended());
    addAll(
        all,
        () ->
            switch (kernel(all)) {
              case BuildTrie build -> team.kernel(build, strips);
              case BuildUnicodeTrie build -> team.kernel(build, strips);
              case Kernel other -> other;
            },
        team.shape());
    if (reserved) {
      nodes.trim();
    }
  }

  /** How many nodes a text may need. */
  static long expectedNodes(long length) {
    return Math.min(MOST_EXPECTED_NODES, (long) (NODES_PER_ROOT * Math.sqrt((double) length)));
  }

  private void addAll(Text text, Supplier<Kernel> kernel, LaunchShape shape) {
    boolean done = false;
    for (long launches = 1; !done; launches++) {
      Memory ended = text.ended().memory();
      ended.segment().fill((byte) 0);
      launcher.hostWrote(ended);
      nodes.sendTo(launcher);
      Launch launch = launcher.start(kernel.get(), shape, LaunchMode.STRIDED);
      begun = true;
      launch.join();
      nodes.madeOn(launcher);
      launcher.readBack(ended);
      requireAllRun(text);
      boolean full = text.ended(TrieFunctions.FULL) > 0;
      boolean stuck = text.ended(TrieFunctions.STUCK) > 0;
      done = !full && !stuck;
      if (stuck && (!defers || launches >= launcher.device().target().pollLimit())) {
        throw stuck(text);
      }
      if (full) {
        nodes.bringHome();
        nodes.grow();
      }
    }
  }

  private Kernel kernel(Text text) {
    long windowed = nodes.alphabet().hasWindows() ? text.length() : 0;
    long pollLimit = defers ? 0 : launcher.device().target().pollLimit();
    return switch (nodes.alphabet()) {
      case ASCII_LETTERS ->
          new BuildTrie(
              Bytes.of(text.memory()),
              text.length(),
              ThreadLongs.of(text.memory()),
              windowed,
              Bytes.of(letters),
              nodes.nodeShift(),
              nodes.edges(),
              nodes.counts(),
              nodes.capacity(),
              nodes.bump(),
              text.pending(),
              text.pendingSlots() - 1,
              text.progress(),
              text.ended(),
              pollLimit);
      case UNICODE_LETTERS ->
          new BuildUnicodeTrie(
              Bytes.of(text.memory()),
              text.length(),
              ThreadLongs.of(text.memory()),
              windowed,
              ThreadInts.of(letters),
              nodes.edges(),
              nodes.counts(),
              nodes.capacity(),
              nodes.bump(),
              text.pending(),
              text.pendingSlots() - 1,
              text.progress(),
              text.ended(),
              pollLimit);
    };
  }

  private static int pendingSlots(long stripBytes) {
    return powerOfTwo(
        stripBytes / DEVICE_BYTES_PER_PENDING_SLOT,
        MIN_DEVICE_PENDING_SLOTS,
        MAX_DEVICE_PENDING_SLOTS);
  }

  private static int cachedWords(long workerBytes) {
    return powerOfTwo(workerBytes / BYTES_PER_CACHED_WORD, MIN_CACHED_WORDS, MAX_CACHED_WORDS);
  }

  private static int powerOfTwo(long wanted, int least, int most) {
    return Integer.highestOneBit(Math.clamp(wanted, least, most));
  }

  private void requireAllRun(Text text) {
    long run =
        text.ended(TrieFunctions.DONE)
            + text.ended(TrieFunctions.FULL)
            + text.ended(TrieFunctions.STUCK);
    if (run != text.strips()) {
      throw failed("%d of %d strips were run".formatted(run, text.strips()));
    }
  }

  private StructureException stuck(Text text) {
    launcher.readBack(text.progress().memory());
    int strip = 0;
    while (text.progress().get(TrieLayout.outcome(strip)) != TrieFunctions.STUCK) {
      strip++;
    }
    return failed(
        "strip %d of %d gave up waiting for a node that another thread had taken"
            .formatted(strip, text.strips()));
  }

  private StructureException failed(String what) {
    return new StructureException(
        "word trie, build on %s (%s): %s"
            .formatted(launcher.device().target().label(), launcher.device().name(), what));
  }
}

package dev.gyre.structures.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.trie.BuildTrie;
import dev.gyre.kernels.trie.BuildUnicodeTrie;
import dev.gyre.kernels.trie.TrieFunctions;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.StructureException;

/**
 * Adds the words of one text to a trie: launches, grows the pool where it is full, and launches
 * again until every strip has come to its end. Where launches defer, a strip that meets an edge
 * which another thread has claimed stops before that word, and the next launch goes on with it.
 */
final class TrieBuild {

  /** A strip's cache of counts has a slot for so many bytes of text, within bounds. */
  private static final int BYTES_PER_PENDING_SLOT = 64;

  private static final int MIN_PENDING_SLOTS = 16;

  /** The same on a device, where the caches of all strips share one that is fast. */
  private static final int DEVICE_BYTES_PER_PENDING_SLOT = 128;

  private static final int MIN_DEVICE_PENDING_SLOTS = 4;
  private static final int MAX_DEVICE_PENDING_SLOTS = 32;
  private static final int MAX_PENDING_SLOTS = 1 << 15;

  private final Launcher launcher;
  private final TrieNodes nodes;
  private final Memory letters;
  private final TrieScratch scratch;
  private final boolean defers;

  TrieBuild(
      Launcher launcher, TrieNodes nodes, Memory letters, TrieScratch scratch, boolean defers) {
    this.launcher = launcher;
    this.nodes = nodes;
    this.letters = letters;
    this.scratch = scratch;
    this.defers = defers;
  }

  /**
   * Adds all words of {@code text[0, length)}, which neither begins nor ends inside a word, and
   * which the launcher was told of if the host wrote it.
   */
  void add(Memory text, long length, LaunchShape shape) {
    int strips = shape.threads();
    int pendingSlots = pendingSlots(length / strips);
    ThreadLongs pending =
        scratch.pending(TrieLayout.pendingLongs(strips, pendingSlots - 1), launcher);
    ThreadLongs progress = scratch.progress(strips, launcher);
    boolean done = false;
    for (long launches = 1; !done; launches++) {
      nodes.sendTo(launcher);
      launcher.run(kernel(text, length, pending, pendingSlots, progress), shape);
      nodes.madeOn(launcher);
      launcher.readBack(progress.memory());
      boolean full = anyEnded(progress, strips, TrieFunctions.FULL);
      boolean stuck = anyEnded(progress, strips, TrieFunctions.STUCK);
      done = !full && !stuck;
      if (stuck && (!defers || launches >= launcher.device().target().pollLimit())) {
        throw stuck(progress, strips);
      }
      if (full) {
        nodes.bringHome();
        nodes.grow();
      }
    }
  }

  private Kernel kernel(
      Memory text, long length, ThreadLongs pending, int pendingSlots, ThreadLongs progress) {
    long windowed = nodes.alphabet().hasWindows() ? length : 0;
    long pollLimit = defers ? 0 : launcher.device().target().pollLimit();
    return switch (nodes.alphabet()) {
      case ASCII_LETTERS ->
          new BuildTrie(
              Bytes.of(text),
              length,
              ThreadLongs.of(text),
              windowed,
              Bytes.of(letters),
              nodes.nodeShift(),
              nodes.edges(),
              nodes.counts(),
              nodes.capacity(),
              nodes.bump(),
              pending,
              pendingSlots - 1,
              progress,
              pollLimit);
      case UNICODE_LETTERS ->
          new BuildUnicodeTrie(
              Bytes.of(text),
              length,
              ThreadLongs.of(text),
              windowed,
              ThreadInts.of(letters),
              nodes.edges(),
              nodes.counts(),
              nodes.capacity(),
              nodes.bump(),
              pending,
              pendingSlots - 1,
              progress,
              pollLimit);
    };
  }

  private int pendingSlots(long stripBytes) {
    boolean jvm = launcher.device().target() == Target.JVM;
    long wanted =
        Math.clamp(
            stripBytes / (jvm ? BYTES_PER_PENDING_SLOT : DEVICE_BYTES_PER_PENDING_SLOT),
            jvm ? MIN_PENDING_SLOTS : MIN_DEVICE_PENDING_SLOTS,
            jvm ? MAX_PENDING_SLOTS : MAX_DEVICE_PENDING_SLOTS);
    return Integer.highestOneBit((int) wanted);
  }

  private boolean anyEnded(ThreadLongs progress, int strips, long outcome) {
    boolean any = false;
    for (int strip = 0; strip < strips; strip++) {
      long ended = progress.get(TrieLayout.outcome(strip));
      if (ended == TrieFunctions.NOT_RUN) {
        throw failed(strip, strips, "was not run");
      }
      any |= ended == outcome;
    }
    return any;
  }

  private StructureException stuck(ThreadLongs progress, int strips) {
    int strip = 0;
    while (progress.get(TrieLayout.outcome(strip)) != TrieFunctions.STUCK) {
      strip++;
    }
    return failed(strip, strips, "gave up waiting for a node that another thread had taken");
  }

  private StructureException failed(int strip, int strips, String what) {
    return new StructureException(
        "word trie, build on %s (%s): strip %d of %d %s"
            .formatted(
                launcher.device().target().label(), launcher.device().name(), strip, strips, what));
  }
}

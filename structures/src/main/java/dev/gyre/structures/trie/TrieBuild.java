package dev.gyre.structures.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.BuildTrie;
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
  private static final int MAX_PENDING_SLOTS = 1 << 15;

  private final Launcher launcher;
  private final TrieNodes nodes;
  private final Bytes classes;
  private final boolean defers;
  private final long pollLimit;

  TrieBuild(Launcher launcher, TrieNodes nodes, Bytes classes, boolean defers) {
    this.launcher = launcher;
    this.nodes = nodes;
    this.classes = classes;
    this.defers = defers;
    this.pollLimit = launcher.device().target().pollLimit();
  }

  /** Adds all words of {@code text[0, length)}, which neither begins nor ends inside a word. */
  void add(Memory text, long length, LaunchShape shape) {
    int strips = shape.threads();
    int pendingSlots = pendingSlots(length / strips);
    try (Memory pending = Memory.ofLongs(TrieLayout.pendingLongs(strips, pendingSlots - 1));
        Memory progressMemory = Memory.ofLongs((long) strips * TrieLayout.PROGRESS_LONGS)) {
      ThreadLongs progress = ThreadLongs.of(progressMemory);
      for (int strip = 0; strip < strips; strip++) {
        progress.set(TrieLayout.position(strip), TrieFunctions.FRESH);
      }
      launcher.hostWrote(text);
      launcher.clear(pending);
      boolean done = false;
      for (long launches = 1; !done; launches++) {
        nodes.sendTo(launcher);
        launcher.run(
            new BuildTrie(
                Bytes.of(text),
                length,
                ThreadLongs.of(text),
                nodes.alphabet().hasWindows() ? length : 0,
                classes,
                nodes.nodeShift(),
                nodes.edges(),
                nodes.counts(),
                nodes.capacity(),
                nodes.bump(),
                ThreadLongs.of(pending),
                pendingSlots - 1,
                progress,
                defers ? 0 : pollLimit),
            shape);
        nodes.madeOn(launcher);
        launcher.readBack(progressMemory);
        boolean full = anyEnded(progress, strips, TrieFunctions.FULL);
        boolean stuck = anyEnded(progress, strips, TrieFunctions.STUCK);
        done = !full && !stuck;
        if (stuck && (!defers || launches >= pollLimit)) {
          throw stuck(progress, strips);
        }
        if (full) {
          nodes.bringHome();
          nodes.grow();
        }
      }
    }
  }

  private static int pendingSlots(long stripBytes) {
    long wanted =
        Math.clamp(stripBytes / BYTES_PER_PENDING_SLOT, MIN_PENDING_SLOTS, MAX_PENDING_SLOTS);
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

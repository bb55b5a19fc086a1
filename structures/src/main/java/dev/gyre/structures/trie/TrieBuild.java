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
 * again until every strip has come to its end.
 */
final class TrieBuild {

  /** A strip's cache of counts has a slot for so many bytes of text, within bounds. */
  private static final int BYTES_PER_PENDING_SLOT = 64;

  private static final int MIN_PENDING_SLOTS = 16;
  private static final int MAX_PENDING_SLOTS = 1 << 15;

  private final Launcher launcher;
  private final TrieNodes nodes;
  private final Bytes classes;

  TrieBuild(Launcher launcher, TrieNodes nodes, Bytes classes) {
    this.launcher = launcher;
    this.nodes = nodes;
    this.classes = classes;
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
      while (!done) {
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
                launcher.device().target().pollLimit()),
            shape);
        nodes.madeOn(launcher);
        launcher.readBack(progressMemory);
        done = allDone(progress, strips);
        if (!done) {
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

  private boolean allDone(ThreadLongs progress, int strips) {
    boolean done = true;
    for (int strip = 0; strip < strips; strip++) {
      long outcome = progress.get(TrieLayout.outcome(strip));
      if (outcome == TrieFunctions.FULL) {
        done = false;
      } else if (outcome != TrieFunctions.DONE) {
        throw new StructureException(
            "word trie, build on %s (%s): strip %d of %d ended with outcome %d, not done"
                .formatted(
                    launcher.device().target().label(),
                    launcher.device().name(),
                    strip,
                    strips,
                    outcome));
      }
    }
    return done;
  }
}

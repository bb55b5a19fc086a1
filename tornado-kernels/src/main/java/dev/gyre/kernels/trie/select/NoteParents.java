package dev.gyre.kernels.trie.select;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Notes the parent of every node, and the number of nodes; marks no word.
 *
 * @param capacity capacity in nodes
 * @param bump number of nodes taken, as the trie's kernels count them
 * @param survey see {@link Survey}
 */
public record NoteParents(Paths paths, long capacity, DeviceLongs bump, DeviceLongs survey)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    int shift = paths.nodeShift();
    long made = Math.min(bump.get(0), capacity);
    // The last ints of a node are its count, not edges.
    int edges = (1 << shift) - Long.BYTES / Integer.BYTES;
    int mask = (1 << shift) - 1;
    for (long at = thread; at < made << shift; at += shape.threads()) {
      int step = (int) at & mask;
      int child = paths.edges().get(at);
      if (Math.min(child, edges - step) > 0) {
        paths.parents().set(child, (int) (at >> shift));
      }
    }
    if (thread == 0) {
      survey.set(Survey.MADE, made);
    }
  }
}

package dev.gyre.kernels.trie.select;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Notes the parent of every node, after {@link SurveyWords}.
 *
 * @param survey see {@link Survey}
 */
public record NoteParents(Paths paths, DeviceLongs survey) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    int shift = paths.nodeShift();
    long made = survey.get(Survey.MADE);
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
  }
}

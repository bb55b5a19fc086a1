package dev.gyre.kernels.trie.select;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Counts for each node the marked words that end in it or below it; after {@link SurveyWords}.
 *
 * @param below all 0 before; that of {@link Survey#FROM} stays so
 * @param survey see {@link Survey}
 */
public record CountBelow(Paths paths, DeviceInts below, DeviceLongs survey) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    int made = (int) Math.min(survey.get(Survey.MADE), Integer.MAX_VALUE);
    int from = (int) survey.get(Survey.FROM);
    for (long word = thread + 1L; word < made; word += shape.threads()) {
      int at = paths.isWord((int) word) ? (int) word : from;
      int left = Paths.MOST_STEPS;
      while (Math.min(at - from, left) > 0) {
        // relaxed: a count, which orders nothing
        below.fetchAddRelaxed(at, 1);
        at = paths.parent(at);
        left--;
      }
    }
  }
}

package dev.gyre.kernels.trie.select;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.trie.TrieLayout;

/**
 * Writes the words that are frequent enough, after {@link NoteParents}: for each its count, and the
 * place of its steps; after all of these, the steps. Words that do not fit are counted and not
 * written.
 *
 * @param counts counts of all nodes
 * @param floor smallest count, at least 1
 * @param words two longs per word: the count, and the first long of its steps in all but the lowest
 *     16 bits, which are their number
 * @param steps the same memory, as bytes
 * @param capacity capacity in words
 * @param longs size of the memory in longs
 * @param survey see {@link Survey}
 */
public record ChooseWords(
    Paths paths,
    DeviceLongs counts,
    long floor,
    DeviceLongs words,
    Bytes steps,
    long capacity,
    long longs,
    DeviceLongs survey)
    implements Kernel {

  /** Bits of the number of steps. */
  public static final int DEPTH_BITS = 16;

  @Override
  public void run(int thread, LaunchShape shape) {
    int made = (int) Math.min(survey.get(Survey.MADE), Integer.MAX_VALUE);
    for (long at = thread + 1L; at < made; at += shape.threads()) {
      int node = (int) at;
      long count = counts.get(TrieLayout.count(node, paths.nodeShift()));
      if (count >= floor) {
        choose(node, count);
      }
    }
  }

  private void choose(int node, long count) {
    int depth = paths.depth(node);
    if (depth > Paths.MOST_STEPS) {
      // relaxed: a count, which orders nothing; likewise below
      survey.fetchAddRelaxed(Survey.TOO_LONG, 1);
    } else {
      long slot = survey.fetchAddRelaxed(Survey.CHOSEN, 1);
      int taken = (depth + Long.BYTES - 1) / Long.BYTES;
      long first = 2 * capacity + survey.fetchAddRelaxed(Survey.STEP_LONGS, taken);
      // Both together: a word needs its steps.
      long left = Math.min(capacity - 1 - slot, longs - taken - first);
      if (left >= 0) {
        words.set(2 * slot, count);
        words.set(2 * slot + 1, first << DEPTH_BITS | depth);
        paths.spell(node, depth, steps, first * Long.BYTES);
      }
    }
  }
}

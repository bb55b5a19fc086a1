package dev.gyre.kernels.trie.select;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.trie.TrieLayout;

/**
 * Marks the words that begin with a prefix, and counts them and their counts; after {@link
 * NoteParents} and {@link FindNode}.
 *
 * @param counts counts of all nodes
 * @param survey see {@link Survey}
 */
public record SurveyWords(Paths paths, DeviceLongs counts, DeviceLongs survey) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    int made = (int) Math.min(survey.get(Survey.MADE), Integer.MAX_VALUE);
    int from = (int) survey.get(Survey.FROM);
    long end = from < 0 ? 0 : made;
    int words = 0;
    long sum = 0;
    // Without the root, which is not a word.
    for (long at = thread + 1L; at < end; at += shape.threads()) {
      int node = (int) at;
      long count = counts.get(TrieLayout.count(node, paths.nodeShift()));
      if (count > 0) {
        if (paths.isBelow(node, from)) {
          paths.mark(node);
          words++;
          sum += count;
          // relaxed: a count, which orders nothing, like all here
          survey.fetchAddRelaxed(Survey.BUCKETS_FROM + Survey.bucket(count), 1);
        }
      }
    }
    if (words > 0) {
      survey.fetchAddRelaxed(Survey.DISTINCT, words);
      survey.fetchAddRelaxed(Survey.TOTAL, sum);
    }
  }
}

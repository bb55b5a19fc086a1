package dev.gyre.kernels.trie.select;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.trie.TrieLayout;

/**
 * Counts the nodes, the words, and their counts.
 *
 * @param counts counts of all nodes
 * @param nodeShift as in {@link TrieLayout#count}
 * @param capacity capacity in nodes
 * @param bump number of nodes taken, as the trie's kernels count them
 * @param survey see {@link Survey}
 */
public record SurveyWords(
    DeviceLongs counts, int nodeShift, long capacity, DeviceLongs bump, DeviceLongs survey)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    long made = Math.min(bump.get(0), capacity);
    int words = 0;
    long sum = 0;
    // Without the root, which is not a word.
    for (long at = thread + 1L; at < made; at += shape.threads()) {
      long count = counts.get(TrieLayout.count((int) at, nodeShift));
      if (count > 0) {
        words++;
        sum += count;
        // relaxed: a count, which orders nothing, like all here
        survey.fetchAddRelaxed(Survey.BUCKETS_FROM + Survey.bucket(count), 1);
      }
    }
    if (words > 0) {
      survey.fetchAddRelaxed(Survey.DISTINCT, words);
      survey.fetchAddRelaxed(Survey.TOTAL, sum);
    }
    if (thread == 0) {
      survey.set(Survey.MADE, made);
    }
  }
}

package dev.gyre.kernels.trie.select;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.trie.TrieLayout;

/**
 * Finds the node of some steps, by one thread, and notes it as {@link Survey#FROM}.
 *
 * @param length number of steps
 */
public record FindNode(Paths paths, Bytes steps, int length, DeviceLongs survey) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    int node = TrieLayout.ROOT;
    int at = 0;
    int left = length;
    while (left > 0) {
      int child =
          paths.edges().get(TrieLayout.edge(node, paths.nodeShift(), steps.getUnsigned(at)));
      node = child > 0 ? child : (int) Survey.NOWHERE;
      left = child > 0 ? left - 1 : 0;
      at++;
    }
    survey.set(Survey.FROM, node);
  }
}

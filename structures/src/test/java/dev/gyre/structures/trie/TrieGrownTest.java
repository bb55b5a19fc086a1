package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.trie.TrieLayout;
import org.junit.jupiter.api.Test;

class TrieGrownTest {

  @Test
  void roomGrowsToTheMostThatThereCanBeAndIsNeverMuchTooLarge() {
    long capacity = 1;
    int steps = 0;
    while (capacity < TrieLayout.MAX_NODES) {
      long next = TrieNodes.grown(capacity);
      assertThat(next).isGreaterThan(capacity).isLessThanOrEqualTo(TrieLayout.MAX_NODES);
      long most = capacity < 1 << 13 ? 8 : capacity < 1 << 20 ? 4 : 3;
      assertThat(2 * next).isLessThanOrEqualTo(most * capacity);
      capacity = next;
      steps++;
    }
    assertThat(steps).isLessThan(64);
  }
}

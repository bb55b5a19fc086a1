package dev.gyre.kernels.trie;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeSizeTest {

  @ParameterizedTest
  @EnumSource
  void eachStepHasEdgesOfItsOwnInItsOrder(NodeSize size) {
    NodeLayout layout = size.layout();
    byte[] last = {};
    for (int step = 0; step < UnicodeTable.RADIX; step++) {
      byte[] edges = size.edges(new byte[] {(byte) step});
      assertThat(edges).hasSize(size.edgesPerStep());
      assertThat(Arrays.compare(last, edges)).as("step %d", step).isNegative();
      for (byte edge : edges) {
        assertThat((int) edge).isBetween(0, (1 << layout.shift()) - 3);
      }
      assertThat(size.steps(edges)).containsExactly(step);
      assertThat(layout.step(layout.first(step), layout.second(step))).isEqualTo(step);
      last = edges;
    }
    byte[] word = {7, 4, 11, 11, 14, 29, 0};
    assertThat(size.steps(size.edges(word))).isEqualTo(word);
    assertThat(size.steps(size.edges(new byte[0]))).isEmpty();
  }
}

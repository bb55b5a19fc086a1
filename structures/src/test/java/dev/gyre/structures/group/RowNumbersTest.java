package dev.gyre.structures.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RowNumbersTest {

  /** Chunks of 2^14 rows are sorted in parallel. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 1000, 16_383, 16_384, 16_385, 32_769, 49_152, 100_001})
  void sortsRowsAndKeepsTheOrderOfEqualRows(int rows) {
    int[] keys = new Random(rows).ints(rows, 0, 1 + rows / 4).toArray();
    int[] expected =
        IntStream.range(0, rows)
            .boxed()
            .sorted(Comparator.comparingInt(row -> keys[row]))
            .mapToInt(row -> row)
            .toArray();
    try (RowNumbers order =
        RowNumbers.sorted(rows, (a, b) -> Integer.compare(keys[(int) a], keys[(int) b]))) {
      assertThat(IntStream.range(0, rows).map(i -> (int) order.get(i)).toArray())
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 1L << 31})
  void setsAndGetsSeveralNumbers(long numbered) {
    try (RowNumbers numbers = new RowNumbers(6, numbered)) {
      assertThat(numbers.areInts()).isEqualTo(numbered == 10);
      numbers.set(2, new long[] {5, -1, 7, 8}, 3);
      long[] read = {9, 9, 9, 9, 9, 9};
      numbers.get(1, read, 5);
      assertThat(read).containsExactly(0, 5, -1, 7, 0, 9);
    }
  }
}

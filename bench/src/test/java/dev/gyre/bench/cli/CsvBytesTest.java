package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.GyreException;
import org.junit.jupiter.api.Test;

class CsvBytesTest {

  @Test
  void arraysGrowUntilTheLargestOne() {
    long half = 1L << 30;
    int largest = Integer.MAX_VALUE - 8;
    assertThat(CsvBytes.capacity(half, 100)).isEqualTo(1 << 30);
    assertThat(CsvBytes.capacity(2 * half, half + 1)).isEqualTo(largest);
    assertThat(CsvBytes.capacity(2L * largest, largest)).isEqualTo(largest);
    assertThatThrownBy(() -> CsvBytes.capacity(2L * largest, largest + 1L))
        .isInstanceOf(GyreException.class)
        .hasMessageContaining(largest + 1L + " bytes of text");
  }
}

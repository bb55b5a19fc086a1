package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class UnsignedTest {

  private static final long[] EXTREMES = {
    0, 1, -1, 2, -2, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 12345
  };

  private static BigInteger unsigned(long value) {
    return new BigInteger(Long.toUnsignedString(value));
  }

  @Test
  void shiftsFillWithZeros() {
    for (long v : EXTREMES) {
      for (int d = 0; d < 64; d++) {
        assertThat(Unsigned.shiftRight(v, d)).isEqualTo(unsigned(v).shiftRight(d).longValue());
        assertThat(Unsigned.shiftRight((int) v, d))
            .isEqualTo((int) ((v & 0xffff_ffffL) / (1L << (d & 31))));
      }
    }
  }

  @Test
  void comparesAndMultipliesWithoutSigns() {
    for (long a : EXTREMES) {
      for (long b : EXTREMES) {
        assertThat(Unsigned.lessThan(a, b)).isEqualTo(unsigned(a).compareTo(unsigned(b)) < 0);
        assertThat(Unsigned.lessThan((int) a, (int) b))
            .isEqualTo((a & 0xffff_ffffL) < (b & 0xffff_ffffL));
        assertThat(Unsigned.multiplyHigh(a, b))
            .isEqualTo(unsigned(a).multiply(unsigned(b)).shiftRight(64).longValue());
      }
      assertThat(Unsigned.toLong((int) a)).isEqualTo(a & 0xffff_ffffL);
    }
  }
}

package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.map.Fold;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of keys that an insert did not come to, since it failed, outcomes say SKIPPED. */
class OutcomesAfterFailureTest {

  private static final int KEYS = 1 << 18;

  /** What a user should not write. */
  record Failing(long number) implements Fold {
    @Override
    public long apply(long present, long given) {
      throw new IllegalStateException("fails");
    }
  }

  /**
   * Where keys are put in order, their outcomes are in memory that calls before it used.
   *
   * @param times as much room as there are keys; where it is all taken, keys are counted first
   */
  @ParameterizedTest
  @CsvSource({"1, false", "1, true", "4, false", "4, true"})
  void sayNothingOfCallsBefore(long times, boolean masked) {
    long[] keys = LongStream.range(0, KEYS).toArray();
    byte[] outcomes = new byte[KEYS];
    boolean[] mask = new boolean[KEYS];
    Arrays.fill(mask, true);
    BulkOptions told = BulkOptions.NONE.outcomes(outcomes);
    BulkOptions options = masked ? told.where(mask) : told;
    try (LongLongMap map = LongLongMap.builder().workers(2).capacity(times * KEYS).build()) {
      assertThat(map.insert(Longs.of(keys), Longs.of(keys), options).inserted()).isEqualTo(KEYS);
      assertThat(outcomes).containsOnly(Outcome.INSERTED.code());
      assertThatThrownBy(
              () -> map.insertOrApply(Longs.of(keys), Longs.of(keys), new Failing(1), options))
          .hasStackTraceContaining("fails");
      assertThat(outcomes).containsOnly(Outcome.SKIPPED.code());
      assertThat(map.size()).isEqualTo(KEYS);
    }
  }
}

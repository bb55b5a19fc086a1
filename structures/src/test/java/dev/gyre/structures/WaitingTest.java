package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.progress.Classification;
import dev.gyre.progress.Classification.Source;
import dev.gyre.progress.Guarantee;
import dev.gyre.progress.ProgressUnavailableException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which form of a structure is taken on which device. */
class WaitingTest {

  /** A GPU before Volta, or the threads of a block on a CPU's OpenCL. */
  private static final Optional<Classification> WEAK =
      Optional.of(
          new Classification(
              Guarantee.WEAKLY_PARALLEL, Guarantee.PARALLEL, Source.MEASURED, "stuck: a warp"));

  private static final Optional<Classification> STRONG =
      Optional.of(
          new Classification(
              Guarantee.PARALLEL, Guarantee.PARALLEL, Source.DECLARED, "compute capability 9.0"));

  @Test
  void autoDefersWhereWaitingMayNeverEnd() {
    assertThat(Waiting.AUTO.defers("insert", STRONG, 256)).isFalse();
    assertThat(Waiting.AUTO.defers("insert", WEAK, 32)).isTrue();
    assertThat(Waiting.AUTO.defers("insert", WEAK, 1)).isFalse();
    assertThat(Waiting.AUTO.defers("insert", Optional.empty(), 1)).isTrue();
  }

  @Test
  void whatIsAskedForIsTaken() {
    assertThat(Waiting.DEFERRED.defers("insert", STRONG, 256)).isTrue();
    assertThat(Waiting.BLOCKING.defers("insert", STRONG, 256)).isFalse();
    assertThat(Waiting.BLOCKING.defers("insert", Optional.empty(), 256)).isFalse();
  }

  @Test
  void blockingIsRefusedWhereWaitingMayNeverEnd() {
    assertThatThrownBy(() -> Waiting.BLOCKING.defers("LongLongMap", WEAK, 32))
        .isInstanceOf(ProgressUnavailableException.class)
        .hasMessageContainingAll("LongLongMap", "weakly parallel", "blocks of 32");
    assertThat(Waiting.BLOCKING.defers("LongLongMap", WEAK, 1)).isFalse();
  }

  @Test
  void theJvmWaitsUnlessToldNotTo() {
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(1)) {
      assertThat(Waiting.AUTO.defers("insert", launcher)).isFalse();
      assertThat(Waiting.BLOCKING.defers("insert", launcher)).isFalse();
      assertThat(Waiting.DEFERRED.defers("insert", launcher)).isTrue();
    }
  }
}

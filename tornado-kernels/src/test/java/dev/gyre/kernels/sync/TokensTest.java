package dev.gyre.kernels.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** Tokens of barriers are twice the phase's number, and 1 more for the last arriver. */
class TokensTest {

  private static final int AT = SyncLayout.WORDS;

  private final Memory memory = Memory.ofInts(2L * SyncLayout.WORDS);

  private static void check(IntSupplier arrive, IntUnaryOperator tryWait, Runnable complete) {
    for (int phase = 0; phase < 3; phase++) {
      assertThat(arrive.getAsInt()).isEqualTo(2 * phase);
      assertThat(tryWait.applyAsInt(2 * phase)).isZero();
      assertThat(arrive.getAsInt()).isEqualTo(2 * phase + 1);
      assertThat(tryWait.applyAsInt(2 * phase + 1)).as("not completed yet").isZero();
      complete.run();
      assertThat(tryWait.applyAsInt(2 * phase)).isEqualTo(1);
      assertThat(tryWait.applyAsInt(2 * phase + 1)).isEqualTo(1);
    }
  }

  @Test
  void ofTheBlock() {
    try (memory) {
      BlockInts words = BlockInts.of(memory);
      BlockBarrier.init(words, AT, 2);
      check(
          () -> BlockBarrier.arrive(words, AT),
          token -> BlockBarrier.tryWait(words, AT, token),
          () -> BlockBarrier.complete(words, AT));
    }
  }

  @Test
  void ofTheDevice() {
    try (memory) {
      DeviceInts words = DeviceInts.of(memory);
      DeviceBarrier.init(words, AT, 2);
      check(
          () -> DeviceBarrier.arrive(words, AT),
          token -> DeviceBarrier.tryWait(words, AT, token),
          () -> DeviceBarrier.complete(words, AT));
    }
  }

  @Test
  void ofTheSystem() {
    try (memory) {
      SystemInts words = SystemInts.of(memory);
      SystemBarrier.init(words, AT, 2);
      check(
          () -> SystemBarrier.arrive(words, AT),
          token -> SystemBarrier.tryWait(words, AT, token),
          () -> SystemBarrier.complete(words, AT));
    }
  }
}

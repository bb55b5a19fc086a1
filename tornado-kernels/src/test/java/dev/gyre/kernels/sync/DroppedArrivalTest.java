package dev.gyre.kernels.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import org.junit.jupiter.api.Test;

/** Who drops out of a barrier is not expected in the phases that follow. */
class DroppedArrivalTest {

  @Test
  void ofTheDevice() {
    try (Memory memory = Memory.ofInts(SyncLayout.WORDS)) {
      DeviceInts words = DeviceInts.of(memory);
      DeviceBarrier.init(words, 0, 2);
      assertThat(DeviceBarrier.isLast(DeviceBarrier.arriveAndDrop(words, 0))).isZero();
      for (int phase = 0; phase < 3; phase++) {
        int token = DeviceBarrier.arrive(words, 0);
        assertThat(DeviceBarrier.isLast(token)).as("phase %d", phase).isEqualTo(1);
        DeviceBarrier.complete(words, 0);
        assertThat(DeviceBarrier.tryWait(words, 0, token)).isEqualTo(1);
      }
    }
  }

  @Test
  void ofTheSystem() {
    try (Memory memory = Memory.ofInts(SyncLayout.WORDS)) {
      SystemInts words = SystemInts.of(memory);
      SystemBarrier.init(words, 0, 2);
      assertThat(SystemBarrier.isLast(SystemBarrier.arriveAndDrop(words, 0))).isZero();
      for (int phase = 0; phase < 3; phase++) {
        int token = SystemBarrier.arrive(words, 0);
        assertThat(SystemBarrier.isLast(token)).as("phase %d", phase).isEqualTo(1);
        SystemBarrier.complete(words, 0);
        assertThat(SystemBarrier.tryWait(words, 0, token)).isEqualTo(1);
      }
    }
  }
}

package dev.gyre.structures.map.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.MapCodes;
import org.junit.jupiter.api.Test;

class OutcomeCountsTest {

  @Test
  void theShareOfNewKeysIsOfAllThatAreThere() {
    OutcomeCounts sums = new OutcomeCounts();
    assertThat(sums.shareInserted(1)).isEqualTo(1);
    try (Memory memory = Memory.ofLongs(MapCodes.COUNTERS)) {
      DeviceLongs counters = DeviceLongs.of(memory);
      counters.set(MapCodes.INSERTED, 1);
      counters.set(MapCodes.PRESENT, 3);
      sums.add(counters);
    }
    assertThat(sums.shareInserted(1)).isEqualTo(0.25);
  }
}

package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import org.junit.jupiter.api.Test;

/** A slot that stays RESERVED, which no thread that ends leaves behind. */
@ConformanceSuite
class StuckSlotTest {

  private static final int RESERVED = 1;
  private static final int FILLED = 2;

  @Test
  void aWaitThatGivesUpNamesStructureOperationTargetAndDevice() {
    TargetUnderTest.assumeAlone();
    try (JvmLauncher jvm = JvmLauncher.create()) {
      Launcher launcher = TargetUnderTest.device() == null ? jvm : TargetUnderTest.device();
      try (LongLongMap map =
          LongLongMap.builder()
              .layout(Layout.REFERENCE)
              .launcher(launcher)
              .pollLimit(200)
              .fixedCapacity(1)
              .build()) {
        Memory states = map.store.table().memories().getFirst();
        int slots = (int) map.store.slots();
        for (int i = 0; i < slots; i++) {
          DeviceInts.of(states).set(i, i == 0 ? RESERVED : FILLED);
        }
        launcher.hostWrote(states);
        long[] keys = {7};
        assertThatThrownBy(() -> map.insert(keys, keys))
            .isInstanceOf(StuckException.class)
            .hasMessageContainingAll(
                "insert",
                "LongLongMap",
                launcher.device().target().label(),
                launcher.device().name());
        assertThatThrownBy(() -> map.contains(keys))
            .isInstanceOfSatisfying(StuckException.class, e -> assertThat(e.keys()).isEqualTo(1))
            .hasMessageContaining("find");
      }
    }
  }
}

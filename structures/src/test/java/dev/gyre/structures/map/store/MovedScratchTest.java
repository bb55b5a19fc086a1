package dev.gyre.structures.map.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.partition.PartitionScratch;
import dev.gyre.structures.map.table.MapSettings;
import org.junit.jupiter.api.Test;

/** Scratch memory of a map that moves to another launcher is not that of the next one. */
class MovedScratchTest {

  private static MapSettings settings(Launcher launcher) {
    return new MapSettings(
        Layout.LINE,
        8,
        false,
        0.5,
        1,
        null,
        Target.JVM.pollLimit(),
        Waiting.AUTO,
        launcher,
        false,
        8,
        null,
        "");
  }

  private static void requireDropped(LongStore store, Launcher to) {
    PartitionScratch kept = store.partitions().borrow(4, 1);
    store.partitions().giveBack(kept);
    assertThat(store.partitions().borrow(4, 1)).isSameAs(kept);
    store.partitions().giveBack(kept);
    store.runOn(to);
    PartitionScratch next = store.partitions().borrow(4, 1);
    assertThat(next).isNotSameAs(kept);
    store.partitions().giveBack(next);
  }

  @Test
  void scratchMemoryStaysWithItsLauncher() {
    try (JvmLauncher first = JvmLauncher.ofWorkers(1);
        JvmLauncher second = JvmLauncher.ofWorkers(1);
        LongStore store = new LongStore("map", settings(first))) {
      requireDropped(store, second);
      requireDropped(store, first);
    }
  }
}

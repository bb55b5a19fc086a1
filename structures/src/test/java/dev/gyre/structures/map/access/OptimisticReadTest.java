package dev.gyre.structures.map.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.MapSettings;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads of tables that others free meanwhile, where HotSpot interrupts who is inside an access. */
class OptimisticReadTest {

  @AfterEach
  void leaveNoInterrupt() {
    boolean _ = Thread.interrupted();
  }

  /** Reads, and meets the end of a table's memory the first time, as it comes in a real access. */
  private static int readWhileFreed() {
    AtomicInteger reads = new AtomicInteger();
    MapSettings settings =
        new MapSettings(
            new MapSettings.Options(Layout.LINE, false, 0.5, Waiting.BLOCKING, 0, false),
            100,
            1,
            null,
            1_000,
            JvmLauncher.ofWorkers(1),
            true,
            null,
            "");
    try (LongStore store = new LongStore("map", SavedMap.Kind.LONGS, settings)) {
      return OptimisticRead.of(
          store,
          0,
          _ -> {
            if (reads.incrementAndGet() == 1) {
              store.clear();
              Thread.currentThread().interrupt();
              throw new IllegalStateException("Already closed");
            }
            return reads.get();
          });
    }
  }

  @Test
  void whoReadsOnIsNotInterrupted() {
    assertThat(readWhileFreed()).isEqualTo(2);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void whoWasInterruptedBeforeStaysSo() {
    Thread.currentThread().interrupt();
    assertThat(readWhileFreed()).isEqualTo(2);
    assertThat(Thread.interrupted()).isTrue();
  }
}

package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TrackedTest {

  private final AtomicInteger freed = new AtomicInteger();

  @AfterEach
  void clear() {
    System.clearProperty(Tracked.PROPERTY);
  }

  /** Garbage by the time that this returns. */
  private void makeAndDrop(Runnable free) {
    Tracked _ = Tracked.of(new Object(), "test", free);
  }

  /** Asks again until the pause after a collection that freed nothing is over. */
  private static boolean collect(BooleanSupplier enough) {
    boolean asked = Tracked.collect(enough);
    for (int i = 0; !asked && i < 10_000; i++) {
      LockSupport.parkNanos(1_000_000);
      asked = Tracked.collect(enough);
    }
    return asked;
  }

  @Test
  void aCollectionThatFreesNothingIsNotRepeatedAtOnce() {
    Object structure = new Object();
    Tracked tracked = Tracked.of(structure, "test", () -> {});
    assertThat(collect(() -> false)).isTrue();
    assertThat(Tracked.collect(() -> false)).isFalse();
    tracked.closed();
    assertThat(structure).isNotNull();
  }

  @Test
  void oneCollectionFreesWhatWasDropped() {
    makeAndDrop(freed::incrementAndGet);
    assertThat(collect(() -> freed.get() > 0)).isTrue();
    assertThat(freed).hasValue(1);
  }

  @Test
  void whatIsReachableOrClosedIsNotFreed() {
    Object structure = new Object();
    Tracked tracked = Tracked.of(structure, "test", freed::incrementAndGet);
    assertThat(collect(() -> freed.get() > 0)).isTrue();
    assertThat(freed).hasValue(0);
    tracked.closed();
    tracked.closed();
    structure = null;
    assertThat(structure).isNull();
    makeAndDrop(() -> {});
    assertThat(collect(() -> freed.get() > 0)).isTrue();
    assertThat(freed).hasValue(0);
  }

  @Test
  void whatIsInUseIsFreedLater() {
    makeAndDrop(
        () -> {
          if (freed.incrementAndGet() == 1) {
            throw new MemoryInUseException("a device works on it", null);
          }
        });
    assertThat(collect(() -> freed.get() > 0)).isTrue();
    // The cleaner may come to both in one sweep, after which there is nothing left to collect.
    assertThat(freed.get() > 1 || collect(() -> freed.get() > 1)).isTrue();
    assertThat(freed).hasValue(2);
    makeAndDrop(() -> {});
    assertThat(collect(() -> false)).isTrue();
    assertThat(freed).hasValue(2);
  }

  @Test
  void aWaitEndsSoonIfThereIsNothingToFree() {
    Object structure = new Object();
    Tracked tracked = Tracked.of(structure, "test", () -> {});
    Thread.currentThread().interrupt();
    assertThat(collect(() -> false)).isTrue();
    assertThat(Thread.interrupted()).isTrue();
    tracked.closed();
    assertThat(structure).isNotNull();
  }

  @Test
  void aSettingThatIsNotUnderstoodIsAnError() {
    System.setProperty(Tracked.PROPERTY, "always");
    assertThatThrownBy(() -> Tracked.of(new Object(), "test", () -> {}))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("-Dgyre.leaks=always")
        .hasMessageContaining("trace");
  }
}

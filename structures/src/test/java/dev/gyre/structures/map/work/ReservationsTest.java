package dev.gyre.structures.map.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.Others;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Capacity that is reserved in stripes: none is lost, or used twice. */
@Timeout(120)
class ReservationsTest {

  private final OperationLock lock = new OperationLock("map");
  private final Reservations reservations = new Reservations(lock);

  private void give(Entry entry, long keys) {
    assertThat(reservations.add(entry, 0, keys)).isTrue();
  }

  @Test
  void aNestedOperationFindsNothingReserved() {
    try (Entry first = lock.enterSingle()) {
      give(first, 5);
      try (Entry second = lock.enterSingle()) {
        assertThat(second.isStripe()).isFalse();
        assertThat(Reservations.ahead(second)).isZero();
        assertThat(reservations.add(second, 1, 1)).isFalse();
      }
      assertThat(Reservations.ahead(first)).isEqualTo(5);
      assertThat(reservations.add(first, 5, -5)).isTrue();
      assertThat(reservations.used()).isEqualTo(5);
      assertThat(reservations.ahead()).isZero();
      assertThat(Reservations.ahead(null)).isZero();
    }
  }

  @Test
  void whatIsReservedIsFetchedWhereNoThreadIs() {
    try (Entry entry = lock.enterSingle()) {
      give(entry, 5);
      assertThat(reservations.fetch()).as("of a thread that is inside").isZero();
      assertThat(reservations.ahead()).isEqualTo(5);
    }
    assertThat(reservations.fetch()).isEqualTo(5);
    assertThat(reservations.ahead()).isZero();
    lock.exclusively(() -> assertThat(reservations.fetch()).isZero());
  }

  /** Otherwise an operation that is long inside would keep what single keys have reserved there. */
  @Test
  void otherOperationsHaveOtherStripes() {
    try (Entry entry = lock.enterSingle()) {
      give(entry, 5);
    }
    try (Entry _ = lock.enterUpdate();
        Entry _ = lock.enterRead()) {
      assertThat(reservations.fetch()).isEqualTo(5);
    }
  }

  /** Threads that use what is reserved, beside one that fetches it and counts it. */
  @Test
  void nothingReservedIsLostOrUsedTwice() throws InterruptedException {
    AtomicLong given = new AtomicLong();
    AtomicLong used = new AtomicLong();
    AtomicBoolean done = new AtomicBoolean();
    int threads = 4 * Runtime.getRuntime().availableProcessors() + 3;
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      all.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < 60_000; i++) {
                      try (Entry entry = lock.enterSingle()) {
                        if (Reservations.ahead(entry) > 0) {
                          if (i % 7 != 0) {
                            give(entry, -1);
                            used.incrementAndGet();
                          }
                        } else if (entry.isStripe()) {
                          given.addAndGet(8);
                          give(entry, 8);
                        }
                      }
                    }
                  }));
    }
    CompletableFuture<Void> beside =
        Others.start(
            () -> {
              while (!done.get()) {
                used.addAndGet(reservations.fetch());
                assertThat(reservations.ahead()).isNotNegative();
              }
            });
    for (Thread thread : all) {
      thread.join();
    }
    done.set(true);
    beside.join();
    assertThat(given).hasPositiveValue();
    assertThat(used.get() + reservations.ahead()).isEqualTo(given.get());
  }
}

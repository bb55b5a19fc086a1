package dev.gyre.structures.map.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Slots;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Room that threads take ahead: all of it can be had, none twice. */
@Timeout(60)
class AheadTest {

  private static final long MANY = 1 << 20;

  private static FixedTable table(long capacity) {
    return new FixedTable(capacity, capacity + 1, 1) {
      @Override
      public Slots inKernels() {
        throw new UnsupportedOperationException();
      }

      @Override
      public List<Memory> memories() {
        return List.of();
      }
    };
  }

  private static void ended(Thread thread) {
    try {
      assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Takes room for one key on a thread of its own. */
  private static void takeElsewhere(FixedTable table) {
    AtomicBoolean taken = new AtomicBoolean();
    ended(Thread.ofPlatform().start(() -> taken.set(table.takeOne())));
    assertThat(taken).isTrue();
  }

  @Test
  void whatIsTakenAheadIsTakenFromWhatThereIs() {
    FixedTable table = table(MANY);
    Ahead ahead = table.share();
    takeElsewhere(table);
    assertThat(ahead.fetch()).isEqualTo(63);
  }

  @Test
  void whatIsTakenAheadIsNoKey() {
    FixedTable table = table(MANY);
    table.share();
    takeElsewhere(table);
    assertThat(table.taken()).isEqualTo(1);
    assertThat(table.take(MANY - 1)).isTrue();
    assertThat(table.takeOne()).isFalse();
  }

  @Test
  void whatOthersHaveAheadIsFetchedWhereThereIsNoMore() {
    FixedTable table = table(MANY);
    table.share();
    takeElsewhere(table);
    assertThat(table.take(MANY - 1)).isTrue();
    FixedTable other = table(MANY);
    other.share();
    takeElsewhere(other);
    assertThat(other.take(MANY - 64)).isTrue();
    for (int key = 0; key < 63; key++) {
      assertThat(other.takeOne()).isTrue();
    }
    assertThat(other.takeOne()).isFalse();
    assertThat(other.taken()).isEqualTo(MANY);
  }

  @Test
  void nothingIsAheadOnceAllKeysAreTakenOutOrCounted() {
    FixedTable table = table(MANY);
    Ahead ahead = table.share();
    takeElsewhere(table);
    table.cleared();
    assertThat(ahead.fetch()).isZero();
    assertThat(table.taken()).isZero();
    takeElsewhere(table);
    FixedTable fresh = table(2 * MANY);
    fresh.countAs(table);
    assertThat(fresh.taken()).isEqualTo(1);
  }

  @Test
  void whoCountsTakesNoRoomFromOthers() {
    FixedTable table = table(MANY);
    Ahead ahead = table.share();
    takeElsewhere(table);
    assertThat(table.taken()).isEqualTo(1);
    assertThat(ahead.fetch()).isEqualTo(63);
  }

  /** Each thread that takes is done with a key before that is counted. */
  @Test
  void whoCountsMissesNoKeyThatWasTakenBefore() {
    int capacity = 400_000;
    FixedTable table = table(capacity);
    table.share();
    AtomicLong taken = new AtomicLong();
    List<Thread> takers =
        IntStream.range(0, 2)
            .mapToObj(
                i ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              for (int key = 0; key < capacity / 4 && table.takeOne(); key++) {
                                if (i == 0 && key % 3 == 0) {
                                  // Present, as it turns out.
                                  table.giveBack(1);
                                } else {
                                  taken.incrementAndGet();
                                }
                              }
                            }))
            .toList();
    while (takers.stream().anyMatch(Thread::isAlive)) {
      long before = taken.get();
      assertThat(table.taken()).isBetween(before, (long) capacity);
    }
    takers.forEach(AheadTest::ended);
    assertThat(table.taken()).isEqualTo(taken.get());
  }

  /** Beside one who takes much at a time, gives it back, and asks how much is taken. */
  @Test
  void severalThreadsTakeAllThereIsAndNoMore() {
    int capacity = 200_000;
    FixedTable table = table(capacity);
    table.share();
    AtomicLong taken = new AtomicLong();
    AtomicLong most = new AtomicLong();
    AtomicBoolean done = new AtomicBoolean();
    Thread beside =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!done.get()) {
                    most.accumulateAndGet(table.taken(), Math::max);
                    if (table.take(100)) {
                      table.giveBack(100);
                    }
                  }
                });
    List<Thread> takers =
        IntStream.range(0, 3)
            .mapToObj(
                _ ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              while (taken.get() < capacity) {
                                if (table.takeOne()) {
                                  taken.incrementAndGet();
                                }
                              }
                            }))
            .toList();
    takers.forEach(AheadTest::ended);
    done.set(true);
    ended(beside);
    assertThat(taken).hasValue(capacity);
    assertThat(table.taken()).isEqualTo(capacity);
    assertThat(most.get()).isLessThanOrEqualTo(capacity);
    assertThat(table.takeOne()).isFalse();
  }
}

package dev.gyre.structures.map.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Slots;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.Others;
import dev.gyre.structures.map.work.Reservations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Room that threads take ahead: all of it can be had, none twice. */
@Timeout(120)
class ReservedCapacityTest {

  private static final long MANY = 1 << 20;

  private final OperationLock lock = new OperationLock("table");
  private final Reservations reservations = new Reservations(lock);

  private FixedTable table(long capacity) {
    FixedTable table = closedTable(capacity, true);
    table.openTo(reservations);
    return table;
  }

  private static FixedTable closedTable(long capacity, boolean isShared) {
    return new FixedTable(capacity, capacity + 1, 1, isShared) {
      @Override
      public int state(long place) {
        throw new UnsupportedOperationException();
      }

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

  /** Takes room for some keys as an update of single ones; returns for how many. */
  private long takeSome(FixedTable table, long keys) {
    Entry pass = lock.enterSingle();
    try {
      return table.takeSome(pass, keys);
    } finally {
      pass.close();
    }
  }

  /** Takes room for one key on a thread of its own. */
  private void takeElsewhere(FixedTable table) {
    AtomicLong taken = new AtomicLong();
    ended(Thread.ofPlatform().start(() -> taken.set(takeSome(table, 1))));
    assertThat(taken).hasValue(1);
  }

  private long ahead() {
    return reservations.ahead();
  }

  @Test
  void whatIsTakenAheadIsTakenFromWhatThereIs() {
    FixedTable table = table(MANY);
    takeElsewhere(table);
    assertThat(ahead()).isEqualTo(63);
    assertThat(table.takenAtMost()).isEqualTo(64);
  }

  @Test
  void whatIsTakenAheadIsNoKey() {
    FixedTable table = table(MANY);
    takeElsewhere(table);
    assertThat(table.taken()).isEqualTo(1);
    assertThat(table.take(MANY - 1)).isTrue();
    assertThat(takeSome(table, 1)).isZero();
  }

  @Test
  void whatOthersHaveAheadIsFetchedWhereThereIsNoMore() {
    FixedTable table = table(MANY);
    takeElsewhere(table);
    assertThat(table.take(MANY - 64)).isTrue();
    assertThat(table.takenAtMost()).isEqualTo(MANY);
    for (int key = 0; key < 63; key++) {
      assertThat(takeSome(table, 1)).isEqualTo(1);
    }
    assertThat(takeSome(table, 1)).isZero();
    assertThat(table.taken()).isEqualTo(MANY);
  }

  @Test
  void allThatIsLeftCanBeTaken() {
    FixedTable table = table(MANY);
    takeElsewhere(table);
    assertThat(table.rest()).isEqualTo(MANY - 1);
    assertThat(ahead()).isZero();
    assertThat(table.take(MANY - 1)).isTrue();
    assertThat(table.rest()).isZero();
  }

  @Test
  void nothingIsAheadOnceAllKeysAreTakenOutOrCounted() {
    FixedTable table = table(MANY);
    takeElsewhere(table);
    table.setTaken(0);
    assertThat(ahead()).isZero();
    assertThat(table.taken()).isZero();
    assertThat(table.take(MANY)).isTrue();
  }

  @Test
  void anotherTableHasTheKeysAndNoneOfTheRoom() {
    FixedTable table = table(MANY);
    takeElsewhere(table);
    FixedTable fresh = closedTable(2 * MANY, true);
    fresh.countAs(table);
    assertThat(fresh.taken()).isEqualTo(1);
    table.gatherAhead();
    fresh.openTo(reservations);
    assertThat(fresh.taken()).isEqualTo(1);
    takeElsewhere(fresh);
    assertThat(fresh.taken()).isEqualTo(2);
    assertThat(fresh.take(2 * MANY - 2)).isTrue();
  }

  /** Else what was ahead in the one would be lost to the table, or in the other's way. */
  @Test
  void aTableThatComesToOtherReservationsBringsItsRoom() {
    FixedTable table = table(MANY);
    takeElsewhere(table);
    table.openTo(new Reservations(new OperationLock("other")));
    assertThat(ahead()).isZero();
    assertThat(table.taken()).isEqualTo(1);
    assertThat(table.take(MANY - 1)).isTrue();
  }

  @Test
  void whoCountsTakesNoRoomFromOthers() {
    FixedTable table = table(MANY);
    takeElsewhere(table);
    assertThat(table.taken()).isEqualTo(1);
    assertThat(ahead()).isEqualTo(63);
  }

  /** Else room would be counted as keys, or keys as room. */
  @Test
  void whoCountsSaysNothingWhileRoomIsMoved() {
    List<Long> counted = new ArrayList<>();
    FixedTable table = closedTable(MANY, true);
    Reservations asking =
        new Reservations(lock) {
          @Override
          public void put(Entry pass, long keys) {
            counted.add(table.takenNow());
            super.put(pass, keys);
            counted.add(table.takenNow());
          }

          @Override
          public long fetch() {
            counted.add(table.takenNow());
            long fetched = super.fetch();
            counted.add(table.takenNow());
            return fetched;
          }
        };
    table.openTo(asking);
    Entry pass = lock.enterSingle();
    assertThat(table.takeSome(pass, 1)).isEqualTo(1);
    pass.close();
    assertThat(table.takenNow()).isEqualTo(1);
    assertThat(table.take(MANY - 1)).isTrue();
    assertThat(table.takenNow()).isEqualTo(MANY);
    // Before it is said that room is expected, then; before that is put, then; and as it is
    // fetched.
    assertThat(counted).containsExactly(0L, -1L, -1L, 1L, -1L, -1L);
  }

  /** Between the look at what is taken and that at what is ahead. */
  @Test
  void whoCountsLooksAgainWhereRoomWasTakenAheadMeanwhile() {
    FixedTable table = closedTable(MANY, true);
    AtomicBoolean once = new AtomicBoolean();
    Reservations late =
        new Reservations(lock) {
          @Override
          public long ahead() {
            if (once.getAndSet(false)) {
              Entry pass = lock.enterSingle();
              assertThat(table.takeSome(pass, 1)).isEqualTo(1);
              pass.close();
            }
            return super.ahead();
          }
        };
    table.openTo(late);
    once.set(true);
    assertThat(table.takenNow()).isEqualTo(-1);
    once.set(true);
    assertThat(table.taken()).isEqualTo(2);
    assertThat(late.ahead()).isEqualTo(62);
  }

  @Test
  void whoExpectsRoomThatAnotherTakesHasNone() {
    FixedTable table = closedTable(MANY, true);
    Reservations slow =
        new Reservations(lock) {
          @Override
          public void expect(Entry pass) {
            super.expect(pass);
            assertThat(table.take(MANY)).isTrue();
          }
        };
    table.openTo(slow);
    Entry pass = lock.enterSingle();
    assertThat(table.takeSome(pass, 1)).isZero();
    pass.close();
    assertThat(slow.ahead()).isZero();
    assertThat(table.taken()).isEqualTo(MANY);
  }

  /** As where a thread has no stack left; who is alone would look for that room for ever. */
  @Test
  void roomThatAnErrorKeptFromComingIsNotWaitedFor() {
    FixedTable table = closedTable(MANY, true);
    AtomicBoolean fails = new AtomicBoolean(true);
    Reservations failing =
        new Reservations(lock) {
          @Override
          public void expect(Entry pass) {
            super.expect(pass);
            if (fails.getAndSet(false)) {
              throw new StackOverflowError();
            }
          }
        };
    table.openTo(failing);
    Entry pass = lock.enterSingle();
    assertThatThrownBy(() -> table.takeSome(pass, 1)).isInstanceOf(StackOverflowError.class);
    pass.close();
    AtomicLong rest = new AtomicLong();
    ended(Thread.ofPlatform().daemon().start(() -> rest.set(table.rest())));
    assertThat(rest).hasValue(MANY);
    assertThat(table.takenNow()).isZero();
  }

  /** An update that waits in line keeps the stripe in which it announced itself. */
  @Test
  void anOperationThatIsAloneTakesWhatAWaitingUpdateReserved() throws InterruptedException {
    FixedTable table = table(MANY);
    CountDownLatch reserved = new CountDownLatch(1);
    CountDownLatch barred = new CountDownLatch(1);
    Thread update =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  Entry first = lock.enterSingle();
                  assertThat(table.takeSome(first, 1)).isEqualTo(1);
                  first.close();
                  reserved.countDown();
                  Others.await(() -> barred.getCount() == 0);
                  lock.enterSingle().close();
                });
    reserved.await();
    AtomicLong rest = new AtomicLong();
    try (Entry _ = lock.enterExclusive()) {
      barred.countDown();
      Others.await(() -> Others.waits(update));
      ended(Thread.ofPlatform().daemon().start(() -> rest.set(table.rest())));
    }
    ended(update);
    assertThat(rest).hasValue(MANY - 1);
  }

  /** As a function of a user's may, which is called in the middle of an update. */
  @Test
  void whoComesInAgainUsesNothingOfItsOwnRoom() {
    FixedTable table = table(MANY);
    Entry pass = lock.enterSingle();
    assertThat(table.takeSome(pass, 1)).isEqualTo(1);
    long ahead = ahead();
    Entry again = lock.enterSingle();
    assertThat(table.takeSome(again, 3)).isEqualTo(3);
    table.giveBackSome(again, 1);
    assertThat(ahead()).isEqualTo(ahead);
    assertThat(table.taken()).isEqualTo(3);
    again.close();
    table.giveBackSome(pass, 1);
    pass.close();
    assertThat(ahead()).isEqualTo(ahead + 1);
    assertThat(table.taken()).isEqualTo(2);
  }

  @Test
  void whatSomeKeysDoNotNeedIsAheadOfTheNext() {
    FixedTable table = table(MANY);
    Entry pass = lock.enterSingle();
    assertThat(table.takeSome(pass, 100)).isEqualTo(64);
    table.giveBackSome(pass, 14);
    assertThat(table.takeSome(pass, 100)).isEqualTo(14);
    assertThat(table.taken()).isEqualTo(64);
    assertThat(table.takeSome(pass, 4)).isEqualTo(4);
    pass.close();
    assertThat(ahead()).isEqualTo(60);
  }

  @Test
  void littleRoomIsNotTakenAhead() {
    FixedTable table = table(3);
    assertThat(takeSome(table, 1)).isEqualTo(1);
    assertThat(ahead()).isZero();
    assertThat(takeSome(table, 9)).isEqualTo(1);
    assertThat(takeSome(table, 9)).isEqualTo(1);
    assertThat(takeSome(table, 9)).isZero();
  }

  /** Of whose number of keys readers ask. */
  @Test
  void someTablesHaveNoneAheadForOneThread() {
    FixedTable table = closedTable(MANY, false);
    table.openTo(reservations);
    assertThat(takeSome(table, 1)).isEqualTo(1);
    Entry pass = lock.enterSingle();
    assertThat(table.takeSome(pass, 1)).isEqualTo(1);
    table.giveBackSome(pass, 1);
    pass.close();
    assertThat(table.takenAtMost()).isEqualTo(1);
  }

  /** Each thread that takes is done with a key before that is counted. */
  @Test
  void whoCountsMissesNoKeyThatWasTakenBefore() {
    int capacity = 400_000;
    FixedTable table = table(capacity);
    AtomicLong begun = new AtomicLong();
    AtomicLong taken = new AtomicLong();
    List<Thread> takers =
        IntStream.range(0, 2)
            .mapToObj(i -> Thread.ofPlatform().start(() -> takeAndGiveBack(table, i, begun, taken)))
            .toList();
    long exact = 0;
    while (takers.stream().anyMatch(Thread::isAlive)) {
      long before = taken.get();
      long counted = table.takenNow();
      long after = begun.get();
      if (counted >= 0) {
        exact++;
        // One may have been given back meanwhile.
        assertThat(counted).isBetween(before, after + 1);
      }
      long known = taken.get();
      assertThat(table.taken()).isBetween(known, (long) capacity);
    }
    assertThat(exact).isPositive();
    takers.forEach(ReservedCapacityTest::ended);
    assertThat(table.taken()).isEqualTo(taken.get());
  }

  private void takeAndGiveBack(FixedTable table, int i, AtomicLong begun, AtomicLong taken) {
    for (int key = 0; key < table.capacity / 4; key++) {
      begun.incrementAndGet();
      Entry pass = lock.enterSingle();
      boolean done = table.takeSome(pass, 1) == 1;
      if (done && i == 0 && key % 3 == 0) {
        // Present, as it turns out.
        table.giveBackSome(pass, 1);
        begun.decrementAndGet();
      } else {
        taken.addAndGet(done ? 1 : 0);
      }
      pass.close();
    }
  }

  /** Beside one who takes much at a time, gives it back, and asks how much is taken. */
  @Test
  void severalThreadsTakeAllThereIsAndNoMore() {
    int capacity = 200_000;
    FixedTable table = table(capacity);
    AtomicLong taken = new AtomicLong();
    AtomicLong most = new AtomicLong();
    AtomicBoolean done = new AtomicBoolean();
    Thread beside =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!done.get()) {
                    most.accumulateAndGet(table.taken(), Math::max);
                    try (Entry _ = lock.enterUpdate()) {
                      if (table.take(100)) {
                        table.giveBack(100);
                      }
                    }
                  }
                });
    // More than stripes, so that some meet in one.
    int threads = 4 * Runtime.getRuntime().availableProcessors() + 1;
    List<Thread> takers =
        IntStream.range(0, threads)
            .mapToObj(
                i ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              while (taken.get() < capacity) {
                                taken.addAndGet(takeSome(table, 1 + i % 3));
                              }
                            }))
            .toList();
    takers.forEach(ReservedCapacityTest::ended);
    done.set(true);
    ended(beside);
    assertThat(taken).hasValue(capacity);
    assertThat(table.taken()).isEqualTo(capacity);
    assertThat(most.get()).isLessThanOrEqualTo(capacity);
    assertThat(takeSome(table, 1)).isZero();
  }

  /** Threads that come and are turned away, while one who is alone wants all room. */
  @Test
  void whoIsAloneHasAllRoomWhoeverIsTurnedAway() {
    FixedTable table = table(MANY);
    AtomicBoolean done = new AtomicBoolean();
    List<Thread> takers =
        IntStream.range(0, 3)
            .mapToObj(
                _ ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              while (!done.get()) {
                                takeSome(table, 1);
                              }
                            }))
            .toList();
    for (int i = 0; i < 2_000; i++) {
      lock.exclusively(
          () -> {
            long keys = table.taken();
            assertThat(table.rest()).isEqualTo(table.capacity - keys);
            assertThat(ahead()).isZero();
            assertThat(table.takenAtMost()).isEqualTo(keys);
            table.setTaken(0);
          });
    }
    done.set(true);
    takers.forEach(ReservedCapacityTest::ended);
  }
}

package dev.gyre.structures.map.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Slots;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.Others;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.work.Reservations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Capacity that threads take or reserve: all of it can be had, none twice. */
@Timeout(120)
class TableCapacityTest {

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

  /** Takes capacity for all keys or, if there is less, for one; returns for how many. */
  private long takeSome(FixedTable table, long keys) {
    Entry pass = lock.enterSingle();
    try {
      boolean all = keys > 1 && table.takeAll(pass, keys);
      long taken = all ? keys : table.takeOne(pass) ? 1 : 0;
      table.insertedSome(pass, taken, taken);
      return taken;
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
    assertThat(table.taken()).isEqualTo(64);
  }

  @Test
  void whatIsTakenAheadIsNoKey() {
    FixedTable table = table(MANY);
    takeElsewhere(table);
    assertThat(table.size()).isEqualTo(1);
    assertThat(table.take(MANY - 1)).isTrue();
    assertThat(takeSome(table, 1)).isZero();
  }

  @Test
  void whatOthersHaveAheadIsFetchedWhereThereIsNoMore() {
    FixedTable table = table(MANY);
    takeElsewhere(table);
    assertThat(table.take(MANY - 64)).isTrue();
    table.inserted(MANY - 64, MANY - 64);
    assertThat(table.taken()).isEqualTo(MANY);
    for (int key = 0; key < 63; key++) {
      assertThat(takeSome(table, 1)).isEqualTo(1);
    }
    assertThat(takeSome(table, 1)).isZero();
    assertThat(table.size()).isEqualTo(MANY);
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
    table.setSize(0, 0);
    assertThat(ahead()).isZero();
    assertThat(table.size()).isZero();
    assertThat(table.take(MANY)).isTrue();
  }

  @Test
  void anotherTableHasTheKeysAndNoneOfTheRoom() {
    FixedTable table = table(MANY);
    takeElsewhere(table);
    FixedTable fresh = closedTable(2 * MANY, true);
    fresh.countAs(table);
    assertThat(fresh.size()).isEqualTo(1);
    table.gatherAhead();
    fresh.openTo(reservations);
    assertThat(fresh.size()).isEqualTo(1);
    takeElsewhere(fresh);
    assertThat(fresh.size()).isEqualTo(2);
    assertThat(fresh.take(2 * MANY - 2)).isTrue();
  }

  /** Else what was ahead in the one would be lost to the table, or in the other's way. */
  @Test
  void aTableThatComesToOtherReservationsBringsItsRoom() {
    FixedTable table = table(MANY);
    takeElsewhere(table);
    table.openTo(new Reservations(new OperationLock("other")));
    assertThat(ahead()).isZero();
    assertThat(table.size()).isEqualTo(1);
    assertThat(table.take(MANY - 1)).isTrue();
  }

  @Test
  void whoCountsTakesNoRoomFromOthers() {
    FixedTable table = table(MANY);
    takeElsewhere(table);
    assertThat(table.size()).isEqualTo(1);
    assertThat(ahead()).isEqualTo(63);
  }

  /** However often the others reserve capacity while a thread counts. */
  @Test
  void whatIsReservedWhileAThreadCountsIsNoKey() {
    FixedTable table = closedTable(MANY, true);
    AtomicBoolean moves = new AtomicBoolean();
    Reservations moving =
        new Reservations(lock) {
          @Override
          public long used() {
            if (moves.get()) {
              long _ = fetch();
              takeElsewhere(table);
            }
            return super.used();
          }
        };
    table.openTo(moving);
    moves.set(true);
    for (int keys = 1; keys <= 100; keys++) {
      assertThat(table.size()).isEqualTo(keys);
      assertThat(moving.ahead()).isPositive();
    }
  }

  @Test
  void capacityThatManyKeysTakeIsNoKeyUntilTheyAreInserted() {
    FixedTable table = table(MANY);
    assertThat(table.take(1_000)).isTrue();
    assertThat(table.size()).isZero();
    table.inserted(300, 1_000);
    assertThat(table.size()).isEqualTo(300);
    assertThat(table.rest()).isEqualTo(MANY - 300);
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
                  assertThat(table.takeOne(first)).isTrue();
                  table.insertedSome(first, 1, 1);
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
    assertThat(table.takeOne(pass)).isTrue();
    long ahead = ahead();
    Entry again = lock.enterSingle();
    assertThat(table.takeAll(again, 3)).isTrue();
    table.insertedSome(again, 2, 3);
    assertThat(ahead()).isEqualTo(ahead);
    assertThat(table.size()).isEqualTo(2);
    again.close();
    table.insertedSome(pass, 1, 1);
    pass.close();
    assertThat(ahead()).isEqualTo(ahead - 1);
    assertThat(table.size()).isEqualTo(3);
  }

  @Test
  void whatSomeKeysDoNotNeedIsAheadOfTheNext() {
    FixedTable table = table(MANY);
    Entry pass = lock.enterSingle();
    assertThat(table.takeAll(pass, 100)).isTrue();
    table.insertedSome(pass, 86, 100);
    assertThat(ahead()).isEqualTo(14);
    assertThat(table.takeAll(pass, 14)).isTrue();
    table.insertedSome(pass, 14, 14);
    assertThat(table.size()).isEqualTo(100);
    assertThat(ahead()).isZero();
    assertThat(table.takeOne(pass)).isTrue();
    table.insertedSome(pass, 1, 1);
    pass.close();
    assertThat(ahead()).isEqualTo(63);
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
    assertThat(table.takeOne(pass)).isTrue();
    table.insertedSome(pass, 0, 1);
    pass.close();
    assertThat(table.taken()).isEqualTo(1);
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
    long last = 0;
    while (takers.stream().anyMatch(Thread::isAlive)) {
      long before = taken.get();
      long counted = table.size();
      assertThat(counted).isBetween(Math.max(before, last), begun.get());
      last = counted;
    }
    takers.forEach(TableCapacityTest::ended);
    assertThat(table.size()).isEqualTo(taken.get());
  }

  private void takeAndGiveBack(FixedTable table, int i, AtomicLong begun, AtomicLong taken) {
    for (int key = 0; key < table.capacity / 4; key++) {
      Entry pass = lock.enterSingle();
      assertThat(table.takeOne(pass)).isTrue();
      // Others turn out to be present.
      boolean isNew = i != 0 || key % 3 != 0;
      begun.addAndGet(isNew ? 1 : 0);
      table.insertedSome(pass, isNew ? 1 : 0, 1);
      taken.addAndGet(isNew ? 1 : 0);
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
                    most.accumulateAndGet(table.size(), Math::max);
                    try (Entry _ = lock.enterUpdate()) {
                      if (table.take(100)) {
                        table.inserted(0, 100);
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
    takers.forEach(TableCapacityTest::ended);
    done.set(true);
    ended(beside);
    assertThat(taken).hasValue(capacity);
    assertThat(table.size()).isEqualTo(capacity);
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
            long keys = table.size();
            assertThat(table.rest()).isEqualTo(table.capacity - keys);
            assertThat(ahead()).isZero();
            assertThat(table.taken()).isEqualTo(keys);
            table.setSize(0, 0);
          });
    }
    done.set(true);
    takers.forEach(TableCapacityTest::ended);
  }

  @Test
  void moreKeysThanCapacityWasTakenForAreAnError() {
    try (LongTable table =
        LongTable.allocate(
            SlotFormat.of(SavedMap.Kind.LONGS, Layout.REFERENCE, null, false), 100, 0.5, 1)) {
      assertThat(table.take(10)).isTrue();
      table.inserted(7, 10, true);
      assertThat(table.size()).isEqualTo(7);
      assertThat(table.taken()).isEqualTo(7);
      assertThat(table.take(3)).isTrue();
      assertThatThrownBy(() -> table.inserted(5, 3, true))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("2 keys");
      // They are counted all the same.
      assertThat(table.size()).isEqualTo(12);
      assertThat(table.taken()).isEqualTo(12);
    }
  }
}

package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.ClosedException;
import dev.gyre.structures.OperationLock.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads that enter and leave at random. Each checks who is inside beside it; that they all end
 * shows that no wake-up is lost, since the first in line never looks again by itself here.
 */
@Timeout(240)
@Tag("race")
class OperationLockStressTest {

  /** What is entered and left, and may be broken. */
  private interface Lock {
    Releasable single();

    Releasable exclusive();
  }

  private static final class Ours implements Lock {
    private final OperationLock lock = new OperationLock("map", Long.MAX_VALUE);

    @Override
    public Releasable single() {
      return lock.enterSingle();
    }

    @Override
    public Releasable exclusive() {
      return lock.enterExclusive();
    }
  }

  /** The broken variant: a single key looks whether it may enter, and announces itself then. */
  private static final class LooksFirst implements Lock {
    private final AtomicBoolean barred = new AtomicBoolean();
    private final AtomicInteger inside = new AtomicInteger();

    @Override
    public Releasable single() {
      while (barred.get()) {
        Thread.onSpinWait();
      }
      // The exclusive operation may begin here: otherwise it rarely does on two busy cores.
      LockSupport.parkNanos(1);
      inside.incrementAndGet();
      return inside::decrementAndGet;
    }

    @Override
    public Releasable exclusive() {
      while (!barred.compareAndSet(false, true)) {
        Thread.onSpinWait();
      }
      while (inside.get() != 0) {
        Thread.onSpinWait();
      }
      return () -> barred.set(false);
    }
  }

  /** Adds to two plain fields from single keys; an exclusive operation must see them equal. */
  private static final class Both {
    private final AtomicLong first = new AtomicLong();
    private final AtomicLong second = new AtomicLong();
    private final AtomicLong unequal = new AtomicLong();

    void add() {
      first.incrementAndGet();
      second.incrementAndGet();
    }

    void compare() {
      if (first.get() != second.get()) {
        unequal.incrementAndGet();
      }
    }
  }

  /** How often an exclusive operation has seen a single key in its middle. */
  private static long unequal(Lock lock, int rounds) throws InterruptedException {
    Both both = new Both();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      boolean exclusive = i == 0;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int round = 0; round < rounds && both.unequal.get() == 0; round++) {
                      if (exclusive) {
                        try (Releasable _ = lock.exclusive()) {
                          both.compare();
                        }
                      } else {
                        try (Releasable _ = lock.single()) {
                          both.add();
                        }
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return both.unequal.get();
  }

  @Test
  void noSingleKeyIsInsideBesideAnExclusiveOperation() throws InterruptedException {
    assertThat(unequal(new Ours(), 100_000)).isZero();
  }

  @Test
  void aSingleKeyThatLooksBeforeItAnnouncesItselfIsSeen() throws InterruptedException {
    assertThat(unequal(new LooksFirst(), 100_000_000)).isPositive();
  }

  /** How many operations are inside, by mode. */
  private static final class Inside {
    private final AtomicInteger updates = new AtomicInteger();
    private final AtomicInteger exclusiveUpdates = new AtomicInteger();
    private final AtomicInteger quiescent = new AtomicInteger();
    private final AtomicInteger concurrent = new AtomicInteger();
    private final AtomicInteger alone = new AtomicInteger();
    private final AtomicInteger wrong = new AtomicInteger();

    private int all() {
      return updates.get()
          + exclusiveUpdates.get()
          + quiescent.get()
          + concurrent.get()
          + alone.get();
    }

    @SuppressWarnings("ReferenceEquality") // that counter, not an equal one
    void visit(AtomicInteger own) {
      own.incrementAndGet();
      boolean allowed =
          own == alone
              ? all() == 1
              : alone.get() == 0
                  && (own != updates || exclusiveUpdates.get() + quiescent.get() == 0)
                  && (own != exclusiveUpdates
                      || exclusiveUpdates.get() + quiescent.get() + updates.get() == 1)
                  && (own != quiescent || exclusiveUpdates.get() + updates.get() == 0);
      if (!allowed) {
        wrong.incrementAndGet();
      }
      own.decrementAndGet();
    }
  }

  private static void run(OperationLock lock, Inside inside, long seed, int rounds) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < rounds; i++) {
      int kind = random.nextInt(32);
      Entry entry =
          switch (kind) {
            case 0 -> lock.enterExclusive();
            case 1 -> lock.enterExclusiveUpdate();
            case 2 -> lock.enterQuiescentRead();
            case 3, 4, 5 -> lock.enterUpdate();
            case 6, 7 -> lock.enterRead();
            case 8, 9, 10, 11 -> lock.tryEnterExclusiveUpdate();
            default -> lock.enterSingle();
          };
      if (entry != null) {
        try (entry) {
          inside.visit(
              switch (kind) {
                case 0 -> inside.alone;
                case 1, 8, 9, 10, 11 -> inside.exclusiveUpdates;
                case 2 -> inside.quiescent;
                case 6, 7 -> entry.isQuiescent() ? inside.quiescent : inside.concurrent;
                default -> inside.updates;
              });
        }
      }
    }
  }

  private static void allModes(boolean virtual, int count, int rounds) throws InterruptedException {
    OperationLock lock = new OperationLock("map", Long.MAX_VALUE);
    Inside inside = new Inside();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int seed = i;
      Runnable task = () -> run(lock, inside, seed, rounds);
      threads.add(virtual ? Thread.ofVirtual().start(task) : Thread.ofPlatform().start(task));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(inside.wrong).hasValue(0);
    assertThat(inside.all()).isZero();
    // All have left, and nothing stays announced.
    Objects.requireNonNull(lock.tryEnterExclusiveUpdate()).close();
  }

  @Test
  void fewThreadsOfAllModesMeetOnlyAsTheyMay() throws InterruptedException {
    allModes(false, 4, 20_000);
  }

  @Test
  void manyPlatformThreadsOfAllModesMeetOnlyAsTheyMay() throws InterruptedException {
    allModes(false, 200, 200);
  }

  @Test
  void manyVirtualThreadsOfAllModesMeetOnlyAsTheyMay() throws InterruptedException {
    allModes(true, 2_000, 50);
  }

  private static void readUntilClosed(OperationLock lock, AtomicInteger late) {
    boolean open = true;
    while (open) {
      try (Entry _ = lock.enterQuiescentRead()) {
        late.addAndGet(lock.isClosed() ? 1 : 0);
      } catch (ClosedException e) {
        open = false;
      }
    }
  }

  /** A closed structure has no memory for an operation. */
  @Test
  void noThreadEntersAClosedLock() throws InterruptedException {
    AtomicInteger late = new AtomicInteger();
    AtomicReference<OperationLock> last = new AtomicReference<>(new OperationLock("map"));
    AtomicBoolean ended = new AtomicBoolean();
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      readers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!ended.get()) {
                      readUntilClosed(last.get(), late);
                    }
                  }));
    }
    for (int round = 0; round < 100_000; round++) {
      OperationLock lock = last.get();
      last.set(new OperationLock("map"));
      lock.exclusively(lock::close);
    }
    ended.set(true);
    last.get().exclusively(last.get()::close);
    for (Thread reader : readers) {
      reader.join();
    }
    assertThat(late).hasValue(0);
  }
}

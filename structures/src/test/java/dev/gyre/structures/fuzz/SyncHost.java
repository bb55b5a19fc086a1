package dev.gyre.structures.fuzz;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.structures.Checks;
import dev.gyre.structures.sync.Barrier;
import dev.gyre.structures.sync.FairSemaphore;
import dev.gyre.structures.sync.Latch;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** What threads of the JVM hold. */
final class SyncHost implements SyncAdapter<Barrier.Arrival> {

  private static final Duration SHORTLY = Duration.of(1, ChronoUnit.MICROS);
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int WAYS = 3;

  private Latch latch = Latch.of(0);
  private Barrier barrier = Barrier.of(1);
  private FairSemaphore semaphore = FairSemaphore.of(0);

  @Override
  public void newLatch(int count) {
    latch.close();
    refuses(ClosedException.class, latch::isOpen);
    latch = Latch.of(count);
  }

  @Override
  public void countDown(int n) {
    if (n == 1) {
      latch.countDown();
    } else {
      latch.countDown(n);
    }
  }

  @Override
  public boolean isOpen() {
    boolean open = latch.isOpen();
    Checks.same("open at 0", latch.count() == 0, open);
    return open;
  }

  @Override
  public boolean awaitOpen(boolean shortly) {
    return latch.await(shortly ? SHORTLY : LONG);
  }

  @Override
  public void countDownAndWait(int n) {
    if (n == 1) {
      latch.arriveAndWait();
    } else {
      latch.arriveAndWait(n);
    }
    latch.await();
  }

  @Override
  public void newBarrier(int expected) {
    barrier.close();
    refuses(ClosedException.class, barrier::arrive);
    barrier = Barrier.of(expected);
  }

  @Override
  public Barrier.Arrival arrive(int arrivals) {
    return arrivals == 1 ? barrier.arrive() : barrier.arrive(arrivals);
  }

  @Override
  public Barrier.Arrival arriveAndDrop() {
    return barrier.arriveAndDrop();
  }

  @Override
  public boolean isLast(Barrier.Arrival arrival) {
    return arrival.isLast();
  }

  @Override
  public void complete(Barrier.Arrival last) {
    refuses(IllegalStateException.class, barrier::arrive);
    refuses(IllegalStateException.class, barrier::arriveAndDrop);
    barrier.complete(last);
    refuses(IllegalArgumentException.class, () -> barrier.complete(last));
  }

  @Override
  public boolean hasEnded(Barrier.Arrival arrival) {
    boolean ended = barrier.hasEnded(arrival);
    if (ended) {
      barrier.await(arrival);
    }
    return ended;
  }

  @Override
  public boolean awaitEnd(Barrier.Arrival arrival, boolean shortly) {
    return barrier.await(arrival, shortly ? SHORTLY : LONG);
  }

  @Override
  public void arriveAndWait() {
    boolean _ = barrier.arriveAndWait();
  }

  @Override
  public void newSemaphore(int permits) {
    semaphore.close();
    refuses(ClosedException.class, semaphore::tryAcquire);
    semaphore = permits == 1 ? FairSemaphore.binary() : FairSemaphore.of(permits);
  }

  @Override
  public boolean tryAcquire() {
    int free = semaphore.availablePermits();
    boolean taken =
        (free & 1) == 0 ? semaphore.tryAcquire() : semaphore.tryAcquire(Duration.ofNanos(1));
    return taken;
  }

  @Override
  public void acquire(long way) {
    switch ((int) Math.floorMod(way, (long) WAYS)) {
      case 0 -> semaphore.acquire();
      case 1 -> semaphore.acquireUninterruptibly();
      default -> {
        boolean taken = semaphore.tryAcquire(LONG);
        Checks.same("a permit in time", true, taken);
      }
    }
  }

  @Override
  public void release(int n) {
    if (n == 1) {
      semaphore.release();
    } else {
      semaphore.release(n);
    }
  }

  @Override
  public void refused(int left, int permits) {
    Checks.same("count", left, latch.count());
    refuses(IllegalArgumentException.class, () -> latch.countDown(left + 1));
    refuses(IllegalArgumentException.class, () -> latch.countDown(0));
    Checks.same("count", left, latch.count());
    Checks.same("permits", permits, semaphore.availablePermits());
    refuses(IllegalArgumentException.class, () -> semaphore.release(0));
    if (permits > 0) {
      refuses(
          IllegalArgumentException.class, () -> semaphore.release(Integer.MAX_VALUE - permits + 1));
    }
    Checks.same("permits", permits, semaphore.availablePermits());
    try (Barrier other = Barrier.of(2)) {
      Barrier.Arrival there = other.arrive();
      refuses(IllegalArgumentException.class, () -> barrier.hasEnded(there));
      refuses(IllegalArgumentException.class, () -> barrier.complete(there));
    }
    refuses(IllegalArgumentException.class, () -> Latch.of(-1));
    refuses(IllegalArgumentException.class, () -> Barrier.of(0));
    refuses(IllegalArgumentException.class, () -> FairSemaphore.of(-1));
  }

  @Override
  public void interrupted() {
    Thread caller = Thread.currentThread();
    try (Latch never = Latch.of(1);
        Barrier two = Barrier.of(2);
        FairSemaphore none = FairSemaphore.of(0)) {
      Barrier.Arrival arrival = two.arrive();
      caller.interrupt();
      refuses(GyreException.class, never::await);
      caller.interrupt();
      refuses(GyreException.class, () -> never.await(LONG));
      caller.interrupt();
      refuses(GyreException.class, () -> two.await(arrival));
      caller.interrupt();
      refuses(GyreException.class, () -> none.tryAcquire(LONG));
      caller.interrupt();
      refuses(GyreException.class, none::acquire);
      Checks.same("permits where there are none", 0, none.availablePermits());
    } finally {
      boolean _ = Thread.interrupted();
    }
  }

  private static void refuses(Class<? extends Exception> how, Runnable what) {
    try {
      what.run();
    } catch (RuntimeException e) {
      Checks.same("refused: " + e, how, e.getClass());
      return;
    } finally {
      boolean _ = Thread.interrupted();
    }
    throw new AssertionError("not refused: " + how);
  }

  @Override
  public void close() {
    latch.close();
    barrier.close();
    semaphore.close();
  }
}

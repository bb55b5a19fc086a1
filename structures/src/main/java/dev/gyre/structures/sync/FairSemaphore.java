package dev.gyre.structures.sync;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import dev.gyre.kernels.sync.SyncLayout;
import dev.gyre.kernels.sync.SystemSemaphore;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import java.time.Duration;

/**
 * A counting semaphore, as {@code std::counting_semaphore}, with fair entry: threads enter in the
 * order in which they asked, so none starves. With one permit it is a binary semaphore.
 *
 * <p>Kernels take {@link #memory} as a handle and call {@code BlockSemaphore}, {@code
 * DeviceSemaphore} or {@code SystemSemaphore}.
 */
public final class FairSemaphore implements AutoCloseable {

  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  private final Memory memory = Memory.ofInts(SyncLayout.WORDS);
  private final SystemInts words = SystemInts.of(memory);

  private FairSemaphore() {}

  /**
   * A semaphore with so many permits.
   *
   * @throws IllegalArgumentException if {@code permits} is negative
   */
  public static FairSemaphore of(int permits) {
    if (permits < 0) {
      throw new IllegalArgumentException("permits must not be negative: " + permits);
    }
    FairSemaphore semaphore = new FairSemaphore();
    SystemSemaphore.init(semaphore.words, 0, permits);
    return semaphore;
  }

  /** A semaphore with one permit. */
  public static FairSemaphore binary() {
    return of(1);
  }

  /** The words of the semaphore, for a kernel. */
  @Progress(value = ProgressClass.WAIT_FREE, because = "reads a field")
  public Memory memory() {
    return memory;
  }

  /**
   * Acquires a permit, waiting for it behind those that asked before.
   *
   * @throws GyreException if the thread is interrupted; the permit it would have had is then lost,
   *     and all that can be done with this semaphore is to close it
   */
  @Progress(
      value = ProgressClass.STARVATION_FREE,
      because = "waits for permits, in the order of tickets")
  public void acquire() {
    Patience.require("a semaphore", () -> SystemSemaphore.acquire(words, 0, Patience.FOR_EVER));
  }

  /** Acquires a permit if one is free and nobody else takes it at this moment. */
  @Progress(value = ProgressClass.WAIT_FREE, because = "is two loads and one compare-and-set")
  public boolean tryAcquire() {
    return SystemSemaphore.tryAcquire(words, 0) == 1;
  }

  /**
   * Acquires a permit within some time. Does not queue: it gets one only at a moment at which
   * nobody else waits.
   *
   * @return whether it has one
   * @throws GyreException if the thread is interrupted, without a permit
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = "ends when the time is over")
  public boolean tryAcquire(Duration patience) {
    // Past half of all nanoseconds the end would count as over; that is 146 years.
    boolean tooLong = patience.compareTo(LONGEST) > 0;
    long end = System.nanoTime() + (tooLong ? LONGEST : patience).toNanos();
    long polls = 0;
    boolean taken = tryAcquire();
    while (!taken && System.nanoTime() - end < 0) {
      polls = words.pause(SyncLayout.SERVING, polls);
      if (polls == Patience.FOR_EVER) {
        throw new GyreException("interrupted while waiting for a semaphore");
      }
      taken = tryAcquire();
    }
    return taken;
  }

  /**
   * Gives permits back.
   *
   * @throws IllegalArgumentException if {@code n} is not positive
   */
  @Progress(
      value = ProgressClass.WAIT_FREE,
      because = "is one fetch-and-add; a waker may take a lock for a moment")
  public void release(int n) {
    if (n < 1) {
      throw new IllegalArgumentException("permits to release must be positive, not " + n);
    }
    SystemSemaphore.release(words, 0, n);
  }

  /** Frees the memory; nobody may be waiting. */
  @Override
  @Progress(value = ProgressClass.WAIT_FREE, because = "frees memory")
  public void close() {
    memory.close();
  }
}

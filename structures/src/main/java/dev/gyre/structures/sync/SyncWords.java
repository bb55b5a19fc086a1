package dev.gyre.structures.sync;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import dev.gyre.kernels.sync.SyncLayout;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Base of latch, barrier and semaphore: a few words of memory that threads and kernels share. */
abstract class SyncWords implements AutoCloseable {

  static final String TIMED = "ends when the time is over, but takes a lock before it sleeps";

  private static final String ENDS = "waits until devices have finished with the memory";

  static final long FOR_EVER = Long.MAX_VALUE;

  /**
   * Longest time limit, 146 years: a deadline beyond half the range of nanoseconds would count as
   * past.
   */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  private final String name;
  private final Memory memory = Memory.ofInts(SyncLayout.WORDS);
  final SystemInts words = SystemInts.of(memory);

  SyncWords(String name) {
    this.name = name;
  }

  /** Returns the memory, for kernels. */
  @Progress(value = ProgressClass.WAIT_FREE, because = "reads a field")
  public final Memory memory() {
    return memory;
  }

  /**
   * Runs an operation on the words.
   *
   * @throws ClosedException if the memory is closed
   */
  final <T> T open(Supplier<T> operation) {
    try {
      return operation.get();
    } catch (IllegalStateException e) {
      throw memory.isClosed() ? new ClosedException(name) : e;
    }
  }

  /** Runs an operation on the words as {@link #open} does. */
  final void run(Runnable operation) {
    boolean _ =
        open(
            () -> {
              operation.run();
              return true;
            });
  }

  /** Waits without a time limit for what {@code wait} does, which an interrupt ends. */
  final void await(IntSupplier wait) {
    if (open(wait::getAsInt) == SyncLayout.STUCK) {
      throw interrupted();
    }
  }

  /**
   * Waits for a condition until a time limit, and checks it at least once; returns whether it
   * holds.
   *
   * @param word a word that changes when the condition becomes true
   * @throws GyreException if the thread is interrupted
   */
  final boolean await(Duration limit, int word, BooleanSupplier condition) {
    long end = System.nanoTime() + nanos(limit);
    return open(
        () -> {
          long polls = 0;
          boolean holds = condition.getAsBoolean();
          while (!holds && System.nanoTime() - end < 0) {
            polls = words.pause(word, polls);
            if (polls == FOR_EVER) {
              throw interrupted();
            }
            holds = condition.getAsBoolean();
          }
          return holds;
        });
  }

  private static long nanos(Duration limit) {
    if (Objects.requireNonNull(limit, "timeout").isNegative()) {
      return 0;
    }
    return (limit.compareTo(LONGEST) > 0 ? LONGEST : limit).toNanos();
  }

  private GyreException interrupted() {
    return new GyreException("interrupted while waiting for a " + name);
  }

  /** Frees the memory. No thread may be waiting. */
  @Override
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ENDS)
  public final void close() {
    memory.close();
  }
}

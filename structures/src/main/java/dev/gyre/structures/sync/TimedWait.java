package dev.gyre.structures.sync;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.SystemInts;
import dev.gyre.kernels.sync.SyncLayout;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Waits of JVM threads that end by interrupts and time limits. */
final class TimedWait {

  static final long FOR_EVER = Long.MAX_VALUE;

  /**
   * Longest time limit, 146 years: a deadline beyond half the range of nanoseconds would count as
   * past.
   */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  private TimedWait() {}

  static void require(String what, IntSupplier wait) {
    if (wait.getAsInt() == SyncLayout.STUCK) {
      throw interrupted(what);
    }
  }

  /**
   * Waits for a condition until a time limit, and checks it at least once; returns whether it
   * holds.
   *
   * @param word a word that changes when the condition becomes true
   * @throws GyreException if the thread is interrupted
   */
  static boolean within(
      Duration scope, String what, SystemInts words, int word, BooleanSupplier isSo) {
    long end = System.nanoTime() + nanos(scope);
    long polls = 0;
    boolean so = isSo.getAsBoolean();
    while (!so && System.nanoTime() - end < 0) {
      polls = words.pause(word, polls);
      if (polls == FOR_EVER) {
        throw interrupted(what);
      }
      so = isSo.getAsBoolean();
    }
    return so;
  }

  private static long nanos(Duration scope) {
    if (Objects.requireNonNull(scope, "scope").isNegative()) {
      return 0;
    }
    return (scope.compareTo(LONGEST) > 0 ? LONGEST : scope).toNanos();
  }

  private static GyreException interrupted(String what) {
    return new GyreException("interrupted while waiting for " + what);
  }
}

package dev.gyre.atomics;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Leaves just so many bytes of the off-heap memory that the process may hold, until it is closed;
 * takes none itself.
 */
public final class MemoryLeft implements AutoCloseable {

  private static final Pattern FAILURE =
      Pattern.compile("allocate (\\d+) bytes.*: (\\d+) of (\\d+) bytes are in use");

  private long taken;

  private MemoryLeft(long bytes) {
    taken = takeAll() - bytes;
    MemoryBudget.PROCESS.giveBack(bytes);
  }

  /** Leaves so many. */
  public static MemoryLeft of(long bytes) {
    return new MemoryLeft(bytes);
  }

  /** How many there are. */
  public static long bytes() {
    long all = takeAll();
    MemoryBudget.PROCESS.giveBack(all);
    return all;
  }

  /**
   * How many more there would have had to be for the allocation that failed: with so many more at
   * the next try, the next one fails that takes more.
   */
  public static long lacking(MemoryExhaustedException failure) {
    Matcher numbers = FAILURE.matcher(String.valueOf(failure.getMessage()));
    if (!numbers.find()) {
      throw new AssertionError("another message than expected", failure);
    }
    long asked = Long.parseLong(numbers.group(1));
    return asked + Long.parseLong(numbers.group(2)) - Long.parseLong(numbers.group(3));
  }

  private static long takeAll() {
    long all = 0;
    for (long bytes = Long.MAX_VALUE / 2 + 1; bytes > 0; bytes >>= 1) {
      try {
        MemoryBudget.PROCESS.take(bytes);
        all += bytes;
      } catch (MemoryExhaustedException e) {
        // Less is left.
      }
    }
    return all;
  }

  @Override
  public void close() {
    MemoryBudget.PROCESS.giveBack(taken);
    taken = 0;
  }
}

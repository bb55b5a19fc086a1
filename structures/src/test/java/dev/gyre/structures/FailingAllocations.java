package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryLeft;

/** Has the allocations of an operation fail, each in turn. */
public final class FailingAllocations {

  private FailingAllocations() {}

  /** An operation, such as to make a structure and to close it. */
  @FunctionalInterface
  public interface Operation {
    void run() throws Exception;
  }

  /**
   * Runs an operation with room for none of its allocations, for the first, for the first two, and
   * so on, until it ends well; each time all memory must be given back.
   *
   * @return how often it failed
   */
  public static int ofAll(Operation operation) throws Exception {
    long before = MemoryLeft.bytes();
    int failures = 0;
    long room = 0;
    long lacking = lacking(operation, room);
    while (lacking > 0) {
      assertThat(MemoryLeft.bytes())
          .as("left after there was room for %d bytes", room)
          .isEqualTo(before);
      failures++;
      room += lacking;
      lacking = lacking(operation, room);
    }
    assertThat(MemoryLeft.bytes()).as("left in the end").isEqualTo(before);
    return failures;
  }

  /**
   * Runs an operation that may be called again after a failure, with room for none of its
   * allocations, for the first, and so on, until it ends well.
   *
   * @param between is run after each failure, with all memory
   * @return how often it failed
   */
  public static int ofCallsUntilDone(Operation operation, Runnable between) throws Exception {
    int failures = 0;
    long room = 0;
    long lacking = lacking(operation, room);
    while (lacking > 0) {
      failures++;
      room += lacking;
      between.run();
      lacking = lacking(operation, room);
    }
    return failures;
  }

  /** How much room the allocation that fails would have needed besides; 0 if none does. */
  private static long lacking(Operation operation, long room) throws Exception {
    try (MemoryLeft _ = MemoryLeft.of(room)) {
      operation.run();
      return 0;
    } catch (MemoryExhaustedException e) {
      return MemoryLeft.lacking(e);
    }
  }
}

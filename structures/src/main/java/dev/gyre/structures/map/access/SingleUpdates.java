package dev.gyre.structures.map.access;

import dev.gyre.atomics.UninterruptibleScope;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.map.SingleKeys;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.MapFullException;
import dev.gyre.structures.map.StuckException;
import dev.gyre.structures.map.store.Store;
import dev.gyre.structures.map.table.FixedTable;
import java.util.ConcurrentModificationException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Common part of updates of single keys, for all types of keys. */
final class SingleUpdates {

  private static final int MOST_SPINS = 1 << 6;

  private SingleUpdates() {}

  /**
   * Repeats an insert of one key that was STUCK if an interrupt ended its wait for another thread.
   *
   * <p>The caller passes a function only then: if the stack ends where a function is linked, no key
   * has been inserted.
   *
   * @param insert returns a slot, {@link SingleKeys#NONE}, {@link SingleKeys#STUCK}, or why it
   *     failed
   * @return the outcome, which is not STUCK
   * @throws StuckException if a wait for another thread took too long
   */
  static long insertedAgain(Store<?, ?> store, LongSupplier insert) {
    long slot = SingleKeys.STUCK;
    if (Thread.currentThread().isInterrupted()) {
      // Only an interrupt ends the wait for a thread that is about to publish.
      try (UninterruptibleScope _ = UninterruptibleScope.begin()) {
        slot = insert.getAsLong();
      }
    }
    if (slot == SingleKeys.STUCK) {
      throw new StuckException(1, store.name(), "insert", store.device());
    }
    return slot;
  }

  /**
   * Waits before an update is tried again because another thread was changing the same key. That
   * takes it a few instructions, unless it does not run.
   */
  @SuppressWarnings("ThreadPriorityCheck") // A hint, in favour of the other thread.
  static void pause(int tries) {
    if (tries < MOST_SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  /** Runs an action while the table is not replaced or cleared; on the JVM. */
  static <T extends FixedTable, R> R within(Store<T, ?> store, Function<T, R> action) {
    store.requireOnJvm();
    Entry entry = store.lock().enterSingle();
    try {
      store.requireOpen();
      return action.apply(store.table());
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
  }

  /** Returns whether the only key of a batch was inserted. */
  static boolean isInserted(Store<?, ?> store, InsertCounts counts) {
    if (counts.full() != 0) {
      throw new MapFullException(store.name(), store.capacity());
    }
    return counts.inserted() == 1;
  }

  /**
   * Returns how many keys of a batch are present, by a launch that only reads. An interrupt ends
   * neither that nor earlier work, and its status is kept.
   */
  static long found(Supplier<FindCounts> question) {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return question.get().found();
        } catch (LaunchCancelledException e) {
          if (!Thread.interrupted()) {
            throw e;
          }
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns the exception of a merge whose result is lost. */
  static ConcurrentModificationException cleared(Store<?, ?> store) {
    return new ConcurrentModificationException(
        store.name() + " was cleared in the middle of a merge");
  }
}

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
import org.jspecify.annotations.Nullable;

/** Common part of updates of single keys, for all types of keys. */
final class SingleUpdates {

  private SingleUpdates() {}

  /**
   * Inserts a key with capacity that was taken, which is returned if it was not needed, also if a
   * function of the user throws.
   *
   * @param entry entry of the caller; null if it has no reservations
   * @param insert returns a slot, {@link SingleKeys#NONE}, {@link SingleKeys#STUCK}, or why it
   *     failed
   * @return the outcome, which is not STUCK
   * @throws StuckException if a wait for another thread took too long
   */
  static long inserted(
      Store<?, ?> store, FixedTable table, @Nullable Entry entry, LongSupplier insert) {
    long slot = SingleKeys.STUCK;
    try {
      slot = inserted(store, insert);
    } finally {
      table.insertedSome(entry, slot == SingleKeys.NONE ? 1 : 0, 1);
    }
    return slot;
  }

  /** Inserts a key, which the caller counts. */
  static long inserted(Store<?, ?> store, LongSupplier insert) {
    long slot = insert.getAsLong();
    if (slot == SingleKeys.STUCK && Thread.currentThread().isInterrupted()) {
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

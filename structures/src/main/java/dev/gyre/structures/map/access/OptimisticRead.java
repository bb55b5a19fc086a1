package dev.gyre.structures.map.access;

import dev.gyre.atomics.ClosedException;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.store.Store;
import dev.gyre.structures.map.table.FixedTable;
import java.lang.invoke.VarHandle;
import java.util.function.Function;

/** Optimistic read of a table of the JVM outside the lock; see {@link LongAccess}. */
final class OptimisticRead {

  private OptimisticRead() {}

  /**
   * Reads until the table is not replaced and the map is not cleared meanwhile.
   *
   * @param none result while the map is being cleared: it counts as empty
   * @param read reads a table; its exception counts if the table is still in place
   */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  static <T extends FixedTable, R> R of(Store<T, ?> store, R none, Function<T, R> read) {
    while (true) {
      long version = store.version();
      T table = store.table();
      boolean interrupted = Thread.currentThread().isInterrupted();
      try {
        R found = (version & 1) == 0 ? read.apply(table) : none;
        // acquire: orders the reads of slots before the second read of the version
        VarHandle.acquireFence();
        if (store.version() == version && store.table() == table) {
          return found;
        }
      } catch (IllegalStateException | IndexOutOfBoundsException | ClosedException e) {
        Memories.forgetInterrupt(interrupted);
        store.requireReplaced(table, version, e);
      }
    }
  }
}

package dev.gyre.structures.map.access;

import dev.gyre.atomics.ClosedException;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.store.Store;
import dev.gyre.structures.map.table.FixedTable;
import java.lang.invoke.VarHandle;
import java.util.function.Function;

/** What is read of a table of the JVM's outside of the lock; see {@link LongAccess}. */
final class UngatedRead {

  private UngatedRead() {}

  /**
   * Reads as often as the table is replaced, or the map cleared, meanwhile.
   *
   * @param none what is read while the map is being cleared: it counts as empty
   * @param read of a table; what it throws counts where the table is still in place
   */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  static <T extends FixedTable, R> R of(Store<T, ?> store, R none, Function<T, R> read) {
    while (true) {
      long version = store.version();
      T table = store.table();
      boolean interrupted = Thread.currentThread().isInterrupted();
      try {
        R found = (version & 1) == 0 ? read.apply(table) : none;
        // acquire: the slots were read before the version is read again
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

package dev.gyre.structures.map.access;

import dev.gyre.atomics.ClosedException;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.store.Store;
import dev.gyre.structures.map.table.FixedTable;
import java.lang.invoke.VarHandle;
import java.util.function.Function;
import java.util.function.Supplier;

/** What is read of a table outside of the lock, beside all else; see {@link LongAccess}. */
final class UngatedRead {

  private UngatedRead() {}

  /**
   * Reads as often as the table is replaced, or the map cleared or moved, meanwhile.
   *
   * @param none what is read while the map is being cleared: it counts as empty
   * @param read of a table of the JVM's; what it throws counts where the table is still in place
   * @param onDevice what is read where the table is on a device
   */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  static <T extends FixedTable, R> R of(
      Store<T, ?> store, R none, Function<T, R> read, Supplier<R> onDevice) {
    while (true) {
      long version = store.version();
      // After the version: where the map was moved since, the version is another one.
      if (!store.onJvm()) {
        return onDevice.get();
      }
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

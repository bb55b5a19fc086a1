package dev.gyre.structures.map.store;

import dev.gyre.atomics.ClosedException;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.RetiredMemories;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.work.ScratchPool;
import org.jspecify.annotations.Nullable;

/**
 * Parts of a store, which are closed with it, or after it has become unreachable. So they do not
 * refer to the store.
 */
final class StoreParts implements AutoCloseable {
  private final OperationLock lock;
  private final OperationLock underWay;
  private final MapSettings settings;
  private final RetiredMemories spent;
  private final ScratchPool<?> scratchPool;
  private final ScratchPool<?> partitions;

  volatile @Nullable FixedTable table;

  StoreParts(Store<?, ?> of) {
    lock = of.lock;
    underWay = of.underWay;
    settings = of.settings;
    spent = of.spent;
    scratchPool = of.scratchPool;
    partitions = of.partitions;
    table = of.table;
  }

  /** Closes the parts, which no reader can access any more. */
  @Override
  public void close() {
    close(() -> {});
  }

  /**
   * Waits for running operations, then closes all parts.
   *
   * @param first removes the table from readers that do not enter the lock
   */
  void close(Runnable first) {
    Entry alone;
    try {
      alone = lock.enterExclusive();
    } catch (ClosedException e) {
      // Memory that was in use the first time may be free now.
      free(first);
      return;
    }
    try {
      lock.close();
      free(first);
    } finally {
      alone.close();
      if (settings.ownsLauncher()) {
        underWay.exclusively(settings.launcher()::close);
      }
    }
  }

  private void free(Runnable first) {
    first.run();
    try (spent;
        scratchPool;
        partitions;
        var _ = table) {
      // Closes all of them, even if one throws.
    }
  }
}

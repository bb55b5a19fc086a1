package dev.gyre.structures.map.store;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.launch.StructurePin;
import dev.gyre.structures.map.StuckException;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.work.ScratchBuffer;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Pin of a map or set for a kernel of the user. It is the exclusive update, so that all free
 * capacity is reserved for the kernel. Unused reservations are returned.
 *
 * @param <T> its tables
 * @param <S> its scratch memory
 * @param <R> its refs
 */
final class MapPin<T extends FixedTable, S extends ScratchBuffer, R> extends StructurePin<R> {

  private final Store<T, S> store;
  private final Function<TableRef, R> refs;

  // Entry of the present or last launch.
  private @Nullable Entry entry;
  private @Nullable S scratch;
  private @Nullable T used;
  private @Nullable TableRef ref;
  private long capacity;
  private long inserted;
  private long full;
  private long noText;
  private long stuck;

  MapPin(Store<T, S> store, Function<TableRef, R> refs) {
    super(store.order, store.name(), store.workers().launcher());
    this.store = store;
    this.refs = refs;
  }

  @Override
  protected R enter(long lease) {
    store.recount();
    entry = store.lock().enterExclusiveUpdate();
    try {
      S counting = store.scratchPool.borrow(1, 1);
      scratch = counting;
      T table = store.table();
      used = table;
      capacity = table.rest();
      ref =
          TableRef.of(
              table.inKernels(), counting.freshCounters(0), capacity, store.pollsOfLaunch(), lease);
      ref.fill(capacity);
      store.workers().hostWrote(Objects.requireNonNull(ref.counters().memory()));
      R made = refs.apply(ref);
      boolean _ = table.take(capacity);
      return made;
    } catch (RuntimeException | Error e) {
      end();
      throw e;
    }
  }

  @Override
  protected void leave(LaunchEnd ran) {
    TableRef counted = Objects.requireNonNull(ref);
    T table = Objects.requireNonNull(used);
    boolean known = ran == LaunchEnd.NOT;
    inserted = 0;
    try {
      if (ran == LaunchEnd.ENDED) {
        store.workers().readBack(Objects.requireNonNull(counted.counters().memory()));
        inserted = capacity - counted.sum(MapCodes.UNCLAIMED);
        table.removed(counted.sum(MapCodes.FOUND));
        full = counted.sum(MapCodes.FULL);
        noText = counted.sum(MapCodes.PENDING);
        stuck = counted.sum(MapCodes.STUCK);
        known = true;
      }
    } finally {
      table.inserted(inserted, capacity, known);
      end();
      store.recount();
    }
  }

  private void end() {
    Objects.requireNonNull(entry).close();
    S counting = scratch;
    scratch = null;
    if (counting != null) {
      store.scratchPool.giveBack(counting);
    }
  }

  @Override
  protected boolean makeCapacity(long launches) {
    if (full + noText > 0) {
      store.growFor(Objects.requireNonNull(used), full, noText, inserted > 0 || launches == 1);
    }
    if (stuck > 0 && launches >= store.mostLaunches()) {
      throw new StuckException(stuck, store.name(), "launch", store.device());
    }
    return full + noText + stuck > 0;
  }
}

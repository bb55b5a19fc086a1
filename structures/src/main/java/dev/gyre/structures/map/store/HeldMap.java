package dev.gyre.structures.map.store;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.launch.Held;
import dev.gyre.structures.map.StuckException;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.work.Scratch;
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
final class HeldMap<T extends FixedTable, S extends Scratch, R> extends Held<R> {

  private final Store<T, S> store;
  private final Function<TableRef, R> refs;

  // Entry of the present or last launch.
  private @Nullable Entry entry;
  private @Nullable S stage;
  private @Nullable T used;
  private @Nullable TableRef ref;
  private long room;
  private long inserted;
  private long full;
  private long noText;
  private long stuck;

  HeldMap(Store<T, S> store, Function<TableRef, R> refs) {
    this.store = store;
    this.refs = refs;
  }

  @Override
  protected long order() {
    return store.order;
  }

  @Override
  protected String name() {
    return store.name();
  }

  @Override
  protected Launcher launcher() {
    return store.workers().launcher();
  }

  @Override
  protected R enter(long lease) {
    store.settle();
    entry = store.lock().enterExclusiveUpdate();
    try {
      S counting = store.stages.borrow(1, 1);
      stage = counting;
      T table = store.table();
      used = table;
      room = table.rest();
      ref =
          TableRef.of(
              table.inKernels(), counting.freshCounters(0), room, store.pollsOfLaunch(), lease);
      ref.fill(room);
      store.workers().hostWrote(Objects.requireNonNull(ref.counters().memory()));
      R made = refs.apply(ref);
      boolean _ = table.take(room);
      return made;
    } catch (RuntimeException | Error e) {
      end();
      throw e;
    }
  }

  @Override
  protected void leave(Ran ran) {
    TableRef counted = Objects.requireNonNull(ref);
    T table = Objects.requireNonNull(used);
    boolean known = ran == Ran.NOT;
    inserted = 0;
    try {
      if (ran == Ran.ENDED) {
        store.workers().readBack(Objects.requireNonNull(counted.counters().memory()));
        inserted = room - counted.sum(MapCodes.UNCLAIMED);
        full = counted.sum(MapCodes.FULL);
        noText = counted.sum(MapCodes.PENDING);
        stuck = counted.sum(MapCodes.STUCK);
        known = true;
      }
    } finally {
      table.inserted(inserted, room, known);
      end();
      store.settle();
    }
  }

  private void end() {
    Objects.requireNonNull(entry).close();
    S counting = stage;
    stage = null;
    if (counting != null) {
      store.stages.giveBack(counting);
    }
  }

  @Override
  protected boolean makeRoom(long launches) {
    if (full + noText > 0) {
      store.growFor(Objects.requireNonNull(used), full, noText, inserted > 0 || launches == 1);
    }
    if (stuck > 0 && launches >= store.mostLaunches()) {
      throw new StuckException(stuck, store.name(), "launch", store.device());
    }
    return full + noText + stuck > 0;
  }
}

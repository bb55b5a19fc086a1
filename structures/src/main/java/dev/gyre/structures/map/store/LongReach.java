package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.TakeOwn;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Gate;
import dev.gyre.structures.map.work.Sums;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tables of all stores, where kernels of each device read those of the others where they lie,
 * while nobody updates one. A piece of the keys of a find then comes to one device only, whose
 * kernels look up one table after the other, without the host between them.
 */
final class LongReach implements AutoCloseable {

  private final LongExchange all;
  private final List<LongTable> tables = new ArrayList<>();
  private final Deque<Runnable> ends = new ArrayDeque<>();

  private LongReach(LongExchange all) {
    this.all = all;
  }

  /** Of the stores of a find; null where they are not reached so, or are updated. */
  static @Nullable LongReach of(LongExchange all) {
    LongReach made = new LongReach(all);
    boolean reached = false;
    try {
      reached = made.enterAll() && made.reachAll();
    } finally {
      if (!reached) {
        made.close();
      }
    }
    return reached ? made : null;
  }

  private boolean enterAll() {
    boolean quiescent = true;
    for (int i = 0; quiescent && i < all.shards.count(); i++) {
      quiescent = all.shards.named(i, store -> enter((LongStore) store));
    }
    return quiescent;
  }

  private boolean enter(LongStore store) {
    Gate.Mode mode = store.gate().enterRead();
    ends.push(() -> store.gate().leave(mode));
    tables.add(store.table());
    return mode == Gate.Mode.QUIESCENT_READ;
  }

  private boolean reachAll() {
    for (int i = 0; i < tables.size(); i++) {
      for (int j = 0; j < tables.size(); j++) {
        if (!reach(i, j)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean reach(int from, int to) {
    Launcher there = all.shards.group().parts().get(to);
    Memory[] memories = tables.get(to).memories().toArray(Memory[]::new);
    return all.shards.named(
        from,
        store -> store.workers().launcher().reach(there, memories).map(this::endsBy).orElse(false));
  }

  private boolean endsBy(Runnable end) {
    ends.push(end);
    return true;
  }

  /** Looks up the keys of a piece. */
  void find(LongStore store, LongBatch batch, LongScratch stage, int flags, Sums sums) {
    int length = (int) batch.length();
    DeviceLongs counters = stage.freshCounters(0);
    int options = flags + MapCodes.QUIESCENT + store.workers().options();
    List<Kernel> kernels = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      kernels.add(
          new TakeOwn(Numbers.of(stage.keys), all.homes, i, stage.outcomes, counters, 0, length));
      kernels.add(
          tables
              .get(i)
              .find(
                  store.workers(),
                  stage,
                  counters,
                  batch.whole(),
                  options,
                  store.launches().pollLimit()));
    }
    store.workers().launch(kernels, length, counters);
    sums.add(counters);
  }

  @Override
  public void close() {
    ends.forEach(Runnable::run);
  }
}

package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.IntTwin;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.TakeOthers;
import dev.gyre.kernels.map.TakeOwn;
import dev.gyre.structures.GroupWork;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.work.Step;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A piece of the keys of a {@link LongExchange} on its way: as it lies, it goes to one device, its
 * <em>home</em>, and from there to the others. Each does the keys that are its own, and what became
 * of the others' comes back to the home, and from there to the caller, in the order of the keys.
 */
@IntTwin
final class LongRound {

  private final LongExchange all;
  private final Shards shards;
  private final BulkOptions options;
  private final long from;
  private final int length;
  private final int home;

  /** Where the keys are; by store. */
  private final List<LongScratch> stages = new ArrayList<>();

  /** Whether the stage of a store says what became of its keys. */
  private final boolean[] says;

  /**
   * Some of the keys.
   *
   * @param home the store on whose device they are first
   */
  LongRound(LongExchange all, long from, int length, int home) {
    this.all = all;
    this.shards = all.shards;
    this.options = all.options;
    this.from = from;
    this.length = length;
    this.home = home;
    this.says = new boolean[shards.count()];
  }

  /**
   * Goes round.
   *
   * @param later keys that are in no round yet
   */
  void run(long later) {
    boolean done = false;
    try {
      for (int i = 0; i < shards.count(); i++) {
        on(i, store -> stages.add(borrow(store)));
      }
      on(home, this::send);
      // A mask is sent from where the home is about to write which keys are not its own: it waits.
      boolean together = options.takeAll();
      GroupWork.run(
          "exchange",
          shards.group(),
          index -> {
            if (together || index != home) {
              on(index, store -> takeOwn(store, index, later));
            }
          });
      if (!together) {
        on(home, store -> takeOwn(store, home, later));
      }
      on(home, this::collect);
      done = true;
    } finally {
      if (!done) {
        tell();
      }
      for (int i = 0; i < stages.size(); i++) {
        LongScratch stage = stages.get(i);
        boolean ended = done;
        on(i, store -> giveBack(store, stage, ended));
      }
    }
  }

  /** Looks its keys up from the home, from which all tables are reached. */
  void find(LongExchange.Reach tables, int flags) {
    on(home, store -> find(tables, store, flags));
  }

  private void find(LongExchange.Reach tables, LongStore store, int flags) {
    LongScratch stage = borrow(store);
    boolean done = false;
    try {
      LongBatch given = given(store, stage);
      send(given);
      tables.find(store, given, stage, flags, all.sums.get(home));
      fetch(given);
      done = true;
    } finally {
      giveBack(store, stage, done);
    }
  }

  private void on(int index, Consumer<LongStore> action) {
    boolean _ =
        shards.named(
            index,
            store -> {
              action.accept((LongStore) store);
              return true;
            });
  }

  private LongScratch borrow(LongStore store) {
    return store.stages().borrow(length, store.workers().count(), false);
  }

  /** Where something failed, a device may still copy what is there. */
  private void giveBack(LongStore store, LongScratch stage, boolean done) {
    if (done) {
      store.stages().giveBack(stage, 2 * all.atOnce);
    } else {
      store.stages().giveUp(stage);
    }
  }

  /** The keys as the caller has them, on their way to the home and back. */
  private LongBatch given(LongStore store) {
    return given(store, stages.get(home));
  }

  private LongBatch given(LongStore store, LongScratch stage) {
    return new LongBatch(
        store.workers(), all.keys, all.values, all.found, options, from, length, stage, 0);
  }

  private void send(LongStore store) {
    send(given(store));
  }

  private void send(LongBatch given) {
    Step whole = given.whole();
    given.enter(whole);
    ReentrantLock sending = all.sending.get(home);
    sending.lock();
    try {
      given.send(whole);
    } finally {
      sending.unlock();
    }
  }

  /** Beside the other stores: what each does is little, and what it waits for is much. */
  private void takeOwn(LongStore store, int index, long later) {
    take(store, index);
    work(store, index, later / shards.count());
  }

  /** Has a store have all that the home was sent. */
  private void take(LongStore store, int index) {
    if (index != home) {
      LongScratch to = stages.get(index);
      LongScratch given = stages.get(home);
      take(store, to.keys.memory(), home, given.keys.memory(), (long) length * Long.BYTES);
      if (all.values != null) {
        take(store, to.values.memory(), home, given.values.memory(), (long) length * Long.BYTES);
      }
      if (!options.takeAll()) {
        take(store, to.outcomeMemory, home, given.outcomeMemory, length);
      }
    }
  }

  private void take(LongStore store, Memory to, int index, Memory given, long bytes) {
    boolean _ =
        shards.named(
            index,
            other -> {
              store.workers().send(to, other.workers(), given, bytes);
              return true;
            });
  }

  /** Has a store do its own. */
  private void work(LongStore store, int index, long later) {
    LongScratch stage = stages.get(index);
    DeviceLongs counters = stage.freshCounters(0);
    int masked = options.takeAll() ? 0 : MapCodes.MASKED;
    store
        .workers()
        .launch(
            new TakeOwn(
                Numbers.of(stage.keys), all.homes, index, stage.outcomes, counters, masked, length),
            length,
            counters);
    says[index] = true;
    long own = counters.get(MapCodes.PENDING);
    if (own > 0) {
      Longs keys = all.keys.part(from, length);
      LongBatch batch = new LongBatch(store.workers(), keys, options, stage, own);
      all.operation.run(store, batch, later, all.sums.get(index));
    }
  }

  /** Brings home, and to the caller, what is asked for. */
  private void collect(LongStore store) {
    if (all.back != 0 && shards.count() > 1) {
      LongScratch spare = borrow(store);
      boolean done = false;
      try {
        for (int i = 0; i < shards.count(); i++) {
          collect(store, spare, i);
        }
        done = true;
      } finally {
        giveBack(store, spare, done);
      }
    }
    fetch(given(store));
  }

  private static void fetch(LongBatch given) {
    Step whole = given.whole();
    given.fetch(whole);
    given.leave(whole);
  }

  private void collect(LongStore store, LongScratch spare, int index) {
    if (index != home) {
      LongScratch theirs = stages.get(index);
      if ((all.back & MapCodes.VALUES) != 0) {
        take(
            store,
            spare.values.memory(),
            index,
            theirs.values.memory(),
            (long) length * Long.BYTES);
      }
      if ((all.back & MapCodes.OUTCOMES) != 0) {
        take(store, spare.outcomeMemory, index, theirs.outcomeMemory, length);
      }
      store
          .workers()
          .launch(
              new TakeOthers(
                  spare.batch(), stages.get(home).batch(), all.homes, index, all.back, length),
              length);
    }
  }

  /** Says of an operation that failed what became of keys, as far as stores know it. */
  private void tell() {
    MemorySegment outcomes = options.outcomes();
    for (int i = 0; outcomes != null && i < says.length; i++) {
      if (says[i]) {
        LongScratch stage = stages.get(i);
        try {
          on(i, store -> store.workers().readBack(stage.outcomeMemory, length));
          tell(stage, outcomes);
        } catch (GyreException e) {
          // Who called is about to be told why keys are left.
        }
      }
    }
  }

  private void tell(LongScratch stage, MemorySegment outcomes) {
    for (int i = 0; i < length; i++) {
      byte outcome = stage.outcomes.get(i);
      if (outcome != MapCodes.SKIPPED && outcome != MapCodes.PENDING && outcome != MapCodes.STUCK) {
        outcomes.set(ValueLayout.JAVA_BYTE, from + i, outcome);
      }
    }
  }
}

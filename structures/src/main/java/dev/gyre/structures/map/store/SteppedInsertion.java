package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.NewKeys;
import dev.gyre.structures.map.work.Gate;
import dev.gyre.structures.map.work.Scratch;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.TextLaunches;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A bulk insert of keys that are no numbers, in rounds of launches.
 *
 * <p>A step that may not have room for its keys does nothing; one that finds no room for their text
 * leaves those keys PENDING. Either is done again when table or arena have grown or, where the
 * capacity is fixed, alone, against the room that is left. One worker leaves all steps that follow,
 * too, since equal keys are to be taken in their order. A table that is nearly full does not grow
 * where the keys that are left are there: {@link NewKeys}.
 */
abstract class SteppedInsertion<T extends FixedTable> {

  private final SteppedStore<T, ?> store;
  private final Scratch stage;
  private final Sums sums;
  private final TextLaunches launches;
  private Workers workers;

  /** Whether a step of this round left keys for want of room for their text. */
  private volatile boolean noText;

  SteppedInsertion(SteppedStore<T, ?> store, Scratch stage, Sums sums) {
    this.store = store;
    this.stage = stage;
    this.sums = sums;
    this.launches = store.launches();
    this.workers = store.workers();
  }

  /** What inserts the keys of a step. */
  abstract TextLaunches.Kernels kernels(T used, DeviceLongs counters, Step step);

  /** What counts those keys of a step that are PENDING, and leaves them so. */
  abstract Kernel count(T used, DeviceLongs counters, Step step, int options);

  /**
   * Makes room for what is left of steps, unless another thread has done so.
   *
   * @param atOnce keys for which room is taken at the same time
   * @param text whether there was none for the text of some
   */
  abstract void growFor(T full, List<Step> left, long atOnce, boolean text);

  /** Inserts all keys that are in the stage. */
  void run(long count) {
    workers = store.workersFor(count);
    List<Step> left = store.steps(count);
    while (!left.isEmpty()) {
      left = insertSome(left);
    }
  }

  /** Does steps, and makes room for what is left of them; returns that. */
  private List<Step> insertSome(List<Step> steps) {
    Queue<Step> left = new ConcurrentLinkedQueue<>();
    noText = false;
    boolean inOrder = workers.count() == 1;
    store.gate().enterUpdate();
    T used = store.table();
    try {
      workers.run(
          "insert",
          steps,
          (worker, step) -> {
            DeviceLongs counters = stage.freshCounters(worker);
            boolean waits = inOrder && !left.isEmpty();
            if (waits || !insertStep(used, counters, step)) {
              left.add(step);
            }
            end(counters);
          });
    } finally {
      store.gate().leave(Gate.Mode.UPDATE);
    }
    List<Step> refused = List.copyOf(left);
    if (!refused.isEmpty() && store.isFixed()) {
      List<Step> all = refused;
      store.gate().exclusively(() -> all.forEach(this::insertAlone));
      return List.of();
    }
    if (!refused.isEmpty() && !noText) {
      refused = insertNew(used, refused);
    }
    if (!refused.isEmpty()) {
      long largest = refused.stream().mapToLong(Step::size).max().orElse(0);
      long atOnce = largest * Math.min(refused.size(), workers.count());
      growFor(used, refused, atOnce, noText);
    }
    return refused;
  }

  private void end(DeviceLongs counters) {
    if (counters.get(MapCodes.PENDING) > 0) {
      noText = true;
    }
    sums.add(counters);
  }

  /** Inserts steps if a table has room for what of them is new; returns what is left of them. */
  private List<Step> insertNew(T full, List<Step> steps) {
    Queue<Step> left = new ConcurrentLinkedQueue<>();
    boolean inserted =
        sums.shareInserted(0) <= NewKeys.MOST_NEW
            && NewKeys.insert(
                store.gate(),
                workers,
                store::table,
                full,
                steps,
                (worker, step) -> countAbsent(full, worker, step),
                (worker, step, room) -> {
                  DeviceLongs counters = stage.freshCounters(worker);
                  insertInto(full, room, counters, step, 0, kernels(full, counters, step));
                  if (counters.get(MapCodes.PENDING) > 0) {
                    left.add(step);
                  }
                  end(counters);
                });
    return inserted ? List.copyOf(left) : steps;
  }

  /** How many keys of a step that are to be inserted are not there. */
  private long countAbsent(T used, int worker, Step step) {
    DeviceLongs counters = stage.freshCounters(worker);
    int options = store.workers().options() | MapCodes.QUIESCENT;
    launches.launch(count(used, counters, step, options), step.size(), counters);
    return counters.get(MapCodes.ABSENT);
  }

  /** Inserts the keys of a step; returns whether there was room for all. */
  private boolean insertStep(T used, DeviceLongs counters, Step step) {
    if (!used.take(step.size())) {
      return false;
    }
    insertInto(used, step.size(), counters, step, 0, ahead(used, counters, step));
    return counters.get(MapCodes.PENDING) == 0;
  }

  /** {@link #kernels}, beside other inserts. */
  TextLaunches.Kernels ahead(T used, DeviceLongs counters, Step step) {
    return kernels(used, counters, step);
  }

  /** Inserts the keys of a step into room that was taken; gives back what was not needed. */
  private void insertInto(
      T used, long room, DeviceLongs counters, Step step, int more, TextLaunches.Kernels kernels) {
    boolean known = false;
    try {
      launches.run(kernels, more, step, counters);
      known = true;
    } catch (LaunchCancelledException e) {
      // It did not begin, and those before it are counted.
      known = true;
      throw e;
    } finally {
      used.giveBack(room - counters.get(MapCodes.INSERTED), known);
    }
  }

  /** Inserts the keys of a step where no more room is to be had; the caller is alone. */
  void insertAlone(Step step) {
    DeviceLongs _ = insertIntoRest(step);
  }

  /** Inserts the keys of a step against the room that is left; returns what became of them. */
  final DeviceLongs insertIntoRest(Step step) {
    T used = store.table();
    DeviceLongs counters = stage.freshCounters(0);
    long room = used.capacity - used.taken();
    boolean _ = used.take(room);
    workers.giveRoom(counters, room);
    insertInto(used, room, counters, step, MapCodes.BOUNDED, kernels(used, counters, step));
    sums.add(counters);
    return counters;
  }
}

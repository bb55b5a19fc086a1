package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.table.NewKeys;
import dev.gyre.structures.map.table.RecordScratch;
import dev.gyre.structures.map.table.RecordTable;
import dev.gyre.structures.map.table.Update;
import dev.gyre.structures.map.work.Gate;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.TextLaunches;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A bulk insert of records, in rounds of launches.
 *
 * <p>A step that may not have room for its keys does nothing. It is done again when the table has
 * grown, by {@link NewKeys} where it need not or, where the capacity is fixed, alone, against the
 * room that is left. One worker leaves all steps that follow, too, since equal keys are to be taken
 * in their order. Values that are to be replaced as a whole are, when all keys are in the table, by
 * two launches beside which nothing else runs.
 */
final class RecordInsertion {

  private final RecordStore store;
  private final RecordScratch stage;
  private final Update update;
  private final Sums sums;
  private final TextLaunches launches;

  private RecordInsertion(RecordStore store, RecordScratch stage, Update update, Sums sums) {
    this.store = store;
    this.stage = stage;
    this.update = update;
    this.sums = sums;
    this.launches = store.launches();
  }

  /** Inserts keys; if there is not the memory to grow, those that were not tried are SKIPPED. */
  static InsertCounts run(
      RecordStore store,
      Columns keys,
      Columns values,
      Update update,
      @Nullable Columns found,
      BulkOptions options) {
    BulkOptions _ = options.skipAll(keys.length());
    store.settle();
    Sums sums = new Sums();
    for (Step piece : Step.cut(0, keys.length(), RecordStore.PIECE)) {
      int count = (int) piece.size();
      RecordScratch stage = store.stages().borrow(count, store.workersFor(count));
      try {
        stage.enter(piece.from(), count, keys, values, options);
        stage.send(store.workers(), count, true);
        try {
          RecordInsertion all = new RecordInsertion(store, stage, update, sums);
          all.choose(count, options.records());
          all.run(count);
        } finally {
          store.settle();
          stage.fetch(store.workers(), count, found != null);
          stage.leave(piece.from(), count, found, options);
        }
      } finally {
        store.stages().giveBack(stage);
      }
    }
    sums.requireNoneStuck(store.name(), "insert", store.device());
    return new InsertCounts(
        sums.of(MapCodes.INSERTED), sums.of(MapCodes.PRESENT), sums.of(MapCodes.FULL));
  }

  private void choose(int count, @Nullable RecordPredicate predicate) {
    if (predicate != null) {
      Workers workers = store.workers();
      RecordTable table = store.table();
      workers.run(
          "choose",
          store.steps(count),
          (_, step) -> workers.launchOwn(table.chooseGiven(stage, predicate, step), step.size()));
    }
  }

  private void run(int count) {
    List<Step> left = store.steps(count);
    while (!left.isEmpty()) {
      left = insertSome(left);
    }
    if (update instanceof Update.Replaced) {
      store.gate().exclusively(() -> replace(count));
    }
  }

  /** Replaces the values of all keys that were present; nobody else is there. */
  private void replace(int count) {
    RecordTable used = store.table();
    Workers workers = store.workers();
    for (boolean second : new boolean[] {false, true}) {
      workers.run(
          "replace",
          store.steps(count),
          (_, step) -> workers.launchOwn(used.replace(stage, step, second), step.size()));
    }
  }

  /** Does steps, and makes room for what is left of them; returns that. */
  private List<Step> insertSome(List<Step> steps) {
    Queue<Step> left = new ConcurrentLinkedQueue<>();
    boolean inOrder = store.workers().count() == 1;
    store.gate().enterUpdate();
    RecordTable used = store.table();
    try {
      Change change = update.change(used, stage);
      store
          .workers()
          .run(
              "insert",
              steps,
              (worker, step) -> {
                DeviceLongs counters = stage.freshCounters(worker);
                boolean waits = inOrder && !left.isEmpty();
                if (waits || !used.take(step.size())) {
                  left.add(step);
                } else {
                  insertInto(used, step.size(), counters, step, change, 0);
                }
                sums.add(counters);
              });
    } finally {
      store.gate().leave(Gate.Mode.UPDATE);
    }
    List<Step> refused = List.copyOf(left);
    if (!refused.isEmpty() && store.isFixed()) {
      store.gate().exclusively(() -> refused.forEach(this::insertAlone));
      return List.of();
    }
    if (refused.isEmpty() || insertNew(used, refused)) {
      return List.of();
    }
    growFor(used, refused);
    return refused;
  }

  /** Inserts steps if a table has room for what of them is new; returns whether it had. */
  private boolean insertNew(RecordTable full, List<Step> steps) {
    return sums.shareInserted(0) <= NewKeys.MOST_NEW
        && NewKeys.insert(
            store.gate(),
            store.workers(),
            store::table,
            full,
            steps,
            (worker, step) -> countAbsent(full, worker, step),
            (worker, step, room) -> {
              DeviceLongs counters = stage.freshCounters(worker);
              insertInto(full, room, counters, step, update.change(full, stage), 0);
              sums.add(counters);
            });
  }

  /** How many keys of a step that are to be inserted are not there. */
  private long countAbsent(RecordTable used, int worker, Step step) {
    DeviceLongs counters = stage.freshCounters(worker);
    Workers workers = store.workers();
    int options = workers.options() | MapCodes.QUIESCENT;
    workers.launchOwn(used.count(stage, counters, step, options), step.size(), counters);
    return counters.get(MapCodes.ABSENT);
  }

  /** Inserts the keys of a step into room that was taken; gives back what was not needed. */
  private void insertInto(
      RecordTable used, long room, DeviceLongs counters, Step step, Change change, int more) {
    boolean known = false;
    try {
      launches.runOwn(
          (options, polls) -> used.insert(stage, counters, step, change, options, polls),
          more,
          step,
          counters);
      known = true;
    } catch (LaunchCancelledException e) {
      // It did not begin, and those before it are counted.
      known = true;
      throw e;
    } finally {
      used.giveBack(room - counters.get(MapCodes.INSERTED), known);
    }
  }

  private void growFor(RecordTable full, List<Step> left) {
    int workers = store.workers().count();
    long largest = left.stream().mapToLong(Step::size).max().orElse(0);
    long atOnce = largest * Math.min(left.size(), workers);
    store.grow(full, atOnce, atOnce);
  }

  /** Inserts the keys of a step against the room that is left; the caller is alone. */
  private void insertAlone(Step step) {
    RecordTable used = store.table();
    DeviceLongs counters = stage.freshCounters(0);
    long room = used.capacity - used.taken();
    boolean _ = used.take(room);
    counters.set(MapCodes.ROOM, room);
    counters.set(MapCodes.UNCLAIMED, room);
    insertInto(used, room, counters, step, update.change(used, stage), MapCodes.BOUNDED);
    sums.add(counters);
  }
}

package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.ChooseGiven;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.table.NewKeys;
import dev.gyre.structures.map.table.TextScratch;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.Gate;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.TextLaunches;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A bulk insert of text keys, in rounds of launches.
 *
 * <p>A step that may not have room for its keys does nothing; one that finds no room for their text
 * leaves those keys PENDING. Either is done again when table or arena have grown or, where the
 * capacity is fixed, alone, against the room that is left. One worker leaves all steps that follow,
 * too, since equal keys are to be taken in their order.
 */
public final class TextInsertion {

  /** Words that a thread of the JVM takes from the arena at once. */
  private static final long JVM_CHUNK = 1 << 9;

  private final TextStore store;
  private final TextKeys keys;
  private final TextScratch stage;
  private final Change change;
  private final Sums sums;
  private final TextLaunches launches;

  private TextInsertion(
      TextStore store, TextKeys keys, TextScratch stage, Change change, Sums sums) {
    this.store = store;
    this.keys = keys;
    this.stage = stage;
    this.change = change;
    this.sums = sums;
    this.launches = store.launches();
  }

  /** Inserts keys; if there is not the memory to grow, those that were not tried are SKIPPED. */
  static InsertCounts run(
      TextStore store,
      TextKeys keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {
    TextPredicate predicate = options.texts();
    BulkOptions _ = options.skipAll(keys.count());
    store.settle();
    Sums sums = new Sums();
    int count = keys.count();
    TextScratch stage = store.stages().borrow(count, store.workersFor(count));
    try {
      stage.enter(count, values, options);
      store.send(keys, stage);
      try {
        if (predicate != null) {
          choose(store, keys, stage, predicate);
        }
        new TextInsertion(store, keys, stage, change, sums).run(store.steps(count));
      } finally {
        store.settle();
        store.workers().readBack(stage.memories());
        stage.leave(count, found, options);
      }
    } finally {
      store.stages().giveBack(stage);
    }
    sums.requireNoneStuck(store.name(), "insert", store.device());
    return new InsertCounts(
        sums.of(MapCodes.INSERTED), sums.of(MapCodes.PRESENT), sums.of(MapCodes.FULL));
  }

  private static void choose(
      TextStore store, TextKeys keys, TextScratch stage, TextPredicate predicate) {
    Batch batch = stage.batch(keys.places());
    EntryPredicate ofPlaces = new TextPredicate.InBatch(predicate, keys.words());
    Workers workers = store.workers();
    workers.run(
        "choose",
        store.steps(keys.count()),
        (_, step) ->
            workers.launchOwn(
                new ChooseGiven(batch, ofPlaces, step.from(), step.to()), step.size()));
  }

  private void run(List<Step> steps) {
    List<Step> left = steps;
    while (!left.isEmpty()) {
      left = insertSome(left);
    }
  }

  /** Does steps, and makes room for what is left of them; returns that. */
  private List<Step> insertSome(List<Step> steps) {
    Queue<Step> left = new ConcurrentLinkedQueue<>();
    AtomicBoolean noText = new AtomicBoolean();
    boolean inOrder = store.workers().count() == 1;
    store.gate().enterUpdate();
    TextTable used = store.table();
    try {
      store
          .workers()
          .run(
              "insert",
              steps,
              (worker, step) -> {
                DeviceLongs counters = stage.freshCounters(worker);
                boolean waits = inOrder && !left.isEmpty();
                if (waits || !insertStep(used, counters, step)) {
                  left.add(step);
                }
                if (counters.get(MapCodes.PENDING) > 0) {
                  noText.set(true);
                }
                sums.add(counters);
              });
    } finally {
      store.gate().leave(Gate.Mode.UPDATE);
    }
    List<Step> refused = List.copyOf(left);
    if (!refused.isEmpty() && store.isFixed()) {
      insertAlone(refused);
      return List.of();
    }
    if (!refused.isEmpty() && !noText.get()) {
      refused = insertNew(used, refused, noText);
    }
    if (!refused.isEmpty()) {
      growFor(used, refused, noText.get());
    }
    return refused;
  }

  /** Inserts steps if a table has room for what of them is new; returns what is left of them. */
  private List<Step> insertNew(TextTable full, List<Step> steps, AtomicBoolean noText) {
    Queue<Step> left = new ConcurrentLinkedQueue<>();
    boolean inserted =
        sums.shareInserted(0) <= NewKeys.MOST_NEW
            && NewKeys.insert(
                store.gate(),
                store.workers(),
                store::table,
                full,
                steps,
                (worker, step) -> countAbsent(full, worker, step),
                (worker, step, room) -> {
                  DeviceLongs counters = stage.freshCounters(worker);
                  insertInto(full, room, counters, step, 0, 0);
                  if (counters.get(MapCodes.PENDING) > 0) {
                    left.add(step);
                    noText.set(true);
                  }
                  sums.add(counters);
                });
    return inserted ? List.copyOf(left) : steps;
  }

  /** How many keys of a step that are to be inserted are not there. */
  private long countAbsent(TextTable used, int worker, Step step) {
    DeviceLongs counters = stage.freshCounters(worker);
    Workers workers = store.workers();
    int options = workers.options() | MapCodes.QUIESCENT;
    workers.launch(
        used.count(workers, keys, stage, counters, step, options), step.size(), counters);
    return counters.get(MapCodes.ABSENT);
  }

  /** Inserts the keys of a step; returns whether there was room for all. */
  private boolean insertStep(TextTable used, DeviceLongs counters, Step step) {
    if (!used.take(step.size())) {
      return false;
    }
    // Where text has fixed room, none is to be left over in chunks.
    boolean ahead = store.onJvm() && !store.isFixed() && step.size() == TextStore.STEP;
    insertInto(used, step.size(), counters, step, 0, ahead ? JVM_CHUNK : 0);
    return counters.get(MapCodes.PENDING) == 0;
  }

  /** Inserts the keys of a step into room that was taken; gives back what was not needed. */
  private void insertInto(
      TextTable used, long room, DeviceLongs counters, Step step, int more, long chunk) {
    boolean known = false;
    try {
      launches.run(
          (options, polls) ->
              used.insert(
                  store.workers(), keys, stage, counters, step, change, options, chunk, polls),
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

  /** Makes room for what is left of steps: for their keys, and for all their text if need be. */
  private void growFor(TextTable full, List<Step> left, boolean text) {
    int workers = store.workers().count();
    long largest = left.stream().mapToLong(Step::size).max().orElse(0);
    long words = 0;
    if (text) {
      words = left.stream().mapToLong(s -> keys.room(s.from(), s.to())).sum() + JVM_CHUNK * workers;
    }
    store.growth().grow(full, largest * Math.min(left.size(), workers), words);
  }

  private void insertAlone(List<Step> steps) {
    store.gate().enterExclusive();
    try {
      steps.forEach(this::insertAlone);
    } finally {
      store.gate().leave(Gate.Mode.EXCLUSIVE);
    }
  }

  /**
   * Inserts the keys of a step against the room that is left. A thread of a device may find no room
   * for a key since another one has it, and inserts an equal key: such room is made good. What is
   * PENDING is FULL once a launch has inserted nothing, although there were no gaps before it.
   */
  private void insertAlone(Step step) {
    boolean again = true;
    boolean compacted = false;
    while (again) {
      TextTable used = store.table();
      DeviceLongs counters = stage.freshCounters(0);
      long room = used.capacity - used.taken();
      boolean _ = used.take(room);
      counters.set(MapCodes.ROOM, room);
      counters.set(MapCodes.UNCLAIMED, room);
      insertInto(used, room, counters, step, MapCodes.BOUNDED, 0);
      long inserted = counters.get(MapCodes.INSERTED);
      boolean pending = counters.get(MapCodes.PENDING) > 0;
      sums.add(counters);
      boolean news = inserted > 0 || !compacted;
      compacted = pending && news && store.growth().compact();
      again = pending && (compacted || inserted > 0);
      if (pending && !again) {
        giveUp(step);
      }
    }
  }

  private void giveUp(Step step) {
    store.workers().readBack(stage.outcomeMemory);
    DeviceLongs counters = stage.freshCounters(0);
    counters.set(MapCodes.FULL, stage.giveUp(step));
    store.workers().hostWrote(stage.outcomeMemory);
    sums.add(counters);
  }
}

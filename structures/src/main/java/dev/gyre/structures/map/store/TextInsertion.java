package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.GyreException;
import dev.gyre.kernels.Kernel;
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
import dev.gyre.structures.map.table.TextScratch;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import org.jspecify.annotations.Nullable;

/**
 * A bulk insert of text keys; see {@link Insertion}. A step that finds no room for the text of some
 * keys leaves these PENDING, and is put aside until there is.
 */
public final class TextInsertion extends Insertion<TextTable> {

  /** Words that a thread of the JVM takes from the arena at once. */
  private static final long JVM_CHUNK = 1 << 9;

  private final TextStore store;
  private final TextKeys keys;
  private final TextScratch stage;
  private final Change change;
  private final Sums sums;

  /** Whether a step left keys for want of room for their text, since there was some made. */
  private volatile boolean noText;

  private TextInsertion(
      TextStore store, TextKeys keys, int count, TextScratch stage, Change change, Sums sums) {
    super(store, store.workersFor(count), stage, sums);
    this.store = store;
    this.keys = keys;
    this.stage = stage;
    this.change = change;
    this.sums = sums;
    store.steps(count).forEach(this::addLeft);
  }

  /** Inserts keys; if there is not the memory to grow, those that were not tried are SKIPPED. */
  static InsertCounts run(
      TextStore store,
      TextKeys keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {
    int count = keys.count();
    BulkOptions _ = options.skipAll(count);
    store.settle();
    Sums sums = new Sums();
    TextPredicate predicate = options.texts();
    try {
      TextScratch stage = store.stages().borrow(count, store.stepsAtOnce(count));
      try {
        stage.enter(count, values, options);
        store.send(keys, stage, true);
        try {
          if (predicate != null) {
            choose(store, keys, count, stage, predicate);
          }
          new TextInsertion(store, keys, count, stage, change, sums).run();
        } finally {
          store.settle();
          stage.fetch(store.workers(), count, found != null);
          stage.leave(count, found, options);
        }
      } finally {
        store.stages().giveBack(stage);
      }
      return sums.inserts(store.name(), store.device());
    } catch (GyreException e) {
      throw sums.told(e, count);
    }
  }

  private static void choose(
      TextStore store, TextKeys keys, int count, TextScratch stage, TextPredicate predicate) {
    Batch batch = stage.batch(keys.places());
    EntryPredicate ofPlaces = new TextPredicate.InBatch(predicate, keys.words());
    store.runOwn("choose", count, step -> new ChooseGiven(batch, ofPlaces, step.from(), step.to()));
  }

  @Override
  void launch(TextTable used, DeviceLongs counters, Step step, int more) {
    used.warm(workers, keys, stage, step);
    // Where text has fixed room, none is to be left over in chunks.
    boolean chunks = workers.onJvm() && !store.isFixed() && step.size() == TextStore.STEP;
    long chunk = chunks ? JVM_CHUNK : 0;
    launches.run(
        (options, polls) ->
            used.insert(workers, keys, stage, counters, step, change, options, chunk, polls),
        more,
        step,
        counters);
    if (counters.get(MapCodes.PENDING) > 0 && (more & MapCodes.BOUNDED) == 0) {
      noText = true;
      putAside(step);
    }
  }

  @Override
  Kernel count(TextTable used, DeviceLongs counters, Step step, int options) {
    return used.count(workers, keys, stage, counters, step, options);
  }

  /** Where text was lacking, that is so whichever keys are new. */
  @Override
  void insertNew(TextTable full) {
    if (!noText) {
      super.insertNew(full);
    }
  }

  /**
   * Room for all text that is left, if need be. How many of the first keys were new, as of words,
   * says little about those that follow.
   */
  @Override
  void growFor(TextTable full, long left, long atOnce) {
    long words = 0;
    if (noText) {
      long chunks = JVM_CHUNK * store.workers().count();
      words = left().stream().mapToLong(s -> keys.room(s.from(), s.to())).sum() + chunks;
    }
    store.growth().grow(full, atOnce, words);
    noText = false;
  }

  /**
   * A thread of a device may find no room for a key since another one has it, and inserts an equal
   * key: such room is made good. What is PENDING is FULL once a launch has inserted nothing,
   * although there were no gaps before it.
   */
  @Override
  void insertAlone(Step step) {
    boolean again = true;
    boolean compacted = false;
    while (again) {
      DeviceLongs counters = insertIntoRest(step);
      long inserted = counters.get(MapCodes.INSERTED);
      boolean pending = counters.get(MapCodes.PENDING) > 0;
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

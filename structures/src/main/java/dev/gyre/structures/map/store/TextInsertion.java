package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
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
import dev.gyre.structures.map.work.TextLaunches;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bulk insert of text keys; see {@link SteppedInsertion}. */
public final class TextInsertion extends SteppedInsertion<TextTable> {

  /** Words that a thread of the JVM takes from the arena at once. */
  private static final long JVM_CHUNK = 1 << 9;

  private final TextStore store;
  private final TextKeys keys;
  private final TextScratch stage;
  private final Change change;
  private final Sums sums;

  private TextInsertion(
      TextStore store, TextKeys keys, TextScratch stage, Change change, Sums sums) {
    super(store, stage, sums);
    this.store = store;
    this.keys = keys;
    this.stage = stage;
    this.change = change;
    this.sums = sums;
  }

  /** Inserts keys; if there is not the memory to grow, those that were not tried are SKIPPED. */
  static InsertCounts run(
      TextStore store,
      TextKeys keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {
    BulkOptions _ = options.skipAll(keys.count());
    store.settle();
    Sums sums = new Sums();
    return sums.inserts(
        keys.count(),
        store.name(),
        store.device(),
        () -> insert(store, keys, values, change, found, options, sums));
  }

  private static void insert(
      TextStore store,
      TextKeys keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options,
      Sums sums) {
    TextPredicate predicate = options.texts();
    int count = keys.count();
    TextScratch stage = store.stages().borrow(count, store.stepsAtOnce(count));
    try {
      stage.enter(count, values, options);
      store.send(keys, stage, true);
      try {
        if (predicate != null) {
          choose(store, keys, stage, predicate);
        }
        new TextInsertion(store, keys, stage, change, sums).run(count);
      } finally {
        store.settle();
        stage.fetch(store.workers(), count, found != null);
        stage.leave(count, found, options);
      }
    } finally {
      store.stages().giveBack(stage);
    }
  }

  private static void choose(
      TextStore store, TextKeys keys, TextScratch stage, TextPredicate predicate) {
    Batch batch = stage.batch(keys.places());
    EntryPredicate ofPlaces = new TextPredicate.InBatch(predicate, keys.words());
    store.runOwn(
        "choose", keys.count(), step -> new ChooseGiven(batch, ofPlaces, step.from(), step.to()));
  }

  @Override
  TextLaunches.Kernels kernels(TextTable used, DeviceLongs counters, Step step) {
    return kernels(used, counters, step, 0);
  }

  private TextLaunches.Kernels kernels(
      TextTable used, DeviceLongs counters, Step step, long chunk) {
    return (options, polls) ->
        used.insert(store.workers(), keys, stage, counters, step, change, options, chunk, polls);
  }

  /** Where text has fixed room, none is to be left over in chunks. */
  @Override
  TextLaunches.Kernels ahead(TextTable used, DeviceLongs counters, Step step) {
    used.warm(store.workers(), keys, stage, step);
    boolean chunks = store.onJvm() && !store.isFixed() && step.size() == TextStore.STEP;
    return kernels(used, counters, step, chunks ? JVM_CHUNK : 0);
  }

  @Override
  Kernel count(TextTable used, DeviceLongs counters, Step step, int options) {
    return used.count(store.workers(), keys, stage, counters, step, options);
  }

  /** Room for all text that is left, if need be. */
  @Override
  void growFor(TextTable full, List<Step> left, long atOnce, boolean text) {
    long words = 0;
    if (text) {
      long chunks = JVM_CHUNK * store.workers().count();
      words = left.stream().mapToLong(s -> keys.room(s.from(), s.to())).sum() + chunks;
    }
    store.growth().grow(full, atOnce, words);
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

package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.ChooseFound;
import dev.gyre.kernels.map.ChooseGiven;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.table.TextScratch;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts of a bulk operation in memory of the caller, with values in scratch memory. */
final class TextBatch extends BulkKeys<TextTable> {

  /** Number of keys, read once: another thread may have begun to close them. */
  static final long JVM_CHUNK = 1 << 9;

  private final TextStore store;
  private final TextKeys keys;

  /** Number of keys, read once: another thread may have begun to close them. */
  private final int count;

  private final @Nullable Longs values;
  private final @Nullable Longs found;
  private final Change change;
  private final BulkOptions options;
  private final TextScratch scratch;

  /**
   * Creates the keys of an operation.
   *
   * @param count number of keys
   * @param values values of an insert; null for a lookup
   */
  TextBatch(
      TextStore store,
      TextKeys keys,
      int count,
      @Nullable Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options,
      TextScratch scratch) {
    super(
        store.workersFor(count),
        scratch,
        values == null && (found != null || options.texts() != null) ? MapCodes.VALUES : 0);
    this.store = store;
    this.keys = keys;
    this.count = count;
    this.values = values;
    this.change = change;
    this.found = found;
    this.options = options;
    this.scratch = scratch;
  }

  @Override
  List<Step> begin(TextTable table) {
    scratch.enter(count, values, options);
    workers.hostWrote(keys.words().memory(), keys.places().memory());
    scratch.send(workers, count, values != null);
    TextPredicate predicate = options.texts();
    if (predicate != null && values != null) {
      store.runOwn(
          "choose",
          count,
          step -> new ChooseGiven(batch(), inBatch(predicate), step.from(), step.to()));
    }
    return store.steps(count);
  }

  TextScratch scratch() {
    return scratch;
  }

  private Batch batch() {
    return scratch.batch(keys.places());
  }

  private TextPredicate.InBatch inBatch(TextPredicate predicate) {
    return new TextPredicate.InBatch(predicate, keys.words());
  }

  @Override
  void end() {
    scratch.fetch(workers, count, found != null);
    scratch.leave(count, found, options);
  }

  @Override
  void warm(TextTable used, Step step, boolean quiescent) {
    used.warm(workers, keys, scratch, step);
  }

  @Override
  Kernel insert(TextTable used, DeviceLongs counters, Step step, int these, long polls) {
    // If the capacity for text is fixed, chunks must not leave gaps.
    boolean chunks = workers.onJvm() && !store.isFixed() && step.size() == TextStore.STEP;
    long chunk = chunks ? JVM_CHUNK : 0;
    return used.insert(workers, keys, scratch, counters, step, change, these, chunk, polls);
  }

  @Override
  Kernel find(TextTable used, DeviceLongs counters, Step step, int these, long polls) {
    return used.find(workers, keys, scratch, counters, step, these, polls);
  }

  @Override
  Kernel count(TextTable used, DeviceLongs counters, Step step, int these) {
    return used.count(workers, keys, scratch, counters, step, these);
  }

  @Override
  @Nullable Kernel choose(TextTable used, DeviceLongs counters, Step step, int these) {
    TextPredicate predicate = options.texts();
    return predicate == null
        ? null
        : new ChooseFound(batch(), inBatch(predicate), counters, step.from(), step.to(), these);
  }

  /** Returns the arena words that the keys of a step may need. */
  long wordsFor(Step step) {
    return keys.room(step.from(), step.to());
  }
}

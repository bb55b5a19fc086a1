package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.REMOVED_KEY;
import static dev.gyre.kernels.map.MapCodes.REMOVES;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;
import static dev.gyre.kernels.map.MapCodes.VALUES;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Looks up a batch in a table, and removes the keys that it finds, with REMOVES.
 *
 * @param batch keys; with VALUES, the destination of values
 * @param counters counters of outcomes
 * @param from index of the first key
 * @param to index after the last key
 * @param options MASKED or AGAIN, OUTCOMES, VALUES, QUIESCENT, STRIPED and REMOVES
 * @param pollLimit polls after which a wait for another thread gives up
 * @since 0.1.0
 */
public record Find(
    Slots table,
    Batch batch,
    DeviceLongs counters,
    long from,
    long to,
    Options options,
    long pollLimit)
    implements Kernel {

  /** Creates a lookup with options as a bit set. */
  public Find(
      Slots table,
      Batch batch,
      DeviceLongs counters,
      long from,
      long to,
      int options,
      long pollLimit) {
    this(table, batch, counters, from, to, Options.ofFind(options), pollLimit);
  }

  /** Creates a lookup of keys that the host passes to a table. */
  Find(Slots table, BatchRange keys, int options, long pollLimit) {
    this(table, Batch.of(keys), keys.counters(), keys.from(), keys.to(), options, pollLimit);
  }

  @Override
  public void run(int thread, LaunchShape shape) {
    Slots table = this.table.copy();
    Numbers keys = batch.keys().copy();
    Numbers values = batch.values().copy();
    Bytes outcomes = batch.outcomes();
    long to = this.to;
    int options = this.options.sum();
    long pollLimit = this.pollLimit;
    int found = 0;
    int absent = 0;
    int stuck = 0;
    int threads = shape.threads();
    for (long i = from + thread; i < to; i += threads) {
      int begin = Batch.begin(outcomes, i, options);
      Probe.End end = Probe.find(table, keys.get(i), begin, options, pollLimit);
      int outcome = end.outcome();
      if ((options & VALUES) != 0 && outcome != SKIPPED) {
        values.set(i, outcome == FOUND ? table.value(end.slot(), end.seen(), options) : 0);
      }
      boolean removed = table.isRemovable() && (options & REMOVES) != 0 && outcome == FOUND;
      Batch.end(outcomes, i, removed ? REMOVED_KEY : outcome, options);
      found += outcome == FOUND ? 1 : 0;
      absent += outcome == ABSENT ? 1 : 0;
      stuck += outcome == STUCK ? 1 : 0;
    }
    Counting.add(counters, thread, FOUND, found, options);
    Counting.add(counters, thread, ABSENT, absent, options);
    if (table.waits()) {
      Counting.add(counters, thread, STUCK, stuck, options);
    }
  }
}

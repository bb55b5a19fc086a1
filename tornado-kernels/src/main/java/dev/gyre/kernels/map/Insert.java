package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.BOUNDED;
import static dev.gyre.kernels.map.MapCodes.FULL;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Inserts a batch into a table.
 *
 * <p>Each key is inserted by {@link Probe#insert}. A thread takes space in the arena for the texts
 * of several keys, and returns what is left at the end.
 *
 * @param counters counters of outcomes
 * @param from index of the first key
 * @param to index after the last key
 * @param change how the value of a present key changes
 * @param options MASKED or AGAIN, OUTCOMES, BOUNDED and STRIPED
 * @param pollLimit polls after which a wait for another thread gives up
 * @since 0.1.0
 */
public record Insert(
    Slots table,
    Batch batch,
    DeviceLongs counters,
    long from,
    long to,
    Change change,
    Options options,
    long pollLimit)
    implements Kernel {

  /** Creates an insert with options as a bit set. */
  public Insert(
      Slots table,
      Batch batch,
      DeviceLongs counters,
      long from,
      long to,
      Change change,
      int options,
      long pollLimit) {
    this(
        table,
        batch,
        counters,
        from,
        to,
        Options.isCounts(options, change) ? new Change.None() : change,
        Options.isCounts(options, change) ? new Options.Counts() : new Options.Given(options),
        pollLimit);
  }

  /**
   * Creates an insert with a change by its code.
   *
   * @param policy KEEP; FETCH, which writes the present value to the batch; ASSIGN to XOR
   */
  public Insert(
      Slots table,
      Batch batch,
      DeviceLongs counters,
      long from,
      long to,
      int policy,
      int options,
      long pollLimit) {
    this(table, batch, counters, from, to, new Change.Policy(policy), options, pollLimit);
  }

  @Override
  public void run(int thread, LaunchShape shape) {
    Slots table = this.table.copy();
    Numbers keys = batch.keys().copy();
    Numbers values = batch.values().copy();
    Bytes outcomes = batch.outcomes();
    DeviceLongs counters = this.counters;
    long to = this.to;
    Change change = this.change;
    int options = this.options.sum();
    long pollLimit = this.pollLimit;
    int inserted = 0;
    int present = 0;
    int full = 0;
    int stuck = 0;
    int pending = 0;
    int stripes = (options & BOUNDED) != 0 ? Room.stripes(counters) : 0;
    // The range of the arena that this thread has taken.
    long text = 0;
    long textEnd = 0;
    int threads = shape.threads();
    for (long i = from + thread; i < to; i += threads) {
      int begin = Batch.begin(outcomes, i, options);
      long key = keys.get(i);
      long needed = table.text(key);
      long space = table.lacks(needed, text, textEnd) ? Probe.NO_SPACE : text;
      long end = Probe.insert(table, key, values, i, begin, space, counters, stripes, pollLimit);
      // Constant for keys without text.
      boolean lacks = needed > 0 && Probe.outcome(end) == PENDING;
      if (lacks) {
        long chunk = table.chunk(needed);
        text = table.take(chunk);
        textEnd = text + chunk;
      }
      if (lacks && table.lacks(needed, text, textEnd)) {
        // Return it at once: it may suffice for the next key.
        table.giveBack(text, textEnd);
        text = 0;
        textEnd = 0;
        lacks = false;
      }
      if (lacks) {
        end = Probe.insert(table, key, values, i, SEARCHING, text, counters, stripes, pollLimit);
      }
      int outcome = Probe.outcome(end);
      text += outcome == INSERTED ? needed : 0;
      if (outcome == PRESENT) {
        change.change(table, Probe.slot(end), key, values, i);
      }
      Batch.end(outcomes, i, outcome, options);
      inserted += outcome == INSERTED ? 1 : 0;
      present += outcome == PRESENT ? 1 : 0;
      full += outcome == FULL ? 1 : 0;
      stuck += outcome == STUCK ? 1 : 0;
      pending += outcome == PENDING ? 1 : 0;
    }
    table.giveBack(text, textEnd);
    Counting.add(counters, thread, INSERTED, inserted, options);
    // Most threads have none of these; this test is cheaper than four additions.
    if ((present | full | stuck | pending) != 0) {
      Counting.add(counters, thread, PRESENT, present, options);
      Counting.add(counters, thread, FULL, full, options);
      Counting.add(counters, thread, STUCK, stuck, options);
      Counting.add(counters, thread, PENDING, pending, options);
    }
  }
}

package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.BOUNDED;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
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
 * <p><b>Protocol.</b> For each key, the thread probes slots from the key's home on. If it meets the
 * key, the key is PRESENT. Otherwise it claims the first EMPTY slot, fills it and publishes it. The
 * layout performs the accesses and waits; see {@link Slots}.
 *
 * <p><b>Invariant.</b> Everything that can fail is obtained before the claim, so that no slot stays
 * RESERVED. This is a {@linkplain CapacityCounters reservation} in the table, if it is bounded, and
 * space for the key's text in the arena. A thread that loses the claim keeps the space in the arena
 * for its next key, and returns the rest at the end.
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

  /** Creates an insert of keys that the host passes to a table. */
  Insert(Slots table, BatchRange keys, Change change, int options, long pollLimit) {
    this(
        table, Batch.of(keys), keys.counters(), keys.from(), keys.to(), change, options, pollLimit);
  }

  /** Returns the same insert for another range of keys. */
  public Insert range(long first, long end) {
    return new Insert(table, batch, counters, first, end, change, options, pollLimit);
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
    int stripes = (options & BOUNDED) != 0 ? CapacityCounters.stripes(counters) : 1;
    // The range of the arena that this thread has taken.
    long text = 0;
    long textEnd = 0;
    int threads = shape.threads();
    long slots = table.slots();
    for (long i = from + thread; i < to; i += threads) {
      int outcome = Batch.begin(outcomes, i, options);
      long key = keys.get(i);
      long hash = table.hash(key);
      long claimWord = table.claimWord(key, table.claimed(values, i));
      long needed = table.text(key);
      long home = table.home(key, hash);
      long slot = home;
      long polls = pollLimit;
      while (outcome == SEARCHING) {
        long seen = table.peek(slot);
        int reservation = CapacityCounters.TAKEN;
        boolean lacks = false;
        if (seen == EMPTY) {
          lacks = table.lacks(needed, text, textEnd);
        }
        if (lacks) {
          long chunk = table.chunk(needed);
          text = table.take(chunk);
          textEnd = text + chunk;
          reservation =
              table.lacks(needed, text, textEnd)
                  ? CapacityCounters.NO_TEXT
                  : CapacityCounters.TAKEN;
        }
        if (reservation == CapacityCounters.NO_TEXT) {
          // Return it at once: it may suffice for the next key.
          table.giveBack(text, textEnd);
          text = 0;
          textEnd = 0;
        }
        // Both are 0: one comparison, because device compilers may mistranslate two.
        boolean claims = (seen | reservation) == 0;
        if (claims && (options & BOUNDED) != 0) {
          reservation =
              CapacityCounters.take(counters, CapacityCounters.stripe(hash, stripes), stripes);
        }
        if (claims && reservation == CapacityCounters.TAKEN) {
          seen = table.claim(slot, claimWord);
          if ((options & BOUNDED) != 0) {
            CapacityCounters.endReservation(
                counters, CapacityCounters.stripe(hash, stripes), seen == EMPTY);
          }
        }
        if (claims && reservation == CapacityCounters.NONE) {
          // The last claims are visible, and one may be of this slot.
          seen = table.load(slot);
        }
        seen = table.await(slot, seen, pollLimit);
        boolean fills = (seen | reservation) == 0;
        if (fills) {
          table.fill(slot, key, hash, values, i, text);
          text += needed;
        }
        if (table.isOccupied(seen)) {
          if (table.matches(slot, seen, key, hash, claimWord)) {
            outcome = PRESENT;
            if (table.isRemovable()) {
              outcome = table.changePresent(slot, seen, key, values, i, change, pollLimit);
            }
          } else {
            slot = slot + 1 == slots ? 0 : slot + 1;
            outcome = slot == home ? FULL : SEARCHING;
          }
        } else {
          if (reservation == CapacityCounters.UNDECIDED) {
            polls = CapacityCounters.pause(counters, polls, pollLimit);
          }
          outcome = seen == EMPTY ? CapacityCounters.outcome(reservation, polls) : STUCK;
        }
      }
      if (outcome == PRESENT && !table.isRemovable()) {
        change.change(table, slot, key, values, i);
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

package dev.gyre.kernels.map.owned;

import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.VALUES;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Slots;

/**
 * Bulk operations on a table by threads of the JVM that own the slots they work on. Every table has
 * an EMPTY slot, where all searches end that come to no other end.
 */
public final class Owned {

  private Owned() {}

  /**
   * Inserts a batch; see {@link dev.gyre.kernels.map.Insert}.
   *
   * @param last the last slot that this thread owns, or -1 if it owns all; keys that would have to
   *     go on behind it are STUCK, which is written for each, asked for or not
   * @param options sum of MASKED and OUTCOMES
   */
  public static void insert(
      Slots slots,
      Batch batch,
      DeviceLongs counters,
      long from,
      long to,
      long last,
      Change change,
      int options) {
    OwnedSlots table = OwnedSlots.of(slots, batch);
    Told told = new Told(batch.outcomes(), from, to, options);
    for (long at = from; at < to; at += Told.LENGTH) {
      int count = (int) Math.min(Told.LENGTH, to - at);
      told.begin(at, count);
      int inserted = table.insert(last, at, count, told);
      table.publish(told, count);
      if (change.policy() != KEEP) {
        table.update(at, count, change, told);
      }
      told.end(at, count, inserted);
    }
    told.addInserts(counters);
  }

  /**
   * Looks up a batch where nobody updates; see {@link dev.gyre.kernels.map.Find}.
   *
   * @param options sum of MASKED, OUTCOMES and VALUES
   */
  public static void find(
      Slots slots, Batch batch, DeviceLongs counters, long from, long to, int options) {
    OwnedSlots table = OwnedSlots.of(slots, batch);
    Told told = new Told(batch.outcomes(), from, to, options);
    boolean fetches = (options & VALUES) != 0;
    for (long at = from; at < to; at += Told.LENGTH) {
      int count = (int) Math.min(Told.LENGTH, to - at);
      told.begin(at, count);
      told.end(at, count, table.find(at, count, told, fetches));
    }
    told.addFinds(counters);
  }
}

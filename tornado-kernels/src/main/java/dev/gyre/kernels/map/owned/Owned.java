package dev.gyre.kernels.map.owned;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.ADD;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.MAX;
import static dev.gyre.kernels.map.MapCodes.MIN;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;
import static dev.gyre.kernels.map.MapCodes.VALUES;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Numbers;
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
      int policy,
      int options) {
    OwnedSlots table = OwnedSlots.of(slots);
    Told told = new Told(batch.outcomes(), from, to, options);
    for (long at = from; at < to; at += Told.LENGTH) {
      int count = (int) Math.min(Told.LENGTH, to - at);
      told.begin(at, count);
      int inserted = insertBlock(table, slots, batch, last, at, count, told);
      table.publish(told, count);
      if (policy != KEEP) {
        update(table, batch.values(), at, count, policy, told);
      }
      told.end(at, count, inserted);
    }
    told.addInserts(counters);
  }

  private static int insertBlock(
      OwnedSlots table, Slots slots, Batch batch, long last, long at, int count, Told told) {
    byte[] codes = told.codes;
    long[] places = told.slots;
    Numbers keys = batch.keys();
    long length = slots.slots();
    int inserted = 0;
    for (int i = 0; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long key = keys.get(at + i);
      long slot = slots.home(key, slots.hash(key));
      long seen = table.word(slot);
      while (!table.same(seen, key) && slot != last && table.isFilled(slot, seen)) {
        slot = slot + 1 == length ? 0 : slot + 1;
        seen = table.word(slot);
      }
      byte code = PRESENT;
      if (table.isEmpty(slot, seen)) {
        table.write(slot, key, batch.values().get(at + i));
        code = INSERTED;
        inserted++;
      } else if (!table.same(seen, key) || !table.isFilled(slot, seen)) {
        code = STUCK;
        told.stuck++;
      }
      places[i] = slot;
      codes[i] = code;
    }
    return inserted;
  }

  private static void update(
      OwnedSlots table, Numbers values, long at, int count, int policy, Told told) {
    for (int i = 0; i < count; i++) {
      if (told.codes[i] == PRESENT) {
        long slot = told.slots[i];
        if (!table.hasValue(slot)) {
          told.codes[i] = STUCK;
          told.stuck++;
        } else if (policy == FETCH) {
          values.set(at + i, table.value(slot));
        } else {
          table.setValue(slot, applied(table.value(slot), values.get(at + i), policy));
        }
      }
    }
  }

  /** Sums of ints wrap around where they are written. */
  private static long applied(long value, long operand, int policy) {
    return switch (policy) {
      case ADD -> value + operand;
      case MIN -> Math.min(value, operand);
      case MAX -> Math.max(value, operand);
      default -> operand;
    };
  }

  /**
   * Looks up a batch where nobody updates; see {@link dev.gyre.kernels.map.Find}.
   *
   * @param options sum of MASKED, OUTCOMES and VALUES
   */
  public static void find(
      Slots slots, Batch batch, DeviceLongs counters, long from, long to, int options) {
    OwnedSlots table = OwnedSlots.of(slots);
    Told told = new Told(batch.outcomes(), from, to, options);
    boolean fetches = (options & VALUES) != 0;
    for (long at = from; at < to; at += Told.LENGTH) {
      int count = (int) Math.min(Told.LENGTH, to - at);
      told.begin(at, count);
      told.end(at, count, findBlock(table, slots, batch, at, count, told, fetches));
    }
    told.addFinds(counters);
  }

  private static int findBlock(
      OwnedSlots table, Slots slots, Batch batch, long at, int count, Told told, boolean fetches) {
    byte[] codes = told.codes;
    Numbers keys = batch.keys();
    long length = slots.slots();
    Numbers values = batch.values();
    int found = 0;
    for (int i = 0; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long key = keys.get(at + i);
      long slot = slots.home(key, slots.hash(key));
      long seen = table.word(slot);
      while (!table.same(seen, key) && table.isFilled(slot, seen)) {
        slot = slot + 1 == length ? 0 : slot + 1;
        seen = table.word(slot);
      }
      boolean there = table.isFilled(slot, seen) && table.hasValue(slot);
      if (fetches) {
        values.set(at + i, there ? table.value(slot) : 0);
      }
      found += there ? 1 : 0;
      byte code = there ? FOUND : ABSENT;
      if (!there && !table.isEmpty(slot, seen)) {
        code = STUCK;
        told.stuck++;
      }
      codes[i] = code;
    }
    return found;
  }
}

package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.FULL;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.DeviceLongs;

/**
 * Operations on one key in a kernel, with the memory orders of {@link Insert} and {@link Find}.
 * Device functions, for kernels of Gyre.
 *
 * @since 0.1.0
 */
public final class Probe {

  private Probe() {}

  /** Stands for a place in the arena: there is no space for the text of the key. */
  static final long NO_SPACE = -1;

  private static final int OUTCOME_BITS = 8;

  /** Outcome of a lookup, with its slot and what was read there. */
  record End(int outcome, long slot, long seen) {}

  /**
   * Inserts a key if it is absent.
   *
   * <p><b>Protocol.</b> The thread probes slots from the key's home on. If it meets the key, the
   * key is PRESENT. Otherwise it claims the first EMPTY slot, fills it and publishes it. The layout
   * performs the accesses and waits; see {@link Slots}.
   *
   * <p><b>Invariant.</b> Everything that can fail is obtained before the claim, so that no slot
   * stays RESERVED. This is a {@linkplain Room reservation} in the table, if it is bounded, and
   * space for the key's text in the arena.
   *
   * @param table a copy that no other thread has
   * @param i index of the value
   * @param begin SEARCHING; otherwise the outcome of a key that is excluded
   * @param text start of the space in the arena; with {@link #NO_SPACE}, an absent key is PENDING
   * @param stripes stripes of reservations, of which the key's is used; 0 if all keys fit
   * @return the {@link #outcome} and the {@link #slot}; a number, because it would be an allocation
   *     where the JVM does not inline this method
   */
  public static long insert(
      Slots table,
      long key,
      Numbers values,
      long i,
      int begin,
      long text,
      DeviceLongs counters,
      int stripes,
      long pollLimit) {
    int outcome = begin;
    boolean bounded = stripes > 0;
    int space = text < 0 ? Room.NO_TEXT : Room.TAKEN;
    long slots = table.slots();
    long hash = table.hash(key);
    long at = bounded ? Room.stripe(hash, stripes) : 0;
    long desired = table.desired(key, table.claimed(values, i));
    long home = table.home(key, hash);
    long slot = home;
    long polls = pollLimit;
    while (outcome == SEARCHING) {
      long seen = table.peek(slot);
      int room = space;
      // Both are 0: one comparison, because device compilers may mistranslate two.
      boolean claims = (seen | room) == 0;
      if (claims && bounded) {
        room = Room.take(counters, at, stripes);
      }
      if (claims && room == Room.TAKEN) {
        seen = table.claim(slot, desired);
        if (bounded) {
          Room.settle(counters, at, seen == EMPTY);
        }
      }
      if (claims && room == Room.NONE) {
        // The last claims are visible, and one may be of this slot.
        seen = table.load(slot);
      }
      seen = table.await(slot, seen, pollLimit);
      boolean fills = (seen | room) == 0;
      if (fills) {
        table.fill(slot, key, hash, values, i, text);
      }
      if (table.isFilled(seen)) {
        if (table.same(slot, seen, key, hash, desired)) {
          outcome = PRESENT;
        } else {
          slot = slot + 1 == slots ? 0 : slot + 1;
          outcome = slot == home ? FULL : SEARCHING;
        }
      } else {
        if (room == Room.UNDECIDED) {
          polls = Room.pause(counters, polls, pollLimit);
        }
        outcome = seen == EMPTY ? Room.outcome(room, polls) : STUCK;
      }
    }
    return slot << OUTCOME_BITS | outcome;
  }

  /** Returns the outcome of an insert. */
  public static int outcome(long inserted) {
    return (int) inserted & ((1 << OUTCOME_BITS) - 1);
  }

  /** Returns the slot of a key that an insert met or inserted. */
  public static long slot(long inserted) {
    return inserted >> OUTCOME_BITS;
  }

  /**
   * Looks up a key.
   *
   * @param table a copy that no other thread has
   * @param begin SEARCHING; otherwise the outcome of a key that is excluded
   * @param options options of {@link Slots#observe}
   */
  static End find(Slots table, long key, int begin, int options, long pollLimit) {
    int outcome = begin;
    long slots = table.slots();
    long hash = table.hash(key);
    long desired = table.desired(key, 0);
    long home = table.home(key, hash);
    long slot = home;
    long seen = EMPTY;
    while (outcome == SEARCHING) {
      seen = table.observe(slot, options, pollLimit);
      if (table.isFilled(seen)) {
        if (table.same(slot, seen, key, hash, desired)) {
          outcome = FOUND;
        } else {
          slot = slot + 1 == slots ? 0 : slot + 1;
          outcome = slot == home ? ABSENT : SEARCHING;
        }
      } else {
        outcome = seen == EMPTY ? ABSENT : STUCK;
      }
    }
    return new End(outcome, slot, seen);
  }
}

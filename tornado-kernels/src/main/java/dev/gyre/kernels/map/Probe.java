package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.FULL;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.REMOVES;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.DeviceLongs;

/**
 * Operations on one key in a kernel. Device functions, for kernels of Gyre.
 *
 * <p>{@link #insert} repeats the loop of {@link Insert}. If both shared one, bulk inserts of texts
 * on the JVM would take longer, because HotSpot does not inline a loop of this size.
 *
 * @since 0.1.0
 */
public final class Probe {

  private Probe() {}

  /** Outcome of a key, with its slot and what was read there. */
  public record End(int outcome, long slot, long seen) {}

  /**
   * Inserts a key if it is absent; its reservation is counted in the stripe of the key. If its text
   * does not fit, it is PENDING.
   *
   * @param table a copy that no other thread has
   * @param i index of the value
   * @param begin SEARCHING; otherwise the key is excluded
   * @param stripes stripes of reservations; 0 if all keys fit
   * @param change change of a present value, only if keys can be removed; otherwise the caller
   *     changes it
   */
  public static End insert(
      Slots table,
      long key,
      Numbers values,
      long i,
      int begin,
      DeviceLongs counters,
      int stripes,
      Change change,
      long pollLimit) {
    int outcome = begin;
    boolean bounded = stripes > 0;
    long slots = table.slots();
    long hash = table.hash(key);
    long at = bounded ? CapacityCounters.stripe(hash, stripes) : 0;
    long claimWord = table.claimWord(key, table.claimed(values, i));
    long needed = table.text(key);
    long home = table.home(key, hash);
    long slot = home;
    // The range of the arena for this key.
    long text = 0;
    long textEnd = 0;
    long polls = pollLimit;
    while (outcome == SEARCHING) {
      long seen = table.peek(slot);
      int reservation = CapacityCounters.TAKEN;
      boolean lacks = false;
      if (seen == EMPTY) {
        lacks = table.lacks(needed, text, textEnd);
      }
      if (lacks) {
        text = table.take(needed);
        textEnd = text + needed;
        reservation =
            table.lacks(needed, text, textEnd) ? CapacityCounters.NO_TEXT : CapacityCounters.TAKEN;
      }
      // Both are 0: one comparison, because device compilers may mistranslate two.
      boolean claims = (seen | reservation) == 0;
      if (claims && bounded) {
        reservation = CapacityCounters.take(counters, at, stripes);
      }
      if (claims && reservation == CapacityCounters.TAKEN) {
        seen = table.claim(slot, claimWord);
        if (bounded) {
          CapacityCounters.endReservation(counters, at, seen == EMPTY);
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
    table.giveBack(text, textEnd);
    return new End(outcome, slot, EMPTY);
  }

  /**
   * Looks up a key.
   *
   * @param table a copy that no other thread has
   * @param begin SEARCHING; otherwise the outcome of a key that is excluded
   * @param options options of {@link Slots#observe}, and REMOVES
   */
  static End find(Slots table, long key, int begin, int options, long pollLimit) {
    int outcome = begin;
    long slots = table.slots();
    long hash = table.hash(key);
    long claimWord = table.claimWord(key, 0);
    long home = table.home(key, hash);
    long slot = home;
    long seen = EMPTY;
    while (outcome == SEARCHING) {
      seen = table.observe(slot, options, pollLimit);
      if (table.isOccupied(seen)) {
        if (table.matches(slot, seen, key, hash, claimWord)) {
          outcome = FOUND;
          if (table.isRemovable() && (options & REMOVES) != 0) {
            outcome = table.remove(slot, seen, pollLimit);
          }
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

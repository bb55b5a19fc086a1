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
 * What is done with one key by a kernel that has one at a time: as {@link Insert} and {@link Find}
 * do with each key of a batch, in the same orders. Device functions, for kernels of Gyre.
 */
public final class Probe {

  private Probe() {}

  /** What became of a key, and the slot where that was seen, with what was seen there. */
  public record End(int outcome, long slot, long seen) {}

  /**
   * Inserts a key unless it is there; the room that it takes is counted in the stripe of the key.
   * Where there is no room for its text, it is PENDING.
   *
   * @param table a copy that nobody else has
   * @param i which value
   * @param begin SEARCHING; a key that is anything else is left alone
   * @param stripes of the room; 0 where there is room for all keys
   */
  public static End insert(
      Slots table,
      long key,
      Numbers values,
      long i,
      int begin,
      DeviceLongs counters,
      int stripes,
      long pollLimit) {
    int outcome = begin;
    boolean bounded = stripes > 0;
    long slots = table.slots();
    long hash = table.hash(key);
    long at = bounded ? Room.stripe(hash, stripes) : 0;
    long desired = table.desired(key, table.claimed(values, i));
    long needed = table.text(key);
    long home = table.home(key, hash);
    long slot = home;
    // What this key has of the arena.
    long text = 0;
    long textEnd = 0;
    long polls = pollLimit;
    while (outcome == SEARCHING) {
      long seen = table.peek(slot);
      int room = Room.TAKEN;
      boolean lacks = false;
      if (seen == EMPTY) {
        lacks = table.lacks(needed, text, textEnd);
      }
      if (lacks) {
        text = table.take(needed);
        textEnd = text + needed;
        room = table.lacks(needed, text, textEnd) ? Room.NO_TEXT : Room.TAKEN;
      }
      // Both are 0: one comparison, since what hangs on two may come out wrong on devices.
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
        // The last claims are seen, and one may be of this slot.
        seen = table.load(slot);
      }
      seen = table.await(slot, seen, pollLimit);
      boolean fills = (seen | room) == 0;
      if (fills) {
        table.fill(slot, key, hash, values, i, text);
        text += needed;
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
    table.giveBack(text, textEnd);
    return new End(outcome, slot, EMPTY);
  }

  /**
   * Looks for a key.
   *
   * @param table a copy that nobody else has
   */
  static End find(Slots table, long key, long pollLimit) {
    int outcome = SEARCHING;
    long slots = table.slots();
    long hash = table.hash(key);
    long desired = table.desired(key, 0);
    long home = table.home(key, hash);
    long slot = home;
    long seen = EMPTY;
    while (outcome == SEARCHING) {
      seen = table.observe(slot, 0, pollLimit);
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

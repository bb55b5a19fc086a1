package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.FULL;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.Bytes;

/**
 * Which items of a kernel are still to be done, where some may find no room in a map. The kernel
 * asks before it does one, and notes what became of it; launched again, once there is room, it does
 * what is open and nothing else. So what was merged is not merged again.
 *
 * <pre>{@code
 * for (long i = thread; i < items; i += shape.threads()) {
 *   if (open.isOpen(i)) {
 *     open.note(i, sums.merge(keys.get(i), values.get(i), MapCodes.ADD));
 *   }
 * }
 * }</pre>
 *
 * <p>An item is one key of one map: a kernel that inserts into two has marks for each, since one
 * may find room and the other not.
 *
 * @param done a byte for each item, of a memory of its own: 0, as in new memory, while it is open.
 *     It is the thread's that does the item
 */
public record OpenItems(Bytes done) {

  /** Whether an item is still to be done. */
  public boolean isOpen(long item) {
    return done.get(item) == 0;
  }

  /** Says what became of an item: it stays open where its key was FULL or STUCK. */
  public void note(long item, int outcome) {
    int ends = outcome == FULL ? 0 : outcome == STUCK ? 0 : 1;
    // plain: one thread does an item; the end of the launch publishes it
    done.set(item, (byte) ends);
  }
}

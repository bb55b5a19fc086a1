package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.FULL;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.Bytes;

/**
 * Marks of the items that a kernel still has to do, if some keys may not fit in a map.
 *
 * <pre>{@code
 * for (long i = thread; i < items; i += shape.threads()) {
 *   if (open.isOpen(i)) {
 *     open.note(i, sums.merge(keys.get(i), values.get(i), MapCodes.ADD));
 *   }
 * }
 * }</pre>
 *
 * <p>The kernel checks each item before it does it, and notes the outcome. The next launch, after
 * growth, does only the open items, so that no value is merged twice. An item is one key of one
 * map: a kernel that inserts into two maps needs marks for each.
 *
 * @param done one byte per item, in separate memory: 0, as in new memory, while the item is open.
 *     Only the thread of the item accesses it
 * @since 0.1.0
 */
public record OpenItems(Bytes done) {

  /** Returns whether an item is open. */
  public boolean isOpen(long item) {
    return done.get(item) == 0;
  }

  /** Notes the outcome of an item, which stays open if it is FULL or STUCK. */
  public void note(long item, int outcome) {
    int ends = outcome == FULL ? 0 : outcome == STUCK ? 0 : 1;
    // plain: one thread does an item; the end of the launch publishes it
    done.set(item, (byte) ends);
  }
}

package dev.gyre.structures.map.access;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.Cursor;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.TaskRange;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntPredicate;

/** {@link Walk} over entries of numbers. */
@IntSpecialized
public final class LongWalk extends Walk<LongTable, LongWalk> implements Cursor {

  private int size;
  private long[] keys = new long[1 << 4];
  private long[] values = new long[1 << 4];

  LongWalk(LongStore store) {
    super(store);
  }

  private LongWalk(LongWalk other) {
    super(other);
  }

  @Override
  LongWalk split() {
    return new LongWalk(this);
  }

  /**
   * Collects the entries of a part. After an EMPTY slot, up to the part's last home, all keys are
   * of this part: others would have passed that slot. If it is filled later, other keys may have
   * passed it, for example keys from the end of the table, which appear again with the last part.
   */
  @Override
  int collect(LongTable table) {
    size = 0;
    long first = home(part, table.slots);
    long end = home(part + 1, table.slots);
    long mixed = first;
    while (mixed < end && table.state(mixed) != MapCodes.EMPTY) {
      mixed++;
    }
    add(table, new TaskRange(first, mixed));
    int sure = size;
    copy(table, new TaskRange(mixed, end));
    // acquire: a thread that passed the slot filled it before
    VarHandle.acquireFence();
    if (mixed < end && !table.isUntouched(mixed)) {
      keepOwn(table, sure);
    }
    long stop = end;
    while (stop < first + table.slots && table.state(stop % table.slots) != MapCodes.EMPTY) {
      stop++;
    }
    add(table, new TaskRange(end, Math.min(stop, table.slots)));
    add(table, new TaskRange(0, Math.max(0, stop - table.slots)));
    add(table, new TaskRange(table.slots, table.places()));
    if (table.inKernels().isRemovable()) {
      dropRepeated();
    }
    return size;
  }

  /** Adds the entries of some slots whose keys are of this part. */
  private void add(LongTable table, TaskRange slots) {
    int from = size;
    copy(table, slots);
    keepOwn(table, from);
  }

  /** Adds all entries of some slots. */
  private void copy(LongTable table, TaskRange slots) {
    if (slots.size() == 0) {
      return;
    }
    int needed = size + (int) slots.size();
    if (keys.length < needed) {
      keys = Arrays.copyOf(keys, Math.max(2 * size, needed));
      values = Arrays.copyOf(values, keys.length);
    }
    size += table.copyEntries(slots, keys, values, size);
  }

  /** Removes the entries from an index on whose keys are of other parts. */
  private void keepOwn(LongTable table, int from) {
    keepIf(from, i -> table.partition(keys[i], bits) == part);
  }

  /**
   * Removes all but the first entry of each key: a key may have been removed and inserted again
   * behind.
   */
  private void dropRepeated() {
    Set<Long> met = new HashSet<>();
    keepIf(0, i -> met.add(keys[i]));
  }

  private void keepIf(int from, IntPredicate keeps) {
    int all = size;
    size = from;
    for (int i = from; i < all; i++) {
      keys[size] = keys[i];
      values[size] = values[i];
      size += keeps.test(i) ? 1 : 0;
    }
  }

  @Override
  public long key() {
    return keys[at];
  }

  @Override
  public long value() {
    return values[at];
  }
}

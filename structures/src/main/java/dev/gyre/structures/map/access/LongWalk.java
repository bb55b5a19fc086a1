package dev.gyre.structures.map.access;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Step;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Walks over the entries of a store, weakly consistent: each key that is there when the walk begins
 * comes once, one that is inserted meanwhile may come, and each with a value that it has had since
 * the walk began.
 *
 * <p>The walk goes by parts of the hash, one after the other. Keys of one part are in the slots
 * from the part's first home on, up to the first EMPTY slot behind its last home, in a table of any
 * size; so a walk goes on in the next table where the map grows, and begins the part again. Where
 * the map was moved to a device meanwhile, the walk waits for updates and brings the table home.
 */
public final class LongWalk {

  private static final long SLOTS_PER_PART = 1 << 10;
  private static final int MAX_BITS = 30;

  private final LongStore store;
  private final int bits;
  private int part;
  private int size;
  private long[] keys = new long[1 << 4];
  private long[] values = new long[1 << 4];

  LongWalk(LongStore store) {
    this.store = store;
    long parts = Math.max(2, store.table().slots / SLOTS_PER_PART);
    this.bits = Math.min(MAX_BITS, 63 - Long.numberOfLeadingZeros(parts));
  }

  /** Collects the entries of the next part; returns false at the end, where there are none. */
  public boolean next() {
    while (part < 1 << bits) {
      long version = store.version();
      LongTable table = store.table();
      size = 0;
      try {
        if ((version & 1) == 0 && store.onJvm()) {
          collect(table);
        } else if ((version & 1) == 0) {
          store.whenQuiescent(this::collect);
        }
        // acquire: the slots were read before the version is read again
        VarHandle.acquireFence();
        if (store.version() == version) {
          part++;
          return true;
        }
      } catch (IllegalStateException | ClosedException e) {
        store.requireReplaced(table, version, e);
      }
    }
    size = 0;
    return false;
  }

  /**
   * Behind an EMPTY slot, up to the part's last home, all keys are of this part: others would have
   * had to pass that slot. Where it is taken afterwards, some may have, such as keys that came
   * around the end of the table, which come once more with the last part.
   */
  private void collect(LongTable table) {
    long first = home(part, table.slots);
    long end = home(part + 1, table.slots);
    long mixed = first;
    while (mixed < end && table.state(mixed) != MapCodes.EMPTY) {
      mixed++;
    }
    add(table, new Step(first, mixed));
    int sure = size;
    copy(table, new Step(mixed, end));
    // acquire: who passed the slot took it before
    VarHandle.acquireFence();
    if (mixed < end && !table.isUntouched(mixed)) {
      keepOwn(table, sure);
    }
    long visited = end - first;
    int state = MapCodes.FILLED;
    while (visited < table.slots && state != MapCodes.EMPTY) {
      long slot = first + visited < table.slots ? first + visited : first + visited - table.slots;
      state = table.state(slot);
      add(table, new Step(slot, slot + 1));
      visited++;
    }
    add(table, new Step(table.slots, table.places()));
  }

  /** The first slot that can be the home of a key of a part. */
  private long home(int ofPart, long slots) {
    long hash = (long) ofPart << (64 - bits);
    return ofPart == 1 << bits ? slots : Math.unsignedMultiplyHigh(hash, slots);
  }

  /** Adds entries of some slots whose keys are of this part. */
  private void add(LongTable table, Step slots) {
    int from = size;
    copy(table, slots);
    keepOwn(table, from);
  }

  /** Adds all entries of some slots. */
  private void copy(LongTable table, Step slots) {
    int room = size + (int) slots.size();
    if (keys.length < room) {
      keys = Arrays.copyOf(keys, Math.max(2 * size, room));
      values = Arrays.copyOf(values, keys.length);
    }
    size += table.copyEntries(slots, keys, values, size);
  }

  /** Leaves those out, of the entries from one on, whose keys are of other parts. */
  private void keepOwn(LongTable table, int from) {
    int all = size;
    size = from;
    for (int i = from; i < all; i++) {
      keys[size] = keys[i];
      values[size] = values[i];
      size += table.part(keys[i], bits) == part ? 1 : 0;
    }
  }

  /** Number of entries of the part. */
  public int size() {
    return size;
  }

  public /* int */ long key(int index) {
    return keys[index];
  }

  public /* int */ long value(int index) {
    return values[index];
  }
}

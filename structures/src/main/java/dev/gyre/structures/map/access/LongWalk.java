package dev.gyre.structures.map.access;

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
  private long[] copiedKeys = new long[1 << 4];
  private long[] copiedValues = new long[1 << 4];

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
      } catch (IllegalStateException e) {
        store.requireReplaced(table, version, e);
      }
    }
    size = 0;
    return false;
  }

  private void collect(LongTable table) {
    long first = home(part, table.slots);
    long sure = Math.min(table.slots, home(part + 1, table.slots) - first + 1);
    long end = Math.min(table.slots, first + sure);
    add(table, new Step(first, end));
    add(table, new Step(0, first + sure - end));
    long visited = sure;
    long slot = last(table, first, visited);
    while (visited < table.slots && table.state(slot) != MapCodes.EMPTY) {
      visited++;
      slot = last(table, first, visited);
      add(table, new Step(slot, slot + 1));
    }
    add(table, new Step(table.slots, table.places()));
  }

  /** The last of so many slots from one on. */
  private static long last(LongTable table, long first, long visited) {
    long slot = first + visited - 1;
    return slot < table.slots ? slot : slot - table.slots;
  }

  /** The first slot that can be the home of a key of a part. */
  private long home(int ofPart, long slots) {
    long hash = (long) ofPart << (64 - bits);
    return ofPart == 1 << bits ? slots : Math.unsignedMultiplyHigh(hash, slots);
  }

  /** Adds the entries of some slots whose keys are of this part. */
  private void add(LongTable table, Step slots) {
    int room = (int) slots.size();
    if (copiedKeys.length < room) {
      copiedKeys = new long[room];
      copiedValues = new long[room];
    }
    int copied = table.copyEntries(slots, copiedKeys, copiedValues);
    if (keys.length < size + copied) {
      keys = Arrays.copyOf(keys, Math.max(2 * size, size + copied));
      values = Arrays.copyOf(values, keys.length);
    }
    for (int i = 0; i < copied; i++) {
      keys[size] = copiedKeys[i];
      values[size] = copiedValues[i];
      size += table.part(copiedKeys[i], bits) == part ? 1 : 0;
    }
  }

  /** Number of entries of the part. */
  public int size() {
    return size;
  }

  public long key(int index) {
    return keys[index];
  }

  public long value(int index) {
    return values[index];
  }
}

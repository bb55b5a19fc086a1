package dev.gyre.structures.map.access;

import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.LongTable;
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
      } catch (IllegalStateException e) {
        store.requireReplaced(table, version, e);
      }
    }
    size = 0;
    return false;
  }

  private void collect(LongTable table) {
    long first = home(part, table.slots);
    long sure = home(part + 1, table.slots) - first + 1;
    long visited = 0;
    boolean more = true;
    while (more) {
      long slot = first + visited < table.slots ? first + visited : first + visited - table.slots;
      int state = table.state(slot);
      if (state == MapCodes.FILLED) {
        add(table, slot);
      }
      visited++;
      more = visited < table.slots && (visited < sure || state != MapCodes.EMPTY);
    }
    for (long slot = table.slots; slot < table.places(); slot++) {
      if (table.state(slot) == MapCodes.FILLED) {
        add(table, slot);
      }
    }
  }

  /** The first slot that can be the home of a key of a part. */
  private long home(int ofPart, long slots) {
    long hash = (long) ofPart << (64 - bits);
    return ofPart == 1 << bits ? slots : Math.unsignedMultiplyHigh(hash, slots);
  }

  private void add(LongTable table, long slot) {
    long key = table.key(slot);
    if (Hashing.part(key, table.seed, bits) == part) {
      if (size == keys.length) {
        keys = Arrays.copyOf(keys, 2 * size);
        values = Arrays.copyOf(values, 2 * size);
      }
      keys[size] = key;
      values[size++] = table.value(slot);
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

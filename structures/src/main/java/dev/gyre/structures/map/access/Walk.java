package dev.gyre.structures.map.access;

import dev.gyre.structures.map.store.Store;
import dev.gyre.structures.map.table.FixedTable;

/**
 * Weakly consistent walk over the entries of a store on the JVM.
 *
 * <p><b>Guarantee.</b> Each key that is present when the walk begins appears once. A key that is
 * inserted meanwhile may appear. Each value is one that its key had since the walk began.
 *
 * <p><b>Method.</b> The walk proceeds by parts of the hash. Keys of one part are in the slots from
 * the part's first home to the first EMPTY slot after its last home, in a table of any size with
 * the same seed. So if the map grows, the walk continues in the next table, and begins the part
 * again. If the map is cleared, its table has another seed, and the walk ends: no key of the walk
 * is left.
 *
 * @param <T> tables of the store
 * @param <W> the walk itself
 */
public abstract class Walk<T extends FixedTable, W extends Walk<T, W>> {

  private static final long SLOTS_PER_PART = 1 << 10;
  private static final int MAX_BITS = 30;

  private final Store<T, ?> store;
  private final long seed;
  final int bits;

  /** Number of the present part. */
  int part;

  /** Number after the last part. */
  private int end;

  /** Number of entries of the part that was collected last, and the index of the present one. */
  private int size;

  int at = -1;

  Walk(Store<T, ?> store) {
    this.store = store;
    T table = store.table();
    this.seed = table.seed;
    long parts = Math.max(2, table.slots / SLOTS_PER_PART);
    this.bits = Math.min(MAX_BITS, 63 - Long.numberOfLeadingZeros(parts));
    this.end = 1 << bits;
  }

  /**
   * Creates a walk over the second half of the parts that another walk has left, which then ends
   * before them.
   */
  Walk(Walk<T, W> other) {
    this.store = other.store;
    this.seed = other.seed;
    this.bits = other.bits;
    this.end = other.end;
    this.part = other.part + (other.end - other.part) / 2;
    other.end = part;
  }

  /** Returns a walk over the second half of the remaining parts; they must be two or more. */
  abstract W split();

  /** Returns whether there are parts left for two walks. */
  final boolean canSplit() {
    return end - part > 1;
  }

  /** Returns the approximate number of entries that are left. */
  final long estimate() {
    return size - at - 1 + (long) ((double) store.size() * (end - part) / (1L << bits));
  }

  /** Goes to the next entry; returns false at the end. */
  public final boolean next() {
    at++;
    while (at >= size) {
      at = 0;
      if (part == end) {
        // Before the end, so that further calls return false, too.
        at = -1;
        size = 0;
        return false;
      }
      size = read();
      part++;
    }
    return true;
  }

  /** Collects the entries of the part from the present table; returns how many there are. */
  int read() {
    return OptimisticRead.of(store, 0, this::collectOwn);
  }

  /** Collects the entries of the part, unless the map was cleared since the walk began. */
  final int collectOwn(T table) {
    return table.seed == seed ? collect(table) : 0;
  }

  /** Collects the entries of the part; returns how many there are. */
  abstract int collect(T table);

  /** Returns the first slot that can be the home of a key of a part. */
  final long home(int ofPart, long slots) {
    long hash = (long) ofPart << (64 - bits);
    return ofPart == 1 << bits ? slots : Math.unsignedMultiplyHigh(hash, slots);
  }
}

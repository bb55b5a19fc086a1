package dev.gyre.structures.map.store;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.exclusive.KeyReader;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Workers;
import org.jspecify.annotations.Nullable;

/**
 * Plan of a bulk operation on numbers. It is chosen once, by the number of keys, by their place,
 * and by the options.
 *
 * <p>On the JVM, results other than counts need scratch memory, and so do inserts by several
 * workers: {@link Batches}. In all other cases threads work on memory of the caller in place.
 */
@IntSpecialized
interface LongPlan {

  /** Plan of an insert. */
  sealed interface OfInsert {}

  /** Plan of a lookup. */
  sealed interface OfFind {}

  /**
   * Largest number of keys that are inserted singly: the preparation for more would take longer.
   */
  int MAX_SINGLE = 16;

  // Table size up to which a key takes little time, in bytes.
  long NEAR_BYTES = 1 << 16;
  long CACHED_BYTES = 1 << 24;
  long NEAR_NANOS = 5;
  long CACHED_NANOS = 12;
  long FAR_NANOS = 30;

  /** The calling thread inserts keys one by one, concurrently with other updates. */
  record Singly(int policy) implements OfInsert {}

  /**
   * The calling thread inserts as the exclusive writer. If other updates run, it inserts
   * concurrently with them: few keys one by one, more keys in batches.
   */
  record Exclusively() implements OfInsert {}

  /** Workers of the JVM look keys up without the lock. */
  record Outside(Workers workers) implements OfFind {}

  /** Keys are copied to scratch memory in batches. */
  record Batches() implements OfInsert, OfFind {}

  /** A device works on keys that it can access in place. */
  record InPlace() implements OfInsert, OfFind {}

  /** Returns the plan of an insert. */
  static OfInsert ofInsert(
      LongStore store,
      Longs keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {
    if (!store.onJvm()) {
      boolean inPlace =
          LongDeviceBatch.holds(store, options, keys, values, found)
              || (LongDeviceBatch.reaches(store, options, keys, values, found)
                  && PartitionedInsert.isCached(store.table(), keys.length()));
      return inPlace ? new InPlace() : new Batches();
    }
    if (!options.isNone() || !isPlain(keys) || !isPlain(values) || !isPlain(found)) {
      LongDeviceBatch.requireAlike(options, keys, values, found);
      return new Batches();
    }
    if (keys.length() <= MAX_SINGLE
        && !store.isRemovable()
        && change instanceof Change.Policy(int policy)
        && store.reader() instanceof KeyReader.Writer) {
      return new Singly(policy);
    }
    Workers workers = workersFor(store, keys.length(), true);
    boolean alone =
        found == null
            && (keys.length() <= LongBatch.STEP
                || (workers.count() == 1 && keys.length() <= LongBatch.MAX_UNORDERED))
            && partitionBits(workers, store.table(), keys.length(), true) == 0;
    return alone ? new Exclusively() : new Batches();
  }

  /** Returns the plan of a lookup. */
  static OfFind ofFind(LongStore store, Longs keys, @Nullable Longs found, BulkOptions options) {
    if (!store.onJvm()) {
      boolean inPlace =
          LongDeviceBatch.holds(store, options, keys, found)
              || LongDeviceBatch.reaches(store, options, keys, found);
      return inPlace ? new InPlace() : new Batches();
    }
    if (!options.isNone() || !isPlain(keys) || !isPlain(found)) {
      LongDeviceBatch.requireAlike(options, keys, found);
      return new Batches();
    }
    KeyReader reader = store.reader();
    boolean few = keys.length() <= MAX_SINGLE;
    if (reader == null || (reader.isChecked() && !few) || (found != null && isSame(keys, found))) {
      return new Batches();
    }
    Workers workers = workersFor(store, keys.length(), false);
    return few || partitionBits(workers, store.table(), keys.length(), false) == 0
        ? new Outside(workers)
        : new Batches();
  }

  private static boolean isPlain(@Nullable Longs elements) {
    return elements == null || (elements.isInSegment() && !elements.isOnDevice());
  }

  /** Returns whether values overwrite keys, which may have to be read again. */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  private static boolean isSame(Longs keys, Longs found) {
    boolean arrays = keys.array() != null && found.array() != null;
    return arrays
        ? keys.array() == found.array()
        : keys.segment().asOverlappingSlice(found.segment()).isPresent();
  }

  /**
   * Returns the workers for a number of keys, on which the plan depends.
   *
   * @param updates whether the keys are inserted
   */
  static Workers workersFor(LongStore store, long keys, boolean updates) {
    return store.workers().forWork(keys * nanos(store.table().byteSize()), updates);
  }

  /** Returns the approximate time of a key in a table of a given size, in nanoseconds. */
  static long nanos(long bytes) {
    return bytes <= NEAR_BYTES ? NEAR_NANOS : bytes <= CACHED_BYTES ? CACHED_NANOS : FAR_NANOS;
  }

  /**
   * Returns the number of hash bits by which a batch is ordered; 0 for no order.
   *
   * @param updates whether the batch is inserted
   */
  static int partitionBits(Workers workers, LongTable table, long length, boolean updates) {
    return workers.onJvm() ? LongOrder.partitionBits(table, length, workers.count(), updates) : 0;
  }
}

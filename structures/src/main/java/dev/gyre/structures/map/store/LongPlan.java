package dev.gyre.structures.map.store;

import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.owned.KeyReader;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Workers;
import org.jspecify.annotations.Nullable;

/**
 * How a bulk operation on numbers is done. It is chosen once, by the number of keys, by where they
 * are, and by what the caller asks for.
 *
 * <p>On the JVM, what is asked for beside counts needs scratch memory, and so do several workers
 * that insert: {@link Batches}. All else the threads do from and to where the caller has the keys.
 */
@IntTwin
interface LongPlan {

  /** Of an insert. */
  sealed interface OfInsert {}

  /** Of a find. */
  sealed interface OfFind {}

  /** So many keys, at most, are inserted one by one: to prepare for more would take longer. */
  int MAX_SINGLE = 16;

  // What a key takes, about, by how large the table is; the ways of few keys are known by heart.
  long NEAR_BYTES = 1 << 16;
  long CACHED_BYTES = 1 << 24;
  long NEAR_NANOS = 5;
  long CACHED_NANOS = 12;
  long FAR_NANOS = 30;

  /** The calling thread inserts keys one by one, beside other updates. */
  record Singly(int policy) implements OfInsert {}

  /**
   * The calling thread inserts as the exclusive writer; if there are other updates, beside them:
   * few keys one by one, more in batches.
   */
  record Exclusively() implements OfInsert {}

  /** Workers of the JVM look keys up outside of the lock. */
  record Outside(Workers workers) implements OfFind {}

  /** In batches, which are copied to scratch memory. */
  record Batches() implements OfInsert, OfFind {}

  /** On a device, where the keys are. */
  record InPlace() implements OfInsert, OfFind {}

  /** The plan of an insert. */
  static OfInsert ofInsert(
      LongStore store,
      Longs keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {
    if (!store.onJvm()) {
      boolean inPlace =
          LongResident.holds(store, options, keys, values, found)
              || (LongResident.reaches(store, options, keys, values, found)
                  && PartitionedInsert.isCached(store.table(), keys.length()));
      return inPlace ? new InPlace() : new Batches();
    }
    if (!options.isNone() || !isPlain(keys) || !isPlain(values) || !isPlain(found)) {
      LongResident.requireAlike(options, keys, values, found);
      return new Batches();
    }
    if (keys.length() <= MAX_SINGLE
        && change instanceof Change.Policy(int policy)
        && store.reader() instanceof KeyReader.Writer) {
      return new Singly(policy);
    }
    Workers workers = workersFor(store, keys.length(), true);
    boolean alone =
        found == null
            && (keys.length() <= LongBatch.STEP
                || (workers.count() == 1 && keys.length() <= LongBatch.MAX_UNORDERED))
            && regionBits(workers, store.table(), keys.length(), true) == 0;
    return alone ? new Exclusively() : new Batches();
  }

  /** The plan of a find. */
  static OfFind ofFind(LongStore store, Longs keys, @Nullable Longs found, BulkOptions options) {
    if (!store.onJvm()) {
      boolean inPlace =
          LongResident.holds(store, options, keys, found)
              || LongResident.reaches(store, options, keys, found);
      return inPlace ? new InPlace() : new Batches();
    }
    if (!options.isNone() || !isPlain(keys) || !isPlain(found)) {
      LongResident.requireAlike(options, keys, found);
      return new Batches();
    }
    KeyReader reader = store.reader();
    boolean few = keys.length() <= MAX_SINGLE;
    if (reader == null || (reader.isChecked() && !few) || (found != null && isSame(keys, found))) {
      return new Batches();
    }
    Workers workers = workersFor(store, keys.length(), false);
    return few || regionBits(workers, store.table(), keys.length(), false) == 0
        ? new Outside(workers)
        : new Batches();
  }

  private static boolean isPlain(@Nullable Longs elements) {
    return elements == null || (elements.isInSegment() && !elements.isOnDevice());
  }

  /** Whether values are written over keys, which may have to be read again. */
  @SuppressWarnings("ReferenceEquality") // that array, not one like it
  private static boolean isSame(Longs keys, Longs found) {
    boolean arrays = keys.array() != null && found.array() != null;
    return arrays
        ? keys.array() == found.array()
        : keys.segment().asOverlappingSlice(found.segment()).isPresent();
  }

  /**
   * The workers for an operation on a number of keys; the plan depends on how many they are.
   *
   * @param updates whether the keys are to be inserted
   */
  static Workers workersFor(LongStore store, long keys, boolean updates) {
    return store.workers().forWork(keys * nanos(store.table().byteSize()), updates);
  }

  /** What a key of a table of so many bytes takes, about. */
  static long nanos(long bytes) {
    return bytes <= NEAR_BYTES ? NEAR_NANOS : bytes <= CACHED_BYTES ? CACHED_NANOS : FAR_NANOS;
  }

  /**
   * Bits of the hash by which a batch is put in order; 0 if it is not.
   *
   * @param updates whether the batch is to be inserted
   */
  static int regionBits(Workers workers, LongTable table, long length, boolean updates) {
    return workers.onJvm() ? LongOrder.regionBits(table, length, workers.count(), updates) : 0;
  }
}

package dev.gyre.structures.map.store;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.atomics.UninterruptibleScope;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberCode;
import dev.gyre.kernels.map.SingleKeys;
import dev.gyre.kernels.map.SingleKeys.Place;
import dev.gyre.kernels.map.exclusive.KeyReader;
import dev.gyre.structures.Memories;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.OutcomeCounts;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bulk operations of the JVM on keys of the caller in place.
 *
 * <p>Keys are looked up like single keys, without the lock. Keys to insert are read once. Keys for
 * which the table has no capacity, or that must wait for another thread, remain, and are inserted
 * in batches.
 */
@IntSpecialized
final class LongCaller {

  /** Number of keys that are copied or looked up at a time. */
  private static final int PART = 1 << 10;

  /** Size of a table from which access is slow, in bytes. */
  private static final long NEAR_BYTES = 1 << 20;

  private final LongStore store;
  private final Longs values;
  private final Change change;

  /** Keys of the caller, or a copy after they were read. */
  private Longs keys;

  // Remaining keys with their values, as they were read: the caller may have changed its memory.
  private long[] leftKeys = {};
  private long[] leftValues = {};
  private int left;

  private long inserted;
  private long present;
  private long full;

  /** Number of keys for which the table had no capacity. */
  private long lacking;

  private LongCaller(LongStore store, Longs keys, Longs values, Change change) {
    this.store = store;
    this.keys = keys;
    this.values = values;
    this.change = change;
  }

  /**
   * Looks up keys as {@link dev.gyre.structures.map.access.LongAccess} looks up single keys, which
   * explains why it is correct.
   *
   * @return number of keys that were found; -1 if a slot may have to be waited for, or the table
   *     was replaced or cleared meanwhile, and some values may be written
   */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  static long find(LongStore store, Workers workers, Longs keys, @Nullable Longs found) {
    KeyReader reader = store.reader();
    if (reader == null) {
      return -1;
    }
    // Accesses by address do not throw: an exception is due to the caller's memory, and must not
    // clear an interrupt.
    boolean kept = !reader.isChecked() || Thread.currentThread().isInterrupted();
    try {
      long hits = findAll(reader, workers, keys, found);
      // acquire: orders the reads of slots before
      VarHandle.acquireFence();
      return store.reader() == reader ? hits : -1;
    } catch (IllegalStateException e) {
      // The table was freed meanwhile.
      Memories.forgetInterrupt(kept);
      return -1;
    } finally {
      // Keep the reader reachable: its addresses must stay mapped until here.
      Reference.reachabilityFence(reader);
    }
  }

  private static long findAll(
      KeyReader reader, Workers workers, Longs keys, @Nullable Longs found) {
    if (workers.count() == 1) {
      Span span = Span.kernel();
      long hits = find(reader, keys, found, 0, keys.length());
      span.ran("find", workers.device().target().label(), 1, 0);
      return hits;
    }
    AtomicLong hits = new AtomicLong();
    AtomicLong unsure = new AtomicLong();
    workers.run(
        "find",
        TaskRange.cut(0, keys.length(), LongBatch.STEP),
        (_, task) -> {
          long more = unsure.get() == 0 ? find(reader, keys, found, task.from(), task.to()) : -1;
          (more < 0 ? unsure : hits).addAndGet(more);
        });
    return unsure.get() < 0 ? -1 : hits.get();
  }

  private static long find(
      KeyReader reader, Longs keys, @Nullable Longs found, long from, long to) {
    long[] sought = keys.array();
    long[] wanted = found == null ? null : found.array();
    if (sought != null && (found == null || wanted != null)) {
      return reader.findAll(sought, wanted, (int) from, (int) to);
    }
    int most = (int) Math.min(PART, to - from);
    sought = new long[most];
    wanted = found == null ? null : new long[most];
    long hits = 0;
    for (long at = from; at < to && hits >= 0; at += most) {
      int count = (int) Math.min(most, to - at);
      keys.read(at, sought, count);
      int more = reader.findAll(sought, wanted, 0, count);
      if (found != null && wanted != null) {
        found.write(at, wanted, count);
      }
      hits = more < 0 ? -1 : hits + more;
    }
    return hits;
  }

  /** Inserts keys by the plan {@link LongPlan.Singly} or {@link LongPlan.Exclusively}. */
  static InsertCounts insert(
      LongStore store,
      LongPlan.OfInsert plan,
      Longs keys,
      Longs values,
      Change change,
      @Nullable Longs found) {
    LongCaller caller = new LongCaller(store, keys, values, change);
    // No function is passed: if the stack ends where it is linked, it can never be linked again.
    try {
      if (plan instanceof LongPlan.Singly(int policy)) {
        caller.insertSingly(policy, found);
      } else {
        caller.insertExclusively();
      }
    } catch (GyreException e) {
      OutcomeCounts.attachCounts(e, caller.inserted, caller.present, caller.full, keys.length());
      throw e;
    }
    return caller.counts();
  }

  private InsertCounts counts() {
    return new InsertCounts(inserted, present, full);
  }

  /**
   * Inserts keys as {@link dev.gyre.structures.map.access.LongAccess} inserts single keys, which
   * explains why it is correct. All are inserted in one entry of the lock, so that a reader that
   * waits for updates sees all of them or none. If the capacity is fixed and used up, no key is
   * inserted; if a wait for another thread takes too long, the keys from there on remain.
   */
  private void insertSingly(int policy, @Nullable Longs found) {
    int count = (int) keys.length();
    long[] wanted = new long[count];
    long[] content = new long[count];
    keys.read(0, wanted, count);
    values.read(0, content, count);
    int done = 0;
    do {
      LongTable used;
      lacking = 0;
      Entry entry = store.lock().enterSingle();
      try {
        Span span = Span.kernel();
        used = store.table();
        // Inside the lock, where the table is not freed, replaced or cleared.
        if (store.reader() instanceof KeyReader.Writer writer) {
          done = insertAll(used, writer, entry, policy, wanted, content);
        }
        span.ran("insert", store.device().target().label(), 1, 0);
      } finally {
        entry.holder = OperationLock.LEFT;
        entry.left();
      }
      if (lacking > 0 && !store.isFixed()) {
        store.grow(used, lacking, 0);
      }
    } while (lacking > 0 && !store.isFixed());
    if (found != null) {
      found.write(0, content, done);
    }
    for (int i = done; i < count; i++) {
      addLeft(wanted[i], content[i]);
    }
    insertLeft(found == null ? null : found.part(done, count - done));
  }

  /** Inserts all keys, or none if capacity is lacking; returns how many are done. */
  private int insertAll(
      LongTable used,
      KeyReader.Writer writer,
      Entry entry,
      int policy,
      long[] wanted,
      long[] content) {
    // All are looked up first in a large table, so that the searches overlap.
    long capacity = used.byteSize() > NEAR_BYTES ? absent(writer, wanted) : wanted.length;
    if (!used.takeAll(entry, capacity)) {
      capacity = absent(writer, wanted);
      if (!used.takeAll(entry, capacity)) {
        lacking = capacity;
        return 0;
      }
    }
    int done = 0;
    long added = 0;
    try {
      while (done < wanted.length) {
        /* int */ long key = wanted[done];
        /* int */ long value = content[done];
        long slot = writer.find(key);
        boolean isNew = slot < 0 && writer.insert(~slot, key, value);
        if (slot < 0 && !isNew) {
          // Another thread has claimed the slot.
          long claimed = insertPatiently(used, key, value);
          if (claimed == SingleKeys.STUCK) {
            break;
          }
          isNew = claimed == SingleKeys.NONE;
          slot = writer.find(key);
        }
        if (isNew) {
          added++;
        } else {
          content[done] = /* (int) */ writer.update(slot, value, policy);
          present++;
        }
        done++;
      }
    } finally {
      used.insertedSome(entry, added, capacity);
      inserted += added;
    }
    return done;
  }

  /** Inserts a key after a wait for another thread, which an interrupt does not end. */
  private long insertPatiently(LongTable used, /* int */ long key, /* int */ long value) {
    NumberCode entries = used.entries();
    try (UninterruptibleScope _ = UninterruptibleScope.begin()) {
      Place place = entries.find(key);
      return place.isFound() ? place.slot() : entries.insert(place, key, value, store.pollLimit());
    }
  }

  private static long absent(KeyReader.Writer writer, long[] wanted) {
    long absent = 0;
    for (/* int */ long key : wanted) {
      absent += writer.find(key) < 0 ? 1 : 0;
    }
    return absent;
  }

  /**
   * Inserts all keys with exclusive access, with growth if necessary; concurrently with other
   * updates if some run.
   */
  private void insertExclusively() {
    store.recount();
    boolean done = false;
    Entry entry = store.shortUpdates.tryEnterExclusiveUpdate();
    while (!done && entry != null) {
      LongTable used;
      long absent;
      try {
        used = store.table();
        absent = absent(used);
        done = used.take(absent) && insertInto(used, absent);
      } finally {
        entry.holder = OperationLock.LEFT;
        entry.left();
        store.recount();
      }
      entry = null;
      if (!done && !store.isFixed()) {
        store.grow(used, absent, 0);
        entry = store.shortUpdates.tryEnterExclusiveUpdate();
      }
    }
    if (done) {
      insertLeft(null);
    } else if (keys.length() <= LongBatch.STEP
        && !store.isRemovable()
        && change instanceof Change.Policy(int policy)
        && store.reader() instanceof KeyReader.Writer) {
      insertSingly(policy, null);
    } else {
      insertInBatches(keys, values, null);
    }
  }

  /**
   * Returns the capacity that the keys may need: for all of them or, if the table lacks that only
   * because many are present, for the absent ones.
   */
  private long absent(LongTable used) {
    long free = used.capacity - used.size();
    if (keys.length() <= free || free > used.capacity / 2) {
      return keys.length();
    }
    // Copy: the counted keys must be the inserted keys.
    keys = keys.copied(0, (int) keys.length());
    long absent = 0;
    for (long at = 0; at < keys.length() && absent <= free; at += PART) {
      long count = Math.min(PART, keys.length() - at);
      absent += count - (int) used.findExclusive(keys.part(at, count), null);
    }
    return absent;
  }

  /** Inserts the keys into capacity that was taken; returns the rest. */
  private boolean insertInto(LongTable used, long capacity) {
    boolean known = false;
    try {
      Span span = Span.kernel();
      inserted =
          (int)
              used.inserts(store.workers(), change)
                  .insertExclusive(
                      keys.segment(),
                      values.segment(),
                      0,
                      keys.length(),
                      change.policy(),
                      this::addLeft);
      present = keys.length() - left - inserted;
      span.ran("insert", store.device().target().label(), 1, 0);
      known = true;
    } finally {
      used.inserted(inserted, capacity, known);
    }
    return true;
  }

  private void addLeft(long key, long value) {
    if (left == leftKeys.length) {
      leftKeys = Arrays.copyOf(leftKeys, Math.max(LongPlan.MAX_SINGLE, 2 * left));
      leftValues = Arrays.copyOf(leftValues, leftKeys.length);
    }
    leftKeys[left] = /* (int) */ key;
    leftValues[left++] = /* (int) */ value;
  }

  /**
   * Inserts the remaining keys.
   *
   * @param found destination of values, or null
   */
  private void insertLeft(@Nullable Longs found) {
    if (left > 0) {
      insertInBatches(Longs.of(leftKeys).part(0, left), Longs.of(leftValues).part(0, left), found);
    }
  }

  private void insertInBatches(Longs those, Longs theirs, @Nullable Longs found) {
    OutcomeCounts sums = new OutcomeCounts();
    try {
      sums.addInserts(() -> store.insertInBatches(those, theirs, change, found, BulkOptions.NONE));
    } finally {
      inserted += sums.of(MapCodes.INSERTED);
      present += sums.of(MapCodes.PRESENT);
      full += sums.of(MapCodes.FULL);
    }
  }
}

package dev.gyre.structures.map.store;

import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.owned.KeyReader;
import dev.gyre.structures.Memories;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bulk operations that the calling thread does alone, from and to where the caller has the keys: on
 * few of them, whose way through scratch memory would take longer than they do.
 *
 * <p>Keys are looked up as a single one is, outside of the lock; to insert more than a few is done
 * so only where it can be at once: where no update runs beside it, the table is the JVM's, and
 * there is room. What could not be done so takes the long way.
 */
@IntTwin
final class LongDirect {

  /** So many keys, at most, are done one by one: to prepare for more would take longer. */
  private static final int FEWEST = 16;

  /**
   * So many keys are copied at a time to be looked up, and looked up before it is asked whether
   * those that are new have room.
   */
  private static final int PART = 1 << 10;

  /** A table of more bytes is slow to reach. */
  private static final long NEAR_BYTES = 1 << 20;

  private final LongStore store;
  private final Longs keys;

  // Keys of an insert that met a slot whose claiming thread has not published it, with their
  // values: as they were read, since the caller's may have changed.
  private long[] leftKeys = {};
  private long[] leftValues = {};
  private int left;

  /** Where values of those go that are asked for. */
  private @Nullable Longs leftFound;

  private LongDirect(LongStore store, Longs keys) {
    this.store = store;
    this.keys = keys;
  }

  /** Whether so many keys may be done so. */
  private static boolean suits(LongStore store, long keys, BulkOptions options, boolean updates) {
    Workers workers = LongBatch.workersFor(store, keys, updates);
    boolean few = keys <= LongBatch.STEP;
    boolean alone = workers.count() == 1 && keys <= LongBatch.MAX_UNORDERED;
    return options.isNone()
        && workers.onJvm()
        && (few || alone)
        && LongBatch.regionBits(workers, store.table(), keys, updates) == 0;
  }

  private static boolean isPlain(Longs elements) {
    return elements.isInSegment() && !elements.isOnDevice();
  }

  /** Looks up keys, if that can be done so. */
  static @Nullable FindCounts find(
      LongStore store, Longs keys, @Nullable Longs found, BulkOptions options) {
    boolean few = keys.length() <= FEWEST;
    if (!options.isNone()
        || !isPlain(keys)
        || (found != null && (!isPlain(found) || isSame(keys, found)))
        || !(few || suits(store, keys.length(), options, false))) {
      return null;
    }
    FindCounts counts = findOutsideLock(store, keys, found);
    return counts == null && (!few || suits(store, keys.length(), options, false))
        ? new LongDirect(store, keys).find(found)
        : counts;
  }

  /**
   * Looks up keys as {@link dev.gyre.structures.map.access.LongAccess} does a single one, which
   * says why that holds. Returns null if there may be a slot to be waited for, or if the table was
   * replaced or cleared meanwhile; some of the values are then written. So it does, too, where each
   * of many accesses would be checked.
   */
  @SuppressWarnings("ReferenceEquality") // that reader, not one like it
  private static @Nullable FindCounts findOutsideLock(
      LongStore store, Longs keys, @Nullable Longs found) {
    KeyReader reader = store.reader();
    if (reader == null || (reader.isChecked() && keys.length() > FEWEST)) {
      return null;
    }
    Span span = Span.kernel();
    // By address nothing of the table throws: what does is the caller's own, and ends no interrupt.
    boolean kept = !reader.isChecked() || Thread.currentThread().isInterrupted();
    try {
      int hits = findAll(reader, keys, found);
      // acquire: the slots were read before
      VarHandle.acquireFence();
      if (hits < 0 || store.reader() != reader) {
        return null;
      }
      span.ran("find", store.device().target().label(), 1, 0);
      return new FindCounts(hits, keys.length() - hits);
    } catch (IllegalStateException e) {
      // The table was freed meanwhile.
      Memories.forgetInterrupt(kept);
      return null;
    } finally {
      // Until here, or the addresses could be gone.
      Reference.reachabilityFence(reader);
    }
  }

  /** Whether values are written over keys, which may have to be read again. */
  @SuppressWarnings("ReferenceEquality") // that array, not one like it
  private static boolean isSame(Longs keys, Longs found) {
    boolean arrays = keys.array() != null && found.array() != null;
    return arrays
        ? keys.array() == found.array()
        : keys.segment().asOverlappingSlice(found.segment()).isPresent();
  }

  /** Returns how many were found, or -1 where a slot may have to be waited for. */
  private static int findAll(KeyReader reader, Longs keys, @Nullable Longs found) {
    long[] sought = keys.array();
    long[] values = found == null ? null : found.array();
    if (sought != null && (found == null || values != null)) {
      return reader.findAll(sought, values);
    }
    int hits = 0;
    for (long at = 0; at < keys.length() && hits >= 0; at += PART) {
      int count = (int) Math.min(PART, keys.length() - at);
      sought = new long[count];
      values = found == null ? null : new long[count];
      keys.read(at, sought, count);
      int more = reader.findAll(sought, values);
      if (found != null && values != null) {
        found.write(at, values, count);
      }
      hits = more < 0 ? -1 : hits + more;
    }
    return hits;
  }

  /** Looks up keys where nobody updates. */
  private @Nullable FindCounts find(@Nullable Longs found) {
    Entry entry = store.lock().enterRead();
    try {
      if (!entry.isQuiescent()) {
        return null;
      }
      Span span = Span.kernel();
      long told = store.table().findOwned(keys, found);
      span.ran("find", store.device().target().label(), 1, 0);
      boolean all = told >>> Integer.SIZE == 0;
      return all ? new FindCounts((int) told, keys.length() - (int) told) : null;
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
  }

  /**
   * Inserts keys, if that can be done so; those that have to wait for another thread then take the
   * long way.
   */
  static @Nullable InsertCounts insert(
      LongStore store,
      Longs keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {
    if (!options.isNone()
        || !isPlain(keys)
        || !isPlain(values)
        || !(found == null || isPlain(found))) {
      return null;
    }
    LongDirect direct = new LongDirect(store, keys);
    boolean each = keys.length() <= FEWEST && store.reader() instanceof KeyReader.Writer;
    InsertCounts counts =
        each && change instanceof Change.Policy(int policy)
            ? direct.insertEach(values, policy, found)
            : null;
    if (counts == null && found == null && suits(store, keys.length(), options, true)) {
      counts = direct.insert(values, change);
    }
    return counts == null || direct.left == 0 ? counts : direct.insertLeft(counts, change);
  }

  /** Inserts the keys that are left, which were counted as present. */
  private InsertCounts insertLeft(InsertCounts counts, Change change) {
    Sums sums = new Sums();
    sums.add(new InsertCounts(counts.inserted(), counts.present() - left, 0));
    Longs those = Longs.of(leftKeys).part(0, left);
    Longs theirs = Longs.of(leftValues).part(0, left);
    return sums.inserts(
        keys.length(),
        () ->
            sums.addInserts(
                () -> store.insertInBatches(those, theirs, change, leftFound, BulkOptions.NONE)));
  }

  /**
   * Inserts keys as {@link dev.gyre.structures.map.access.LongAccess} does a single one, which says
   * why that holds, but enters the lock once. Where a key has to wait for another thread, it and
   * those behind it are left. Returns null, having done nothing, where that is the first one, or
   * the table is not written by address.
   */
  private @Nullable InsertCounts insertEach(Longs values, int policy, @Nullable Longs found) {
    Entry entry = store.lock().enterSingle();
    try {
      Span span = Span.kernel();
      // Inside, where the table is neither freed, replaced nor cleared.
      InsertCounts counts =
          store.reader() instanceof KeyReader.Writer writer
              ? insertEach(writer, entry, values, policy, found)
              : null;
      if (counts != null) {
        span.ran("insert", store.device().target().label(), 1, 0);
      }
      return counts;
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
  }

  private @Nullable InsertCounts insertEach(
      KeyReader.Writer writer, Entry entry, Longs values, int policy, @Nullable Longs found) {
    LongTable used = store.table();
    int count = (int) keys.length();
    long[] wanted = new long[count];
    long[] content = new long[count];
    keys.read(0, wanted, count);
    values.read(0, content, count);
    // All are looked up before: these searches overlap.
    long expected = used.byteSize() > NEAR_BYTES ? absent(writer, wanted) : count;
    long room = 0;
    int done = 0;
    int inserted = 0;
    try {
      while (done < count) {
        /* int */ long key = wanted[done];
        /* int */ long value = content[done];
        long slot = writer.find(key);
        if (slot < 0 && room == 0) {
          room = used.takeSome(entry, Math.clamp(expected, 1, count - done));
        }
        if (slot < 0 && room > 0 && writer.insert(~slot, key, value)) {
          room--;
          inserted++;
        } else {
          // Another thread was there first, or is about to be.
          slot = slot < 0 && room > 0 ? writer.find(key) : slot;
          if (slot < 0) {
            break;
          }
          content[done] = /* (int) */ writer.update(slot, value, policy);
        }
        done++;
      }
    } finally {
      used.giveBackSome(entry, room);
    }
    if (found != null) {
      found.write(0, content, done);
      leftFound = found.part(done, count - done);
    }
    for (int i = done; i < count && done > 0; i++) {
      addLeft(wanted[i], content[i]);
    }
    return done == 0 && count > 0 ? null : new InsertCounts(inserted, count - inserted, 0);
  }

  private static long absent(KeyReader.Writer writer, long[] wanted) {
    long absent = 0;
    for (/* int */ long key : wanted) {
      absent += writer.find(key) < 0 ? 1 : 0;
    }
    return absent;
  }

  private @Nullable InsertCounts insert(Longs values, Change change) {
    store.settle();
    Entry entry = store.shortUpdates().tryEnterExclusiveUpdate();
    if (entry == null) {
      return null;
    }
    try {
      LongTable used = store.table();
      return used.take(keys.length())
          ? insertInto(used, keys.length(), keys, values, change)
          : insertNew(used, values, change);
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
      store.settle();
    }
  }

  /** Inserts keys for which there is room only if many of them are there, which is looked up. */
  private @Nullable InsertCounts insertNew(LongTable used, Longs values, Change change) {
    long free = used.capacity - used.taken();
    if (free > used.capacity / 2) {
      return null;
    }
    // Copied: no others may take the room.
    long[] copied = new long[(int) keys.length()];
    keys.read(0, copied, copied.length);
    Longs these = Longs.of(copied);
    long absent = 0;
    for (long at = 0; at < copied.length && absent <= free; at += PART) {
      long count = Math.min(PART, copied.length - at);
      absent += count - (int) used.findOwned(these.part(at, count), null);
    }
    return used.take(absent) ? insertInto(used, absent, these, values, change) : null;
  }

  /** Inserts keys into room that was taken; gives back what was not needed. */
  private InsertCounts insertInto(
      LongTable used, long room, Longs these, Longs values, Change change) {
    long inserted = 0;
    boolean known = false;
    try {
      Span span = Span.kernel();
      inserted =
          (int)
              used.inserts(store.workers(), change)
                  .insertOwned(
                      these.segment(),
                      values.segment(),
                      0,
                      these.length(),
                      change.policy(),
                      this::addLeft);
      span.ran("insert", store.device().target().label(), 1, 0);
      known = true;
    } finally {
      used.giveBack(room - inserted, known);
    }
    return new InsertCounts(inserted, these.length() - inserted, 0);
  }

  private void addLeft(long key, long value) {
    if (left == leftKeys.length) {
      leftKeys = Arrays.copyOf(leftKeys, Math.max(FEWEST, 2 * left));
      leftValues = Arrays.copyOf(leftValues, leftKeys.length);
    }
    leftKeys[left] = /* (int) */ key;
    leftValues[left++] = /* (int) */ value;
  }
}

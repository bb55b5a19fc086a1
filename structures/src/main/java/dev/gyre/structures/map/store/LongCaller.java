package dev.gyre.structures.map.store;

import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.owned.KeyReader;
import dev.gyre.structures.Memories;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bulk operations on the JVM from and to where the caller has the keys.
 *
 * <p>Keys are looked up as a single one is, outside of the lock. Those that are inserted are read
 * once. Keys for which the table has no capacity, or that have to wait for another thread, are
 * left: they are inserted in batches.
 */
@IntTwin
final class LongCaller {

  /** So many keys are copied, or looked up, at a time. */
  private static final int PART = 1 << 10;

  /** A table of more bytes is slow to reach. */
  private static final long NEAR_BYTES = 1 << 20;

  private final LongStore store;
  private final Longs keys;
  private final Longs values;
  private final Change change;

  // Keys that are left, with their values: as they were read, since the caller's may have changed.
  private long[] leftKeys = {};
  private long[] leftValues = {};
  private int left;

  private long inserted;

  private LongCaller(LongStore store, Longs keys, Longs values, Change change) {
    this.store = store;
    this.keys = keys;
    this.values = values;
    this.change = change;
  }

  /**
   * Looks up keys as {@link dev.gyre.structures.map.access.LongAccess} does a single one, which
   * says why that holds.
   *
   * @return how many were found; -1 if there may be a slot to be waited for, or if the table was
   *     replaced or cleared meanwhile: some of the values are then written
   */
  @SuppressWarnings("ReferenceEquality") // that reader, not one like it
  static long find(LongStore store, Workers workers, Longs keys, @Nullable Longs found) {
    KeyReader reader = store.reader();
    if (reader == null) {
      return -1;
    }
    // By address nothing of the table throws: what does is the caller's own, and ends no interrupt.
    boolean kept = !reader.isChecked() || Thread.currentThread().isInterrupted();
    try {
      long hits = findAll(reader, workers, keys, found);
      // acquire: the slots were read before
      VarHandle.acquireFence();
      return store.reader() == reader ? hits : -1;
    } catch (IllegalStateException e) {
      // The table was freed meanwhile.
      Memories.forgetInterrupt(kept);
      return -1;
    } finally {
      // Until here, or the addresses could be gone.
      Reference.reachabilityFence(reader);
    }
  }

  private static long findAll(
      KeyReader reader, Workers workers, Longs keys, @Nullable Longs found) {
    long[] sought = keys.array();
    long[] wanted = found == null ? null : found.array();
    if (workers.count() == 1 && sought != null && (found == null || wanted != null)) {
      Span span = Span.kernel();
      int hits = reader.findAll(sought, wanted);
      span.ran("find", workers.device().target().label(), 1, 0);
      return hits;
    }
    AtomicLong hits = new AtomicLong();
    AtomicLong unsure = new AtomicLong();
    workers.run(
        "find",
        Step.cut(0, keys.length(), workers.count() == 1 ? keys.length() : LongBatch.STEP),
        (_, step) -> {
          long more = unsure.get() == 0 ? find(reader, keys, found, step) : -1;
          (more < 0 ? unsure : hits).addAndGet(more);
        });
    return unsure.get() < 0 ? -1 : hits.get();
  }

  private static long find(KeyReader reader, Longs keys, @Nullable Longs found, Step step) {
    long hits = 0;
    for (long at = step.from(); at < step.to() && hits >= 0; at += PART) {
      int count = (int) Math.min(PART, step.to() - at);
      long[] sought = new long[count];
      long[] wanted = found == null ? null : new long[count];
      keys.read(at, sought, count);
      int more = reader.findAll(sought, wanted);
      if (found != null && wanted != null) {
        found.write(at, wanted, count);
      }
      hits = more < 0 ? -1 : hits + more;
    }
    return hits;
  }

  /** Inserts keys as {@link LongPlan.Singly} says. */
  static InsertCounts insertSingly(
      LongStore store, Longs keys, Longs values, int policy, Change change, @Nullable Longs found) {
    LongCaller caller = new LongCaller(store, keys, values, change);
    int count = (int) keys.length();
    int done = 0;
    Entry entry = store.lock().enterSingle();
    try {
      Span span = Span.kernel();
      // Inside, where the table is neither freed, replaced nor cleared.
      if (store.reader() instanceof KeyReader.Writer writer) {
        done = caller.insertSingly(writer, entry, policy, found);
      }
      span.ran("insert", store.device().target().label(), 1, 0);
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
    Longs rest = found == null ? null : found.part(done, count - done);
    return caller.insertLeft(rest);
  }

  /**
   * Inserts keys as {@link dev.gyre.structures.map.access.LongAccess} does a single one, which says
   * why that holds. If a key has to wait for another thread, or for capacity, it and those behind
   * it are left; returns how many are done.
   */
  private int insertSingly(
      KeyReader.Writer writer, Entry entry, int policy, @Nullable Longs found) {
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
    }
    for (int i = done; i < count; i++) {
      addLeft(wanted[i], content[i]);
    }
    return done;
  }

  private static long absent(KeyReader.Writer writer, long[] wanted) {
    long absent = 0;
    for (/* int */ long key : wanted) {
      absent += writer.find(key) < 0 ? 1 : 0;
    }
    return absent;
  }

  /** Inserts keys as {@link LongPlan.Exclusively} says. */
  static InsertCounts insertExclusively(LongStore store, Longs keys, Longs values, Change change) {
    LongCaller caller = new LongCaller(store, keys, values, change);
    boolean done = false;
    store.settle();
    Entry entry = store.shortUpdates().tryEnterExclusiveUpdate();
    if (entry != null) {
      try {
        done = caller.insertAll() || caller.insertNew();
      } finally {
        entry.holder = OperationLock.LEFT;
        entry.left();
        store.settle();
      }
    }
    return done
        ? caller.insertLeft(null)
        : store.insertInBatches(keys, values, change, null, BulkOptions.NONE);
  }

  private boolean insertAll() {
    LongTable used = store.table();
    return used.take(keys.length()) && insertInto(used, keys.length(), keys);
  }

  /** Inserts keys if there is capacity only because many of them are there, which is looked up. */
  private boolean insertNew() {
    LongTable used = store.table();
    long free = used.capacity - used.taken();
    if (free > used.capacity / 2) {
      return false;
    }
    // Copied: no others may take the capacity.
    Longs these = keys.copied(0, (int) keys.length());
    long absent = 0;
    for (long at = 0; at < these.length() && absent <= free; at += PART) {
      long count = Math.min(PART, these.length() - at);
      absent += count - (int) used.findOwned(these.part(at, count), null);
    }
    return used.take(absent) && insertInto(used, absent, these);
  }

  /** Inserts keys into capacity that was taken; gives back what was not needed. */
  private boolean insertInto(LongTable used, long room, Longs these) {
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
   * Inserts the keys that are left; returns what became of all.
   *
   * @param found where their values go, if the caller asks for them
   */
  private InsertCounts insertLeft(@Nullable Longs found) {
    InsertCounts done = new InsertCounts(inserted, keys.length() - left - inserted, 0);
    if (left == 0) {
      return done;
    }
    Sums sums = new Sums();
    sums.add(done);
    Longs those = Longs.of(leftKeys).part(0, left);
    Longs theirs = Longs.of(leftValues).part(0, left);
    return sums.inserts(
        keys.length(),
        () ->
            sums.addInserts(
                () -> store.insertInBatches(those, theirs, change, found, BulkOptions.NONE)));
  }
}

package dev.gyre.structures.map.table;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Slots;
import dev.gyre.kernels.map.StateSlots;
import dev.gyre.structures.Memories;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.map.work.Reservations;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Table of fixed size for any keys: its memory, and its number of keys. */
public abstract class FixedTable implements AutoCloseable {

  public final long capacity;
  public final long slots;
  public final long seed;

  /** Capacity that keys use, that running inserts may use, and that is reserved for single keys. */
  private final AtomicLong taken = new AtomicLong();

  /** Number of keys, except the keys that {@link Reservations#used} counts. */
  private final AtomicLong others = new AtomicLong();

  /** Number of removed keys, except the keys that {@link Reservations#removed} counts. */
  private final AtomicLong othersRemoved = new AtomicLong();

  /**
   * Reservations for single keys; null if no thread inserts any. An exclusive operation changes it.
   */
  private volatile @Nullable Reservations singles;

  /**
   * Whether threads reserve capacity: unless from the first key on, as soon as two threads have
   * met.
   */
  private volatile boolean isShared;

  /** Whether a launch failed after an unknown number of inserts. */
  private volatile boolean uncounted;

  /**
   * Creates an empty table.
   *
   * @param isShared whether threads reserve capacity before two have met
   */
  FixedTable(long capacity, long slots, long seed, boolean isShared) {
    this.capacity = capacity;
    this.slots = slots;
    this.seed = seed;
    this.isShared = isShared;
  }

  /** Sets where capacity is reserved for single keys. The caller has exclusive access. */
  public void openTo(Reservations reservations) {
    gatherAhead();
    long keys = used();
    long gone = removed();
    singles = reservations;
    others.set(keys - reservations.used());
    othersRemoved.set(gone - reservations.removed());
  }

  /** Returns the number of keys that threads inserted one at a time, here or in earlier tables. */
  private long singly() {
    Reservations all = singles;
    return all == null ? 0 : all.used();
  }

  /** Returns the table for kernels of users. */
  public abstract Slots inKernels();

  /** Returns the table for kernels that hash the keys that it returns. */
  public Slots hashed() {
    return inKernels();
  }

  /** Returns the number of places for entries: the slots, and a side slot if there is one. */
  public long places() {
    return slots;
  }

  /** Returns the state of a place, on the host. */
  public abstract int state(long place);

  /** Returns the number of places in a state, on the host. No update may run. */
  public final long count(int state) {
    long found = 0;
    for (long place = 0; place < places(); place++) {
      found += state(place) == state ? 1 : 0;
    }
    return found;
  }

  /**
   * Makes slots FILLED that a launch held when it failed, as by a fold that throws, on the host;
   * returns whether there were any. No update may run.
   */
  public final boolean releaseHeld() {
    boolean any = false;
    if (inKernels() instanceof StateSlots table && table.isRemovable()) {
      for (long slot = 0; slot < slots; slot++) {
        if (table.states().get(table.stateAt(slot)) == MapCodes.HELD) {
          table.states().set(table.stateAt(slot), MapCodes.FILLED);
          any = true;
        }
      }
    }
    return any;
  }

  /** Returns its memories, in which all bytes are 0 if the table is empty. */
  public abstract List<Memory> memories();

  /** Returns the memories in which all bytes are 0 once all keys were removed. */
  public List<Memory> memoriesOfKeys() {
    return memories();
  }

  /** Returns the content of a file of the table. */
  public List<MemorySegment> sections() {
    return memories().stream().map(Memory::segment).toList();
  }

  /** Returns the words of text that fit; 0 if keys have none. */
  public long textWords() {
    return 0;
  }

  /** Returns the size of the table in bytes. */
  public long byteSize() {
    // No stream: every bulk operation calls this.
    long bytes = 0;
    for (Memory memory : memories()) {
      bytes += memory.byteSize();
    }
    return bytes;
  }

  /**
   * Takes capacity for keys; returns whether there was enough. The caller has entered the lock, and
   * {@linkplain #inserted declares} afterwards how many keys it inserted.
   */
  public boolean take(long keys) {
    boolean done = takeFree(keys);
    while (!done && fetchAhead()) {
      done = takeFree(keys);
    }
    return done;
  }

  /** Takes capacity that is not reserved. */
  private boolean takeFree(long keys) {
    long before = taken.get();
    while (before + keys <= capacity) {
      long seen = taken.compareAndExchange(before, before + keys);
      if (seen == before) {
        return true;
      }
      share();
      before = seen;
    }
    return false;
  }

  /** Lets threads reserve capacity from now on. */
  private void share() {
    if (!isShared) {
      isShared = true;
    }
  }

  /**
   * Counts keys that were inserted into {@linkplain #take taken} capacity, and returns the rest.
   *
   * @throws StructureException if more keys were inserted than capacity was taken for
   */
  public void inserted(long keys, long capacityTaken) {
    others.addAndGet(keys);
    if (keys != capacityTaken) {
      taken.addAndGet(keys - capacityTaken);
    }
    if (keys > capacityTaken) {
      throw new StructureException(
          "%d keys more were inserted than capacity was taken for".formatted(keys - capacityTaken));
    }
  }

  /** Counts keys that were removed. Their slots stay in use, and so does their capacity. */
  public final void removed(long keys) {
    othersRemoved.addAndGet(keys);
  }

  /**
   * Counts a removed key as {@link #removed(long)} does, in the stripe of the caller if it has one.
   */
  public final void removedOne(Entry entry) {
    if (singles != null && entry.isStripe()) {
      entry.countRemoved();
    } else {
      removed(1);
    }
  }

  /** Returns the number of keys that were removed since the table was made. */
  public final long removed() {
    Reservations all = singles;
    return othersRemoved.get() + (all == null ? 0 : all.removed());
  }

  /** Notes that a launch failed after an unknown number of inserts or removals. */
  public final void lostCount() {
    uncounted = true;
  }

  /**
   * Counts keys if their number is known. Otherwise all of the capacity counts as keys until these
   * are {@linkplain #isUncounted counted}.
   */
  public void inserted(long keys, long capacityTaken, boolean known) {
    if (known) {
      inserted(keys, capacityTaken);
    } else {
      uncounted = true;
      inserted(capacityTaken, capacityTaken);
    }
  }

  /**
   * Returns whether a launch failed, so that there may be fewer keys than {@link #size} returns, or
   * fewer removed ones than {@link #removed()}.
   */
  public boolean isUncounted() {
    return uncounted;
  }

  /**
   * Takes capacity for a key; returns whether there was any. The reserved capacity is used first.
   * The caller {@linkplain #insertedSome declares} whether it inserted the key before it takes
   * capacity again.
   *
   * @param entry entry of the caller; null if it has no reservations
   */
  public boolean takeOne(@Nullable Entry entry) {
    return Reservations.ahead(entry) > 0 || takeOneMore(entry);
  }

  private boolean takeOneMore(@Nullable Entry entry) {
    boolean hasStripe = singles != null && entry != null && entry.isStripe();
    do {
      long more = hasStripe && isShared ? Reservations.most(capacity - taken.get()) : 1;
      long some = takeFree(more) ? more : takeFree(1) ? 1 : 0;
      if (some > 0) {
        reserve(entry, some);
        return true;
      }
    } while (fetchAhead());
    return false;
  }

  /** Takes capacity for keys as {@link #takeOne} does, for all of them or for none. */
  public boolean takeAll(@Nullable Entry entry, long keys) {
    long lacking = keys - Reservations.ahead(entry);
    if (lacking > 0) {
      if (!take(lacking)) {
        return false;
      }
      reserve(entry, lacking);
    }
    return true;
  }

  /** Notes in the stripe of the caller, if it has one, that it holds more capacity. */
  private void reserve(@Nullable Entry entry, long keys) {
    Reservations all = singles;
    boolean _ = all != null && all.add(entry, 0, keys);
  }

  /**
   * Counts keys that were inserted into capacity that {@link #takeOne} or {@link #takeAll} took
   * with the same entry. A part of the rest stays reserved.
   */
  public void insertedSome(@Nullable Entry entry, long keys, long capacityTaken) {
    Reservations all = singles;
    if (all == null || !all.add(entry, keys, -keys)) {
      inserted(keys, capacityTaken);
    } else if (keys < capacityTaken) {
      long excess = Reservations.ahead(entry) - (isShared ? Reservations.MAX_KEYS : 0);
      if (excess > 0) {
        boolean _ = all.add(entry, 0, -excess);
        taken.addAndGet(-excess);
      }
    }
  }

  /** Fetches the capacity that no thread is about to use; returns whether there was any. */
  private boolean fetchAhead() {
    Reservations all = singles;
    long fetched = all == null || all.ahead() == 0 ? 0 : all.fetch();
    taken.addAndGet(-fetched);
    return fetched > 0;
  }

  /**
   * Fetches all reserved capacity. The caller has exclusive access, and this is the table in place.
   */
  public void gatherAhead() {
    Reservations all = singles;
    if (all != null && all.ahead() != 0) {
      taken.addAndGet(-all.fetchAlone());
    }
  }

  /** Returns the free capacity, all of which can be taken. The caller has exclusive access. */
  public long rest() {
    gatherAhead();
    return capacity - taken.get();
  }

  /**
   * Returns the number of keys. An insert counts its keys once they are in the table, and before it
   * ends. Each key is counted in one place, so that the sum includes each key whose insert has
   * ended before, and never falls.
   */
  public long size() {
    // Removed keys first: each of them was counted as a key before.
    long gone = removed();
    return used() - gone;
  }

  /** Returns the number of keys, including removed ones. */
  public final long used() {
    return others.get() + singly();
  }

  /** Returns the capacity that is taken or reserved: never less than the number of keys. */
  public final long taken() {
    return taken.get();
  }

  /** Takes over the count of another table, whose entries were moved here. */
  public void countAs(FixedTable other) {
    setSize(other.size(), 0);
    uncounted = other.uncounted;
  }

  /** Sets the numbers of keys and of removed keys. The caller has exclusive access. */
  public void setSize(long keys, long gone) {
    uncounted = false;
    gatherAhead();
    taken.set(keys + gone);
    others.set(keys + gone - singly());
    othersRemoved.addAndGet(gone - removed());
  }

  @Override
  public void close() {
    Memories.close(memories());
  }
}

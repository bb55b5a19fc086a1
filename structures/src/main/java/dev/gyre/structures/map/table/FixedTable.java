package dev.gyre.structures.map.table;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Slots;
import dev.gyre.structures.Memories;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.map.work.Reservations;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A table of fixed size, of whatever keys: its memory, and how full it is. */
public abstract class FixedTable implements AutoCloseable {

  public final long capacity;
  public final long slots;
  public final long seed;

  /**
   * Capacity of keys, of keys that running inserts may add, and what is reserved for single keys.
   */
  private final AtomicLong taken = new AtomicLong();

  /** Number of keys, without those that {@link Reservations#used} counts. */
  private final AtomicLong others = new AtomicLong();

  /**
   * Where capacity is reserved for single keys; null if no thread inserts any. Changed by a thread
   * that is alone.
   */
  private volatile @Nullable Reservations singles;

  /** Whether room is taken ahead: where it is not from the first key on, once two threads met. */
  private volatile boolean isShared;

  /** Whether a launch failed of which nobody knows how many keys it inserted. */
  private volatile boolean uncounted;

  /**
   * An empty table.
   *
   * @param isShared whether room is taken ahead before two threads met
   */
  FixedTable(long capacity, long slots, long seed, boolean isShared) {
    this.capacity = capacity;
    this.slots = slots;
    this.seed = seed;
    this.isShared = isShared;
  }

  /** Says where capacity is reserved for single keys from now on; the caller is alone. */
  public void openTo(Reservations reservations) {
    gatherAhead();
    long keys = size();
    singles = reservations;
    others.set(keys - reservations.used());
  }

  /** Number of keys that threads inserted one at a time here, or in tables before this one. */
  private long singly() {
    Reservations all = singles;
    return all == null ? 0 : all.used();
  }

  /** The table as the kernels of users see it. */
  public abstract Slots inKernels();

  /** Number of places for entries: the slots, with a side slot if there is one. */
  public long places() {
    return slots;
  }

  /** The state of a place, on the host. */
  public abstract int state(long place);

  /** Number of places in a state, on the host; nobody updates. */
  public final long count(int state) {
    long found = 0;
    for (long place = 0; place < places(); place++) {
      found += state(place) == state ? 1 : 0;
    }
    return found;
  }

  /** The memories, in which all bytes are 0 if the table is empty. */
  public abstract List<Memory> memories();

  /** Those of them in which all bytes are 0 once all keys were taken out. */
  public List<Memory> memoriesOfKeys() {
    return memories();
  }

  /** What a file holds of the table. */
  public List<MemorySegment> sections() {
    return memories().stream().map(Memory::segment).toList();
  }

  /** Bytes that the table takes. */
  public long byteSize() {
    // No stream: every bulk operation asks.
    long bytes = 0;
    for (Memory memory : memories()) {
      bytes += memory.byteSize();
    }
    return bytes;
  }

  /**
   * Takes capacity for keys; returns whether there was as much. The caller is inside the lock, and
   * {@linkplain #inserted says} afterwards how many keys it inserted.
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

  /** Has threads reserve capacity from now on. */
  private void share() {
    if (!isShared) {
      isShared = true;
    }
  }

  /**
   * Counts keys that were inserted into capacity that was {@linkplain #take taken}, and gives back
   * the rest.
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

  /**
   * The same if the number of keys is known. Otherwise all of the capacity counts as keys until the
   * keys are {@linkplain #isUncounted counted}.
   */
  public void inserted(long keys, long capacityTaken, boolean known) {
    if (known) {
      inserted(keys, capacityTaken);
    } else {
      uncounted = true;
      inserted(capacityTaken, capacityTaken);
    }
  }

  /** Whether a launch failed, so that there may be fewer keys than {@link #size} says. */
  public boolean isUncounted() {
    return uncounted;
  }

  /**
   * Takes capacity for single keys, which count as inserted from now on. Uses what is reserved for
   * them if something is.
   *
   * @param entry by which the caller is inside; null if by none with reservations
   * @return for how many, which is 0 only if there was none
   */
  public long takeSome(@Nullable Entry entry, long keys) {
    Reservations all = singles;
    long some = all == null ? 0 : all.take(entry, keys);
    return some > 0 ? some : takeMore(all, entry, keys);
  }

  private long takeMore(@Nullable Reservations all, @Nullable Entry entry, long keys) {
    do {
      long more = Reservations.most(capacity - taken.get());
      if (all != null
          && isShared
          && more > 1
          && Reservations.canReserve(entry, more)
          && takeFree(more)) {
        long some = Math.min(more, keys);
        return all.add(entry, some, more - some) ? some : 0;
      }
      long some = takeFree(keys) ? keys : takeFree(1) ? 1 : 0;
      if (some > 0) {
        count(all, entry, some);
        return some;
      }
    } while (fetchAhead());
    return 0;
  }

  /** Counts single keys; fewer again if the number is negative. */
  private void count(@Nullable Reservations all, @Nullable Entry entry, long keys) {
    if (all == null || !all.add(entry, keys, 0)) {
      others.addAndGet(keys);
    }
  }

  /** Gives back what {@link #takeSome} took by the same entry, for keys that were not inserted. */
  public void giveBackSome(@Nullable Entry entry, long keys) {
    Reservations all = singles;
    if (all != null && isShared && Reservations.canReserve(entry, keys)) {
      boolean _ = all.add(entry, -keys, keys);
    } else if (keys > 0) {
      count(all, entry, -keys);
      taken.addAndGet(-keys);
    }
  }

  /** Fetches the capacity that no thread is about to use; returns whether there was any. */
  private boolean fetchAhead() {
    Reservations all = singles;
    long fetched = all == null || all.ahead() == 0 ? 0 : all.fetch();
    taken.addAndGet(-fetched);
    return fetched > 0;
  }

  /** Fetches all capacity that is reserved. The caller is alone, and this is the table in place. */
  public void gatherAhead() {
    Reservations all = singles;
    if (all != null && all.ahead() != 0) {
      taken.addAndGet(-all.fetchAlone());
    }
  }

  /** Capacity that is left, all of which can then be taken; the caller is alone. */
  public long rest() {
    gatherAhead();
    return capacity - taken.get();
  }

  /**
   * Number of keys. Of a running insert of many keys none is counted; a single key is counted
   * before it is there, also if it turns out to be present. Each key is counted in one place, which
   * only that insert changes, so that the sum never lacks a key whose insert ended before.
   */
  public long size() {
    return others.get() + singly();
  }

  /** Capacity that is taken or reserved, which is never less than the keys there are. */
  public final long taken() {
    return taken.get();
  }

  /** Has the keys of another table, which were moved or copied here. */
  public void countAs(FixedTable other) {
    setSize(other.size());
    uncounted = other.uncounted;
  }

  /** Says how many keys there are, which were counted; the caller is alone. */
  public void setSize(long keys) {
    uncounted = false;
    gatherAhead();
    taken.set(keys);
    others.set(keys - singly());
  }

  @Override
  public void close() {
    Memories.close(memories());
  }
}

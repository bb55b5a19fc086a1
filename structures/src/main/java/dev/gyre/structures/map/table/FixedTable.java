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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A table of fixed size, of whatever keys: its memory, and how full it is. */
public abstract class FixedTable implements AutoCloseable {

  public final long capacity;
  public final long slots;
  public final long seed;

  /** How often it is tried to count while no room is fetched. */
  private static final int TRIES = 64;

  /**
   * Keys there are, keys that running inserts may still add, and what is taken ahead; never more
   * than the capacity.
   */
  private final AtomicLong taken = new AtomicLong();

  /** How often anybody has begun to fetch what is ahead, and has ended. */
  private final AtomicLong fetching = new AtomicLong();

  private final AtomicLong fetched = new AtomicLong();

  /** Where room is ahead; null where nobody inserts single keys. Changed by who is alone. */
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

  /** Says where capacity is reserved for single keys from now on; nobody else is there. */
  public void openTo(Reservations reservations) {
    gatherAhead();
    singles = reservations;
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

  /** Takes room for keys; returns whether there was as much. The caller is inside the lock. */
  public boolean take(long keys) {
    boolean done = takeFree(keys);
    while (!done && fetchAhead()) {
      done = takeFree(keys);
    }
    return done;
  }

  /** The same, but of what no thread has ahead of it. */
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

  /** Has threads take room ahead from now on. */
  private void share() {
    if (!isShared) {
      isShared = true;
    }
  }

  /**
   * Takes room for single keys, from what is ahead where there is some.
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
      long some = Math.min(more, keys);
      if (all != null
          && isShared
          && more > 1
          && entry != null
          && entry.isStripe()
          && takeAhead(all, entry, more, some)) {
        return some;
      }
      if (takeFree(keys)) {
        return keys;
      }
      if (takeFree(1)) {
        return 1;
      }
    } while (fetchAhead());
    return 0;
  }

  /** Takes room of which some is needed now; returns whether there was as much. */
  private boolean takeAhead(Reservations all, Entry entry, long keys, long some) {
    // Before it is counted as taken: see takenNow.
    all.expect(entry);
    boolean done = takeFree(keys);
    all.put(entry, done ? keys - some : 0);
    return done;
  }

  /** Fetches the capacity that no thread is about to use; returns whether there was any. */
  private boolean fetchAhead() {
    Reservations all = singles;
    return all != null && all.ahead() != 0 && fetch(all::fetch) > 0;
  }

  /** Gives back what is reserved in the stripes, so that {@link #takenNow} sees that it moves. */
  private long fetch(LongSupplier reserved) {
    fetching.incrementAndGet();
    long keys = reserved.getAsLong();
    taken.addAndGet(-keys);
    fetched.incrementAndGet();
    return keys;
  }

  /** Fetches all capacity that is reserved. The caller is alone, and this is the table in place. */
  public void gatherAhead() {
    Reservations all = singles;
    if (all != null && all.ahead() != 0) {
      long _ = fetch(all::fetchAlone);
    }
  }

  /** Room that is left, all of which can then be taken; the caller is alone. */
  public long rest() {
    gatherAhead();
    return capacity - taken.get();
  }

  /**
   * Gives back capacity that was taken and is not needed.
   *
   * @throws StructureException if it is negative: more keys were inserted than it was taken for
   */
  public void giveBack(long keys) {
    if (keys < 0) {
      taken.addAndGet(-keys);
      throw new StructureException(
          "%d keys more were inserted than capacity was taken for".formatted(-keys));
    }
    if (keys > 0) {
      taken.addAndGet(-keys);
    }
  }

  /** The same of {@link #takeSome}. */
  public void giveBackSome(@Nullable Entry entry, long keys) {
    Reservations all = singles;
    if (all != null && isShared && keys > 0 && entry != null && entry.isStripe()) {
      all.give(entry, keys);
    } else {
      giveBack(keys);
    }
  }

  /**
   * Gives back room that was taken and is not needed or, where it is not known how much of it was
   * used, says that the keys are to be counted: until then all of it stays taken.
   */
  public void giveBack(long keys, boolean known) {
    if (known) {
      giveBack(keys);
    } else {
      uncounted = true;
    }
  }

  /** Whether more room may be taken than there are keys, and nobody is about to use it. */
  public boolean isUncounted() {
    return uncounted;
  }

  /**
   * Keys there are, and keys that running inserts may still add. Where room is taken ahead all the
   * while, some of that may be among them.
   */
  public long taken() {
    long keys = -1;
    for (int i = 0; keys < 0 && i < TRIES; i++) {
      keys = takenNow();
    }
    return keys < 0 ? taken.get() : keys;
  }

  /**
   * The same, and exactly; -1 where room is moved at the moment. Who takes room ahead says so in
   * its stripe before, and who fetches some here: so nothing is counted both as taken and as room,
   * or as neither. What else is taken or given back meanwhile is counted, or is not.
   */
  final long takenNow() {
    long done = fetched.get();
    long before = taken.get();
    Reservations all = singles;
    long unused = all == null ? 0 : all.ahead();
    boolean still = taken.get() == before && fetching.get() == done;
    return still && unused != Reservations.EXPECTED ? before - unused : -1;
  }

  /** Never less than the keys there are: the same, but with what is taken ahead. */
  final long takenAtMost() {
    return taken.get();
  }

  /** Has the keys of another table, which were moved or copied here. */
  public void countAs(FixedTable other) {
    setTaken(other.taken());
    uncounted = other.uncounted;
  }

  /** Says how many keys there are, which were counted; nobody else is there. */
  public void setTaken(long keys) {
    uncounted = false;
    gatherAhead();
    taken.set(keys);
  }

  @Override
  public void close() {
    Memories.close(memories());
  }
}

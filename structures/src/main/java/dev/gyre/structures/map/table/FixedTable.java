package dev.gyre.structures.map.table;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Slots;
import dev.gyre.structures.Memories;
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
   * Keys there are, keys that running inserts may still add, and what is taken ahead; never more
   * than the capacity.
   */
  private final AtomicLong taken = new AtomicLong();

  /**
   * How often anybody has begun to lower what is taken, and has ended. Who reads while nobody does
   * sees no room go that it has counted as taken ahead before.
   */
  private final AtomicLong lowering = new AtomicLong();

  private final AtomicLong lowered = new AtomicLong();

  /** Null while no two threads met. */
  private volatile @Nullable Ahead ahead;

  /** Whether a launch failed of which nobody knows how many keys it inserted. */
  private volatile boolean uncounted;

  FixedTable(long capacity, long slots, long seed) {
    this.capacity = capacity;
    this.slots = slots;
    this.seed = seed;
  }

  /** The table as the kernels of users see it. */
  public abstract Slots inKernels();

  /** The memories, in which all bytes are 0 if the table is empty. */
  public abstract List<Memory> memories();

  /** Those of them in which all bytes are 0 once all keys were taken out. */
  public List<Memory> memoriesOfKeys() {
    return memories();
  }

  /** Says that all keys were taken out. */
  public void cleared() {
    setTaken(0);
  }

  /** What a file holds of the table. */
  public List<MemorySegment> sections() {
    return memories().stream().map(Memory::segment).toList();
  }

  /** Words of text that there is room for. */
  public long words() {
    return 0;
  }

  /** Bytes that the table takes. */
  public long byteSize() {
    return memories().stream().mapToLong(Memory::byteSize).sum();
  }

  /** Takes room for keys; returns whether there was as much. */
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
      before = seen;
    }
    return false;
  }

  /** Takes room for a key; from the first time on that two threads meet here, as {@link Ahead}. */
  public boolean takeOne() {
    Ahead all = ahead;
    if (all == null) {
      long before = taken.get();
      if (before < capacity && taken.compareAndSet(before, before + 1)) {
        return true;
      }
      all = meet(before);
    }
    return all == null ? take(1) : takeOne(all);
  }

  /** Null where nobody was met: the table is full. */
  private @Nullable Ahead meet(long before) {
    return before < capacity ? share() : ahead;
  }

  /** Has threads take room ahead from now on. */
  synchronized Ahead share() {
    Ahead all = ahead;
    if (all == null) {
      all = new Ahead();
      ahead = all;
    }
    return all;
  }

  private boolean takeOne(Ahead all) {
    do {
      if (all.takeOne()) {
        return true;
      }
      long more = all.most(capacity - taken.get());
      if (takeFree(more)) {
        all.give(more - 1);
        return true;
      }
    } while (fetchAhead());
    return false;
  }

  /** Fetches the room that threads have ahead of them; returns whether there was any. */
  private boolean fetchAhead() {
    Ahead all = ahead;
    long fetched = all == null ? 0 : all.fetch();
    if (fetched > 0) {
      giveBack(fetched);
    }
    return fetched > 0;
  }

  /** Gives back room that was taken and is not needed. */
  public void giveBack(long keys) {
    if (keys == 0) {
      return;
    }
    lowering.incrementAndGet();
    taken.addAndGet(-keys);
    lowered.incrementAndGet();
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
   * Keys there are, and keys that running inserts may still add. Room that threads have ahead of
   * them stays theirs, unless some is given back meanwhile.
   */
  public long taken() {
    Ahead all = ahead;
    if (all == null) {
      return taken.get();
    }
    long before = lowered.get();
    if (lowering.get() == before) {
      // First what is ahead: what comes to it later has been taken before that.
      long unused = all.left();
      long used = taken.get() - unused;
      if (lowering.get() == before) {
        return used;
      }
    }
    boolean _ = fetchAhead();
    return taken.get();
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

  /** Says how many keys there are, which were counted. */
  public void setTaken(long keys) {
    uncounted = false;
    lowering.incrementAndGet();
    boolean _ = fetchAhead();
    taken.set(keys);
    lowered.incrementAndGet();
  }

  @Override
  public void close() {
    Memories.close(memories());
  }
}

package dev.gyre.structures.map.table;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.Memories;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A table of fixed size, of whatever keys: its memory, and how full it is. */
public abstract class FixedTable implements AutoCloseable {

  public final long capacity;
  public final long slots;
  public final long seed;

  /** Keys there are, and keys that running inserts may still add; never more than the capacity. */
  private final AtomicLong taken = new AtomicLong();

  /** Whether a launch failed of which nobody knows how many keys it inserted. */
  private volatile boolean uncounted;

  FixedTable(long capacity, long slots, long seed) {
    this.capacity = capacity;
    this.slots = slots;
    this.seed = seed;
  }

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

  /** Bytes that the table takes. */
  public long byteSize() {
    return memories().stream().mapToLong(Memory::byteSize).sum();
  }

  /** Takes room for keys; returns whether there was as much. */
  public boolean take(long keys) {
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

  /** Gives back room that was taken and is not needed. */
  public void giveBack(long keys) {
    taken.addAndGet(-keys);
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

  public long taken() {
    return taken.get();
  }

  /** Has the keys of another table, which were moved or copied here. */
  public void countAs(FixedTable other) {
    uncounted = other.uncounted;
    taken.set(other.taken());
  }

  /** Says how many keys there are, which were counted. */
  public void setTaken(long keys) {
    uncounted = false;
    taken.set(keys);
  }

  @Override
  public void close() {
    Memories.close(memories());
  }
}

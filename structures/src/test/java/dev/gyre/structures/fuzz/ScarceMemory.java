package dev.gyre.structures.fuzz;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import java.util.ArrayList;
import java.util.List;

/** Memory that does not last. */
final class ScarceMemory {

  /** The first of the blocks that take what memory is left. */
  private static final long LARGEST = 64L << 20;

  /** The property without which all of a machine's memory would be taken. */
  static final String LIMIT = "gyre.memory.limit";

  private ScarceMemory() {}

  /** Memory that is taken until this is closed. */
  record Scarcity(List<Memory> taken) implements AutoCloseable {
    @Override
    public void close() {
      taken.forEach(Memory::close);
    }
  }

  /** Takes all memory but about as much, where {@link #LIMIT} says how much all is. */
  static Scarcity scarcity(long left) {
    List<Memory> taken = new ArrayList<>();
    long size = System.getProperty(LIMIT) == null ? 0 : LARGEST;
    while (size > Math.max(left, 4096)) {
      try {
        taken.add(Memory.ofBytes(size));
      } catch (MemoryExhaustedException _) {
        size /= 2;
      }
    }
    return new Scarcity(taken);
  }
}

package dev.gyre.structures;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryInUseException;
import java.util.ArrayList;
import java.util.List;

/**
 * Memories of a structure in whose place there are others. One that is in use when it is to be
 * freed is kept until the structure is closed: what took its place is good all the same.
 */
public final class SpentMemories implements AutoCloseable {

  // Guarded by this.
  private final List<Memory> inUse = new ArrayList<>();

  /** Frees memories, at once or when this is closed. */
  public synchronized void free(List<Memory> memories) {
    for (Memory memory : memories) {
      try {
        memory.close();
      } catch (MemoryInUseException e) {
        // Said by close(), if it still is then.
        inUse.add(memory);
      }
    }
  }

  /**
   * Frees what is left; may be called again.
   *
   * @throws MemoryInUseException if some is still in use
   */
  @Override
  public synchronized void close() {
    Memories.close(inUse);
    inUse.clear();
  }
}

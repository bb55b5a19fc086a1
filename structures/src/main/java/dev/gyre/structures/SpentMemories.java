package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryInUseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memories of a structure in whose place there are others. One that is in use when it is to be
 * freed is kept until the structure is closed: what took its place is good all the same.
 */
@Internal
public final class SpentMemories implements AutoCloseable {

  // Guarded by this.
  private final List<Memory> inUse = new ArrayList<>();

  /**
   * Frees memories, at once or when this is closed.
   *
   * @throws RuntimeException what the first threw that threw anything but that it is in use; all
   *     others are freed then, or kept
   */
  public synchronized void free(Iterable<? extends @Nullable Memory> memories) {
    RuntimeException failure = null;
    for (Memory memory : memories) {
      try {
        if (memory != null) {
          memory.close();
        }
      } catch (MemoryInUseException e) {
        // Said by close(), if it still is then.
        inUse.add(Objects.requireNonNull(memory));
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
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

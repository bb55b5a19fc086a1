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
 *
 * <p>Freeing a memory is a handshake with all threads of the JVM. It waits for each thread that is
 * ready to run, until the operating system gives that thread a processor. A structure that begins
 * small replaces small memories at each step of its growth, while other threads wait for the step.
 * So small memories are kept until they are many bytes together.
 */
@Internal
public final class SpentMemories implements AutoCloseable {

  /** Most bytes of memories that are kept although they are not in use. */
  private static final long MAX_KEPT_BYTES = 1 << 20;

  // Guarded by this.
  private final List<Memory> inUse = new ArrayList<>();

  // Guarded by this.
  private final List<Memory> kept = new ArrayList<>();
  private long keptBytes;

  /**
   * Frees memories: large ones at once, small ones together with others or when this is closed.
   *
   * @throws RuntimeException as {@link #free}
   */
  public synchronized void freeLater(List<Memory> memories) {
    kept.addAll(memories);
    for (Memory memory : memories) {
      keptBytes += memory.byteSize();
    }
    if (keptBytes > MAX_KEPT_BYTES) {
      free(takeKept());
    }
  }

  private List<Memory> takeKept() {
    List<Memory> taken = List.copyOf(kept);
    kept.clear();
    keptBytes = 0;
    return taken;
  }

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
    inUse.addAll(takeKept());
    Memories.close(inUse);
    inUse.clear();
  }
}

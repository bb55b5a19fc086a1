package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryInUseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memories of a structure that were replaced by others.
 *
 * <p>A memory that is in use when it should be freed is kept until the structure is closed; its
 * replacement is valid nevertheless.
 *
 * <p>Freeing a memory is a handshake with all threads of the JVM. It waits until each runnable
 * thread gets a processor from the operating system. A structure that starts small replaces small
 * memories at each step of its growth, while other threads wait for the step. Therefore small
 * memories are kept until they are many bytes in all.
 */
@Internal
public final class RetiredMemories implements AutoCloseable {

  /** Usual largest size of unused memories that are kept, in bytes. */
  public static final long MAX_KEPT_BYTES = 1 << 20;

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
  public void freeLater(List<Memory> memories) {
    boolean _ = freeLater(memories, MAX_KEPT_BYTES);
  }

  /**
   * Frees memories as {@link #freeLater(List)}, or keeps all unused memories if they have no more
   * than a number of bytes; returns whether they are kept.
   */
  public synchronized boolean freeLater(List<Memory> memories, long maxKeptBytes) {
    kept.addAll(memories);
    for (Memory memory : memories) {
      keptBytes += memory.byteSize();
    }
    if (keptBytes <= maxKeptBytes) {
      return true;
    }
    free(takeKept());
    return false;
  }

  /**
   * Returns memories to the caller if all of them are kept to be freed later; returns false,
   * without an effect, if they are not.
   */
  public synchronized boolean takeBack(List<Memory> memories) {
    if (!kept.containsAll(memories)) {
      return false;
    }
    kept.removeAll(memories);
    for (Memory memory : memories) {
      keptBytes -= memory.byteSize();
    }
    return true;
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
   * @throws RuntimeException the first exception other than that a memory is in use; all other
   *     memories are freed or kept
   */
  public synchronized void free(Iterable<? extends @Nullable Memory> memories) {
    RuntimeException failure = null;
    for (Memory memory : memories) {
      try {
        if (memory != null) {
          memory.close();
        }
      } catch (MemoryInUseException e) {
        // close() reports it, if it is still in use then.
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
   * Frees the remaining memories. May be called again.
   *
   * @throws MemoryInUseException if some are still in use
   */
  @Override
  public synchronized void close() {
    inUse.addAll(takeKept());
    Memories.close(inUse);
    inUse.clear();
  }
}

package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Allocates and frees groups of memories: all or none are allocated, and freeing one continues with
 * the others. For the packages of this module.
 */
@Internal
public final class Memories {

  private Memories() {}

  /** Allocation of one memory. */
  @FunctionalInterface
  public interface Allocation {
    Memory make();
  }

  /**
   * Allocates memories. If one fails, the earlier ones are freed.
   *
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory is not available
   */
  public static List<Memory> make(Allocation... allocations) {
    return make(List.of(allocations));
  }

  /** Calls {@link #make(Allocation...)} with a list. */
  public static List<Memory> make(List<Allocation> allocations) {
    List<Memory> made = new ArrayList<>(allocations.size());
    try {
      allocations.forEach(a -> made.add(a.make()));
      return List.copyOf(made);
    } catch (RuntimeException | Error e) {
      close(made);
      throw e;
    }
  }

  /** Runs work with memories that are freed if the work fails. */
  public static <T> T orFree(List<Memory> memories, Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException | Error e) {
      close(memories);
      throw e;
    }
  }

  /**
   * Frees as many memories as possible.
   *
   * @throws RuntimeException the first exception, in which the others are suppressed
   */
  public static void close(Iterable<? extends @Nullable Memory> memories) {
    RuntimeException failure = null;
    for (Memory memory : memories) {
      try {
        if (memory != null) {
          memory.close();
        }
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Clears the interrupt of a thread that met a memory which another thread freed. HotSpot
   * interrupts a thread that is inside an access to such a memory, and leaves it interrupted. A
   * genuine interrupt during the same access cannot be distinguished and is cleared too.
   *
   * @param before whether the thread was interrupted before the access
   */
  public static void forgetInterrupt(boolean before) {
    boolean _ = !before && Thread.interrupted();
  }

  /**
   * Throws if the arena of a segment is closed, or the calling thread cannot access it.
   *
   * @throws IllegalArgumentException with the reason
   */
  public static void requireReadable(MemorySegment segment) {
    if (!segment.scope().isAlive()) {
      throw new IllegalArgumentException("the arena of the segment was closed");
    }
    if (!segment.isAccessibleBy(Thread.currentThread())) {
      throw new IllegalArgumentException("the segment belongs to another thread");
    }
  }
}

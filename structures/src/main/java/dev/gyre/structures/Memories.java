package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memories that belong together: all are made, or none; all are freed that can be. For the packages
 * of this module.
 */
@Internal
public final class Memories {

  private Memories() {}

  /** Makes one of them. */
  @FunctionalInterface
  public interface Allocation {
    Memory make();
  }

  /**
   * Makes memories; where one cannot be made, those before it are freed.
   *
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not as much memory
   */
  public static List<Memory> make(Allocation... allocations) {
    return make(List.of(allocations));
  }

  /** {@link #make(Allocation...)} of a list. */
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

  /** Does something with memories that nobody else would free; where it fails, they are freed. */
  public static <T> T orFree(List<Memory> memories, Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException | Error e) {
      close(memories);
      throw e;
    }
  }

  /**
   * Frees memories, all that can be freed.
   *
   * @throws RuntimeException what the first threw that threw anything, with those of others in it
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
   * Ends the interrupt of a thread that has met memory which another one freed, and goes on: who is
   * inside an access to it then, HotSpot interrupts and leaves so, which nobody meant. An interrupt
   * that somebody meant and that came in the same access is not told from that, and ends, too.
   *
   * @param before whether the thread was interrupted before the access
   */
  public static void forgetInterrupt(boolean before) {
    boolean _ = !before && Thread.interrupted();
  }

  /**
   * Refuses a segment whose arena was closed, or that the calling thread cannot use.
   *
   * @throws IllegalArgumentException saying which
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

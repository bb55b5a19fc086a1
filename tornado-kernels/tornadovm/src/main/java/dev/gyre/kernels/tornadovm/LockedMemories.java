package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryInUseException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Memories whose pages a launcher has pinned, or a driver has allocated as pinned, and the works
 * that use them, for all launchers.
 *
 * <p>A driver pins pages for all its devices. So other launchers copy such a memory in place too,
 * and it is not unpinned while a work uses it.
 */
final class LockedMemories {

  /** Time after which a device counts as stuck. */
  private static final long MOST_MILLIS = TimeUnit.SECONDS.toMillis(30);

  /** Number of works that use each memory. */
  private static final Map<Memory, Integer> USERS = new HashMap<>();

  private static final Set<Memory> LOCKED = new HashSet<>();

  private LockedMemories() {}

  /** Notes the start of a work with memories. */
  static synchronized void hold(Collection<Memory> memories) {
    memories.forEach(memory -> USERS.merge(memory, 1, Integer::sum));
  }

  /** Ends {@link #hold}. */
  static synchronized void letGo(Collection<Memory> memories) {
    for (Memory memory : memories) {
      USERS.computeIfPresent(memory, (_, users) -> users == 1 ? null : users - 1);
    }
    LockedMemories.class.notifyAll();
  }

  /** Notes that the pages of a memory are pinned. */
  static synchronized void add(Memory memory) {
    LOCKED.add(memory);
  }

  /** Removes a memory whose pages stay pinned. */
  static synchronized void forget(Memory memory) {
    LOCKED.remove(memory);
  }

  /** Returns whether the pages of a memory are pinned. */
  static synchronized boolean has(Memory memory) {
    return LOCKED.contains(memory);
  }

  /**
   * Unpins a memory when no work uses it.
   *
   * @throws MemoryInUseException if a work uses it for long; it stays pinned
   */
  static synchronized void remove(Memory memory, Runnable unlock) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS);
    boolean interrupted = false;
    while (USERS.containsKey(memory)) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw new MemoryInUseException(
            "memory of %d bytes is not freed: another launcher copies it; close it again afterwards"
                .formatted(memory.byteSize()),
            null);
      }
      try {
        LockedMemories.class.wait(left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    unlock.run();
    LOCKED.remove(memory);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

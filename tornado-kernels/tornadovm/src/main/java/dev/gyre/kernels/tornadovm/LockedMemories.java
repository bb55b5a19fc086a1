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
 * Memories whose pages a launcher has locked, or that a driver made so, and who touches memories,
 * of all launchers. A driver locks pages for all of its devices: other launchers copy such a memory
 * from where it lies, too, and it is not unlocked while one does.
 */
final class LockedMemories {

  /** A device that takes longer is stuck. */
  private static final long MOST_MILLIS = TimeUnit.SECONDS.toMillis(30);

  /** By memory, how many works touch it. */
  private static final Map<Memory, Integer> USERS = new HashMap<>();

  private static final Set<Memory> LOCKED = new HashSet<>();

  private LockedMemories() {}

  /** Work begins that touches memories. */
  static synchronized void hold(Collection<Memory> memories) {
    memories.forEach(memory -> USERS.merge(memory, 1, Integer::sum));
  }

  /** The end of {@link #hold}. */
  static synchronized void letGo(Collection<Memory> memories) {
    for (Memory memory : memories) {
      USERS.computeIfPresent(memory, (_, users) -> users == 1 ? null : users - 1);
    }
    LockedMemories.class.notifyAll();
  }

  /** The pages of a memory are locked. */
  static synchronized void add(Memory memory) {
    LOCKED.add(memory);
  }

  /** The pages of a memory stay locked, but nobody asks for it any more. */
  static synchronized void forget(Memory memory) {
    LOCKED.remove(memory);
  }

  /** Whether the pages of a memory are locked. */
  static synchronized boolean has(Memory memory) {
    return LOCKED.contains(memory);
  }

  /**
   * Unlocks a memory when no work touches it.
   *
   * @throws MemoryInUseException if some does for long; nothing was done then
   */
  static synchronized void remove(Memory memory, Runnable unlock) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS);
    boolean interrupted = false;
    while (USERS.containsKey(memory)) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw new MemoryInUseException(
            "memory of %d bytes is kept: another launcher copies it; close it again once that has"
                    .formatted(memory.byteSize())
                + " ended",
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

package dev.gyre.atomics;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much off-heap memory the process may hold through {@link Memory}.
 *
 * <p>The JVM counts no off-heap memory, and an operating system that has promised more than it has
 * kills the process that takes it. So a limit stands between a structure that grows and the end of
 * the program: the system property {@value #PROPERTY}, a size as {@link Settings} takes it, else
 * three quarters of the memory of the machine or the container.
 */
final class MemoryBudget {

  static final String PROPERTY = "gyre.memory.limit";

  /** That of the process. */
  static final MemoryBudget PROCESS = new MemoryBudget();

  /** Below this nobody asks how much the machine has, which takes the JVM some time to find out. */
  private static final long ALWAYS_ALLOWED = 64L << 20;

  private static final long UNKNOWN = 0;

  private final boolean isSet = System.getProperty(PROPERTY) != null;
  private final AtomicLong held = new AtomicLong();
  private volatile long limit = UNKNOWN;

  /**
   * Takes room for an allocation.
   *
   * @throws MemoryExhaustedException if there is none
   * @throws SettingException if the property is not understood
   */
  void take(long bytes) {
    boolean taken = false;
    while (!taken) {
      long now = held.get();
      long most = isSet || bytes > ALWAYS_ALLOWED - now ? limit() : ALWAYS_ALLOWED;
      if (bytes > most - now) {
        throw new MemoryExhaustedException(
            "cannot allocate %d bytes of off-heap memory: %d of %d bytes are in use; -D%s=SIZE sets the limit"
                .formatted(bytes, now, most, PROPERTY),
            bytes,
            null);
      }
      taken = held.compareAndSet(now, now + bytes);
    }
  }

  private long limit() {
    long found = limit;
    if (found == UNKNOWN) {
      found = Settings.bytes(PROPERTY).orElseGet(MemoryBudget::ofMachine);
      limit = found;
    }
    return found;
  }

  private static long ofMachine() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os
        ? os.getTotalMemorySize() / 4 * 3
        : Long.MAX_VALUE;
  }

  /** Gives room back. */
  void giveBack(long bytes) {
    held.addAndGet(-bytes);
  }
}

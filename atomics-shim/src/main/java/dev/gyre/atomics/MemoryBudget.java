package dev.gyre.atomics;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much off-heap memory the process may hold through {@link Memory}.
 *
 * <p>The JVM counts no off-heap memory, and an operating system that has promised more than it has
 * kills the process that takes it. So a limit stands between a structure that grows and the end of
 * the program: the system property {@value #PROPERTY}, in bytes, else three quarters of the memory
 * of the machine or the container.
 */
final class MemoryBudget {

  static final String PROPERTY = "gyre.memory.limit";

  /** Below this nobody asks for the limit, which takes the JVM some time to find out. */
  private static final long ALWAYS_ALLOWED = 64L << 20;

  private static final AtomicLong HELD = new AtomicLong();

  private MemoryBudget() {}

  /** Found out when it is first needed. */
  private static final class Limit {
    static final long BYTES = bytes();

    private static long bytes() {
      Long configured = Long.getLong(PROPERTY);
      if (configured != null) {
        return configured;
      }
      return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os
          ? os.getTotalMemorySize() / 4 * 3
          : Long.MAX_VALUE;
    }
  }

  /**
   * Takes room for an allocation.
   *
   * @throws MemoryExhaustedException if there is none
   */
  static void take(long bytes) {
    long held = HELD.addAndGet(bytes);
    boolean overflow = held < bytes;
    if (overflow || (held > ALWAYS_ALLOWED && held > Limit.BYTES)) {
      HELD.addAndGet(-bytes);
      throw new MemoryExhaustedException(
          "cannot allocate %d bytes of off-heap memory: %d of %d bytes are in use; -D%s=BYTES sets the limit"
              .formatted(bytes, Math.max(0, held - bytes), Limit.BYTES, PROPERTY),
          bytes,
          null);
    }
  }

  /** Gives room back. */
  static void giveBack(long bytes) {
    HELD.addAndGet(-bytes);
  }
}

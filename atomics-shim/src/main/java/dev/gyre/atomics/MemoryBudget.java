package dev.gyre.atomics;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the off-heap memory that the process may hold through {@link Memory}.
 *
 * <p>The JVM counts no off-heap memory, and a system that has promised more memory than it has ends
 * the process that uses it. The limit is the system property {@value #PROPERTY}, a size as {@link
 * Settings} takes it, else {@link #defaultLimit}.
 */
final class MemoryBudget {

  static final String PROPERTY = "gyre.memory.limit";

  /** That of the process. */
  static final MemoryBudget PROCESS = new MemoryBudget();

  /**
   * Bytes that are allowed on every machine. Up to there the limit is not asked for, since the JVM
   * takes some time to find out how much memory the machine has.
   */
  static final long ALWAYS_ALLOWED_BYTES = 64L << 20;

  /** Bytes of classes, compiled code, threads and the collector's tables, in any JVM. */
  private static final long JVM_BYTES = 64L << 20;

  /** The collector's tables and the direct buffers take about this part of the heap besides. */
  private static final int HEAP_PART_OF_JVM = 16;

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
      long most = most(bytes, now);
      if (bytes > most - now) {
        throw new MemoryExhaustedException(
            "cannot allocate %d bytes of off-heap memory: %d of %d bytes are in use; %s; -D%s=SIZE sets the limit"
                .formatted(bytes, now, most, Memory.unclosed(), PROPERTY),
            bytes,
            null);
      }
      taken = held.compareAndSet(now, now + bytes);
    }
  }

  private long most(long bytes, long now) {
    return isSet || bytes > ALWAYS_ALLOWED_BYTES - now ? limit() : ALWAYS_ALLOWED_BYTES;
  }

  /** Whether there is room for so many bytes now. */
  boolean fits(long bytes) {
    long now = held.get();
    return bytes <= most(bytes, now) - now;
  }

  /** Whether so many bytes would fit if nothing else were held. */
  boolean couldFit(long bytes) {
    return bytes <= most(bytes, 0);
  }

  private long limit() {
    long found = limit;
    return found == UNKNOWN ? findLimit() : found;
  }

  private synchronized long findLimit() {
    if (limit == UNKNOWN) {
      limit = Settings.bytes(PROPERTY).orElseGet(MemoryBudget::ofMachine);
    }
    return limit;
  }

  /**
   * The limit without the property: a container's memory counts if it is less than the machine's.
   */
  private static long ofMachine() {
    if (!(ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os)) {
      return Long.MAX_VALUE;
    }
    long memory = Math.min(os.getTotalMemorySize(), ControlGroup.memoryLimit());
    long heap = Runtime.getRuntime().maxMemory();
    long found = defaultLimit(memory, heap);
    if (found <= ALWAYS_ALLOWED_BYTES) {
      System.getLogger("dev.gyre")
          .log(
              System.Logger.Level.WARNING,
              ("%d MiB of memory leave too little beside a heap of up to %d MiB: structures may"
                      + " hold %d MiB off-heap, with which the system may end the process. Give it"
                      + " more memory or a smaller heap (-Xmx), or set -D%s=SIZE")
                  .formatted(memory >> 20, heap >> 20, found >> 20, PROPERTY));
    }
    return found;
  }

  /**
   * Three quarters of the memory that the heap and the JVM itself do not take; never below {@link
   * #ALWAYS_ALLOWED_BYTES}.
   *
   * @param memory bytes of the machine or the container
   * @param maxHeap bytes that the heap may take; {@link Long#MAX_VALUE} if it has no limit
   */
  static long defaultLimit(long memory, long maxHeap) {
    long jvm = JVM_BYTES + maxHeap / HEAP_PART_OF_JVM;
    long left = Math.max(0, memory - maxHeap) - jvm;
    return Math.max(ALWAYS_ALLOWED_BYTES, left / 4 * 3);
  }

  /** Gives room back. */
  void giveBack(long bytes) {
    held.addAndGet(-bytes);
  }
}

package dev.gyre.atomics;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the off-heap memory that the process allocates through {@link Memory}.
 *
 * <p>The JVM does not count off-heap memory. A system that overcommits memory ends a process that
 * uses too much. The limit is the system property {@value #PROPERTY}, a size as {@link Settings}
 * reads it. If it is not set, the limit is {@link #defaultLimit}.
 */
final class MemoryBudget {

  static final String PROPERTY = "gyre.memory.limit";

  /** The budget of the process. */
  static final MemoryBudget PROCESS = new MemoryBudget();

  /**
   * Bytes that are allowed on every machine. Up to this sum the limit is not computed, since the
   * JVM takes some time to find out how much memory the machine has.
   */
  static final long ALWAYS_ALLOWED_BYTES = 64L << 20;

  /** Bytes that any JVM takes for classes, compiled code, threads and tables of the collector. */
  private static final long JVM_BYTES = 64L << 20;

  /** Tables of the collector and direct buffers add about 1/16 of the maximum heap. */
  private static final int HEAP_PART_OF_JVM = 16;

  private static final long UNKNOWN = 0;

  private final boolean isSet = System.getProperty(PROPERTY) != null;
  private final AtomicLong held = new AtomicLong();
  private volatile long limit = UNKNOWN;

  /**
   * Reserves bytes for an allocation.
   *
   * @throws MemoryExhaustedException if the limit leaves fewer bytes
   * @throws SettingException if the value of the property is not a size
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

  /** Returns whether the limit leaves so many bytes now. */
  boolean fits(long bytes) {
    long now = held.get();
    return bytes <= most(bytes, now) - now;
  }

  /** Returns whether so many bytes would fit if nothing else were allocated. */
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
   * Computes the limit without the property, from the memory of the machine or the container,
   * whichever is less.
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
              ("%d MiB of memory leave too little besides a heap of up to %d MiB: structures may"
                      + " allocate %d MiB off-heap, and the system may end the process. Give the"
                      + " process more memory or a smaller heap (-Xmx), or set -D%s=SIZE")
                  .formatted(memory >> 20, heap >> 20, found >> 20, PROPERTY));
    }
    return found;
  }

  /**
   * Returns three quarters of the memory that the heap and the JVM itself do not take, but at least
   * {@link #ALWAYS_ALLOWED_BYTES}.
   *
   * @param memory memory of the machine or the container, in bytes
   * @param maxHeap maximum heap, in bytes; {@link Long#MAX_VALUE} if it has no limit
   */
  static long defaultLimit(long memory, long maxHeap) {
    long jvm = JVM_BYTES + maxHeap / HEAP_PART_OF_JVM;
    long left = Math.max(0, memory - maxHeap) - jvm;
    return Math.max(ALWAYS_ALLOWED_BYTES, left / 4 * 3);
  }

  /** Returns reserved bytes. */
  void giveBack(long bytes) {
    held.addAndGet(-bytes);
  }
}

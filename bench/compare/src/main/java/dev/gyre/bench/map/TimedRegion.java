package dev.gyre.bench.map;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.ToLongFunction;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Counts what happens to the process while a benchmark is timed: collections, their time, and page
 * faults. JMH adds the counters to the result of each iteration.
 */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class TimedRegion {

  /** Offsets in Linux's {@code struct rusage}, of 64-bit words. */
  private static final long MINOR_FAULTS = 8 * Long.BYTES;

  private static final long MAJOR_FAULTS = 9 * Long.BYTES;
  private static final long RUSAGE_BYTES = 18 * Long.BYTES;

  private static final List<GarbageCollectorMXBean> COLLECTORS =
      ManagementFactory.getGarbageCollectorMXBeans();

  @SuppressWarnings("restricted")
  private static final MethodHandle GET_USAGE =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("getrusage"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

  private final MemorySegment usage = Arena.ofAuto().allocate(RUSAGE_BYTES, Long.BYTES);
  private long collectionsBefore;
  private long millisBefore;
  private long faultsBefore;

  /** Collections. */
  public long collections;

  /** Milliseconds of them. */
  public long collectionMillis;

  /** Page faults of all threads. */
  public long pageFaults;

  /** Begins a timed region. */
  public void begin() {
    collectionsBefore = sum(GarbageCollectorMXBean::getCollectionCount);
    millisBefore = sum(GarbageCollectorMXBean::getCollectionTime);
    faultsBefore = faults();
  }

  /** Ends a timed region. */
  public void end() {
    pageFaults += faults() - faultsBefore;
    collections += sum(GarbageCollectorMXBean::getCollectionCount) - collectionsBefore;
    collectionMillis += sum(GarbageCollectorMXBean::getCollectionTime) - millisBefore;
  }

  private static long sum(ToLongFunction<GarbageCollectorMXBean> part) {
    return COLLECTORS.stream().mapToLong(part).sum();
  }

  private long faults() {
    try {
      int failed = (int) GET_USAGE.invokeExact(0, usage);
      return failed != 0
          ? 0
          : usage.get(ValueLayout.JAVA_LONG, MINOR_FAULTS)
              + usage.get(ValueLayout.JAVA_LONG, MAJOR_FAULTS);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}

package dev.gyre.bench.memory;

import dev.gyre.bench.map.Rival;
import dev.gyre.bench.map.Rival.Use;
import dev.gyre.bench.map.RivalMap.KeyType;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Memory that a structure takes for each entry, at rest and at most while it is filled.
 *
 * <p>At rest counts the heap in use after a collection, and memory outside the heap. The most is
 * how much the resident memory of the process grew, garbage included, as Linux tells it: this
 * benchmark runs on Linux only. Each process fills one structure once, in a heap that becomes no
 * larger than necessary, which {@link #JVM_ARGUMENTS} see to.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1, time = 1, timeUnit = TimeUnit.NANOSECONDS)
@Fork(1)
@State(Scope.Benchmark)
public class MemoryBenchmark {

  /** What is filled. */
  public enum Kind {
    MAP,
    SET,
    /** Strings of random letters; a map has their order as values. */
    TEXTS,
    /** Counts of the words of a text. */
    WORDS;

    /** Returns what can be filled. */
    public List<Rival> rivals(KeyType type) {
      return this == MAP ? type.rivals() : Rival.of(Use.valueOf(name()));
    }
  }

  /** Whether the structure is created with the expected number of entries. */
  public enum Capacity {
    GIVEN,
    GROWN
  }

  /** Arguments of a JVM whose heap becomes no larger than necessary. */
  public static final List<String> JVM_ARGUMENTS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xms16m",
          "-Xmn8m",
          "-Xmx6g",
          "-XX:MinHeapFreeRatio=1",
          "-XX:MaxHeapFreeRatio=2",
          "-XX:-ShrinkHeapInSteps",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  /** Entries of a structure that is filled first, so that classes are loaded. */
  private static final int WARM_ENTRIES = 1 << 12;

  private static final MemoryMXBean HEAP = ManagementFactory.getMemoryMXBean();

  @Param("MAP")
  public Kind kind = Kind.MAP;

  @Param("LONG")
  public KeyType type = KeyType.LONG;

  @Param("HPPC")
  public Rival rival = Rival.HPPC;

  @Param("1048576")
  public int n = 1;

  @Param("GIVEN")
  public Capacity capacity = Capacity.GIVEN;

  /** What was measured. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Bytes {
    public long entries;
    public long atRest;
    public long atMost;
  }

  @Benchmark
  public void fill(Bytes bytes) throws IOException {
    if (bytes.entries > 0) {
      return;
    }
    try (Filled warm = Filled.prepare(this, WARM_ENTRIES).get()) {
      long _ = warm.fill();
    }
    Supplier<Filled> prepared = Filled.prepare(this, n);
    long before = used();
    long resident = status("VmRSS:");
    Files.writeString(Path.of("/proc/self/clear_refs"), "5");
    try (Filled subject = prepared.get()) {
      bytes.entries = subject.fill();
      bytes.atMost = status("VmHWM:") - resident;
      bytes.atRest = used() - before + subject.bytesOutside();
    }
  }

  /** Returns the bytes of the heap that are in use. */
  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return HEAP.getHeapMemoryUsage().getUsed();
  }

  /** Returns a number of bytes that Linux knows about this process. */
  private static long status(String name) throws IOException {
    String status = Files.readString(Path.of("/proc/self/status"));
    return Long.parseLong(status.replaceAll("(?s).*" + name + "\\s*(\\d+).*", "$1")) << 10;
  }
}

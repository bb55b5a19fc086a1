package dev.gyre.bench.shim;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a typed handle costs beside a raw {@code VarHandle} on the same memory: time per element.
 *
 * <p>Both read one field per access, from an object at hand: the raw code, the segment of {@code
 * this}; the handle, as a device function has it, the segment of a parameter.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 7, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@OperationsPerInvocation(HandleBenchmark.LENGTH)
public class HandleBenchmark {

  static final int LENGTH = 1 << 10;

  /** Takes bytes: the code shifts the index, and does not look whether that wraps around. */
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  private final Memory memory = Memory.ofInts(LENGTH);
  private final MemorySegment segment = memory.segment();
  private final DeviceInts handle = DeviceInts.of(memory);

  @TearDown
  public void close() {
    memory.close();
  }

  @Benchmark
  public int getHandle() {
    DeviceInts ints = this.handle;
    int sum = 0;
    for (long i = 0; i < LENGTH; i++) {
      sum += ints.get(i);
    }
    return sum;
  }

  @Benchmark
  public int getRaw() {
    int sum = 0;
    for (long i = 0; i < LENGTH; i++) {
      sum += (int) INT.get(segment, i << 2);
    }
    return sum;
  }

  @Benchmark
  public int loadAcquireHandle() {
    DeviceInts ints = this.handle;
    int sum = 0;
    for (long i = 0; i < LENGTH; i++) {
      sum += ints.loadAcquire(i);
    }
    return sum;
  }

  @Benchmark
  public int loadAcquireRaw() {
    int sum = 0;
    for (long i = 0; i < LENGTH; i++) {
      sum += (int) INT.getAcquire(segment, i << 2);
    }
    return sum;
  }

  @Benchmark
  public void storeReleaseHandle() {
    DeviceInts ints = this.handle;
    for (long i = 0; i < LENGTH; i++) {
      ints.storeRelease(i, 1);
    }
  }

  @Benchmark
  public void storeReleaseRaw() {
    for (long i = 0; i < LENGTH; i++) {
      INT.setRelease(segment, i << 2, 1);
    }
  }

  @Benchmark
  public int compareAndExchangeHandle() {
    DeviceInts ints = this.handle;
    int sum = 0;
    for (long i = 0; i < LENGTH; i++) {
      sum += ints.compareAndExchangeAcqRel(i, 0, 0);
    }
    return sum;
  }

  @Benchmark
  public int compareAndExchangeRaw() {
    int sum = 0;
    for (long i = 0; i < LENGTH; i++) {
      sum += (int) INT.compareAndExchange(segment, i << 2, 0, 0);
    }
    return sum;
  }

  @Benchmark
  public int fetchAddHandle() {
    DeviceInts ints = this.handle;
    int sum = 0;
    for (long i = 0; i < LENGTH; i++) {
      sum += ints.fetchAddRelaxed(i, 1);
    }
    return sum;
  }

  @Benchmark
  public int fetchAddRaw() {
    int sum = 0;
    for (long i = 0; i < LENGTH; i++) {
      sum += (int) INT.getAndAddAcquire(segment, i << 2, 1);
    }
    return sum;
  }
}

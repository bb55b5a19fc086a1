package dev.gyre.bench.shim;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.function.LongToIntFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time per element of a typed handle, compared with a raw {@code VarHandle} on the same memory. A
 * process measures one operation, so that HotSpot inlines it into the loop.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 7, time = 1)
@Fork(value = 2, jvmArgsPrepend = "--enable-native-access=ALL-UNNAMED")
@OperationsPerInvocation(HandleBenchmark.LENGTH)
public class HandleBenchmark {

  static final int LENGTH = 1 << 10;

  /** Takes bytes: the code shifts the index, and does not look whether that wraps around. */
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  /** The operations, with the handle and with the raw {@code VarHandle}. */
  public enum Operation {
    GET,
    LOAD_ACQUIRE,
    STORE_RELEASE,
    COMPARE_AND_EXCHANGE,
    FETCH_ADD;

    LongToIntFunction handle(DeviceInts ints) {
      return switch (this) {
        case GET -> ints::get;
        case LOAD_ACQUIRE -> ints::loadAcquire;
        case STORE_RELEASE ->
            i -> {
              ints.storeRelease(i, 1);
              return 0;
            };
        case COMPARE_AND_EXCHANGE -> i -> ints.compareAndExchangeAcqRel(i, 0, 0);
        case FETCH_ADD -> i -> ints.fetchAddRelaxed(i, 1);
      };
    }

    LongToIntFunction raw(MemorySegment segment) {
      return switch (this) {
        case GET -> i -> (int) INT.get(segment, i << 2);
        case LOAD_ACQUIRE -> i -> (int) INT.getAcquire(segment, i << 2);
        case STORE_RELEASE ->
            i -> {
              INT.setRelease(segment, i << 2, 1);
              return 0;
            };
        case COMPARE_AND_EXCHANGE -> i -> (int) INT.compareAndExchange(segment, i << 2, 0, 0);
        case FETCH_ADD -> i -> (int) INT.getAndAddAcquire(segment, i << 2, 1);
      };
    }
  }

  @Param public Operation operation = Operation.GET;

  private final Memory memory = Memory.ofInts(LENGTH);

  @TearDown
  public void close() {
    memory.close();
  }

  private static int all(LongToIntFunction access) {
    int sum = 0;
    for (long i = 0; i < LENGTH; i++) {
      sum += access.applyAsInt(i);
    }
    return sum;
  }

  @Benchmark
  public int handle() {
    return all(operation.handle(DeviceInts.of(memory)));
  }

  @Benchmark
  public int raw() {
    return all(operation.raw(memory.segment()));
  }
}

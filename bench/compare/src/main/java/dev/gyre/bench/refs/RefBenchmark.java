package dev.gyre.bench.refs;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What strategies cost on the JVM: time per key that a kernel looks for in a table, with one of
 * three hashes and one of two layouts. The table fits into the nearest cache.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 7, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@OperationsPerInvocation(RefBenchmark.KEYS)
public class RefBenchmark {

  static final int KEYS = 1 << 12;
  private static final int CAPACITY = 1 << 12;
  private static final int WARM_RUNS = 20_000;
  private static final LaunchShape SHAPE = LaunchShape.ofThreads(1);

  /** Where a key begins to look. */
  public interface Hash {
    long hash(long key);
  }

  /** Where a slot is. */
  public interface Layout {
    long at(long slot);
  }

  public record Fibonacci(long seed) implements Hash {
    @Override
    public long hash(long key) {
      return ((key ^ seed) * 0x9e3779b97f4a7c15L) >> 20;
    }
  }

  public record Reversed(long factor) implements Hash {
    @Override
    public long hash(long key) {
      return Long.reverse(key * factor);
    }
  }

  public record Linear(long add) implements Hash {
    @Override
    public long hash(long key) {
      return key * 31 + add;
    }
  }

  public record Dense() implements Layout {
    @Override
    public long at(long slot) {
      return slot;
    }
  }

  public record Backwards(long last) implements Layout {
    @Override
    public long at(long slot) {
      return last - slot;
    }
  }

  /** What the kernel sees of the table: 0 where a slot is empty. */
  public record Table(ThreadLongs keys, long mask, Hash hash, Layout layout) {

    /** The place of a key, or of the empty slot where it is missing. */
    long find(long key) {
      long slot = hash.hash(key) & mask;
      long seen = keys.get(layout.at(slot));
      while (seen != key && seen != 0) {
        slot = (slot + 1) & mask;
        seen = keys.get(layout.at(slot));
      }
      return layout.at(slot);
    }
  }

  public record FindAll(Table table, ThreadLongs batch, DeviceLongs found) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      long count = 0;
      for (long i = thread; i < KEYS; i += shape.threads()) {
        count += table.keys().get(table.find(batch.get(i))) == 0 ? 0 : 1;
      }
      long _ = found.fetchAddRelaxed(0, count);
    }
  }

  /** In which company the kernel runs. */
  public enum Company {
    /** No other strategies have been used in this process. */
    ALONE,
    /** All have been, through the same classes. */
    SHARED,
    /** All have been, each combination in code of its own. */
    OWN
  }

  @Param public Company company = Company.ALONE;

  private final JvmLauncher launcher = JvmLauncher.ofWorkers(1);
  private final List<Memory> memories = new ArrayList<>();
  private Kernel kernel = (thread, shape) -> {};

  @Setup
  public void open() {
    List<Hash> hashes = List.of(new Fibonacci(5), new Reversed(77_777), new Linear(3));
    List<Layout> layouts = List.of(new Dense(), new Backwards(CAPACITY - 1));
    if (company != Company.ALONE) {
      for (Hash hash : hashes) {
        for (Layout layout : layouts) {
          Kernel other = kernel(hash, layout);
          for (int run = 0; run < WARM_RUNS / hashes.size(); run++) {
            run(other);
          }
        }
      }
    }
    kernel = kernel(hashes.getFirst(), layouts.getFirst());
  }

  private Kernel kernel(Hash hash, Layout layout) {
    Memory keys = memory(CAPACITY);
    Memory batch = memory(KEYS);
    Table table = new Table(ThreadLongs.of(keys), CAPACITY - 1, hash, layout);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < KEYS; i++) {
      long key = random.nextLong() | 1;
      ThreadLongs.of(batch).set(i, key);
      if (i < CAPACITY / 8) {
        ThreadLongs.of(keys).set(table.find(key), key);
      }
    }
    return new FindAll(table, ThreadLongs.of(batch), DeviceLongs.of(memory(1)));
  }

  private Memory memory(int longs) {
    Memory memory = Memory.ofLongs(longs);
    memories.add(memory);
    return memory;
  }

  @TearDown
  public void close() {
    launcher.close();
    memories.forEach(Memory::close);
  }

  @Benchmark
  public void find() {
    run(kernel);
  }

  /** A launcher gives each combination code of its own. */
  private void run(Kernel each) {
    if (company == Company.OWN) {
      launcher.run(each, SHAPE);
    } else {
      each.run(0, SHAPE);
    }
  }
}

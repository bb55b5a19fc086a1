package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedHandle;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.aggregate.BlockAggregate;
import dev.gyre.kernels.map.aggregate.SampleKeys;
import dev.gyre.kernels.map.partition.BlockPartition;
import dev.gyre.kernels.map.partition.BuildPartitions;
import dev.gyre.kernels.map.partition.CountPartitions;
import dev.gyre.kernels.map.partition.InsertOverflow;
import dev.gyre.kernels.map.partition.OrderByPartition;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link PartitionedInsertTest} looks at would be seen to be wrong if a kernel were: each with
 * a step left out, on threads of the JVM that stand for those of a device.
 */
class PartitionMutantsTest {

  private static final String PARTITIONS = "gyre.partition.from";
  private static final String ADDITIONS = "gyre.additions.from";

  private final JvmLauncher jvm = JvmLauncher.ofWorkers(2);
  private final Set<String> kernels = new HashSet<>();
  private final List<Memory> memories = new ArrayList<>();

  /** A device that runs mutants. */
  private static final class Mutants extends ForwardingLauncher {
    private final UnaryOperator<Kernel> mutant;
    private final Set<String> kernels;

    Mutants(Launcher launcher, UnaryOperator<Kernel> mutant, Set<String> kernels) {
      super(launcher, deviceOnJvm(1));
      this.mutant = mutant;
      this.kernels = kernels;
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape given, LaunchMode mode) {
      LaunchShape shape = onJvm(given);
      boolean _ = kernels.add(kernel.name());
      Kernel run = mutant.apply(kernel);
      if (run instanceof Bare bare) {
        for (int thread = 0; thread < shape.threads(); thread++) {
          bare.kernel.run(thread, shape);
        }
      }
      Launch launch =
          launcher.start(run, run instanceof Bare ? LaunchShape.ofThreads(1) : shape, mode);
      launch.join();
      return launch;
    }

    @Override
    public void close() {}
  }

  /** A kernel that was run outside of a launch, where a barrier is none. */
  private record Bare(Kernel kernel) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {}
  }

  @BeforeEach
  void always() {
    System.setProperty(PARTITIONS, "1");
  }

  @AfterEach
  void asBefore() {
    System.clearProperty(PARTITIONS);
    System.clearProperty(ADDITIONS);
    jvm.close();
    memories.forEach(Memory::close);
  }

  private Memory memory(SharedHandle shared) {
    Memory memory = Memory.ofBytes(shared.byteSize());
    memories.add(memory);
    return memory;
  }

  private SharedInts of(SharedInts shared) {
    return shared.in(memory(shared));
  }

  private SharedLongs of(SharedLongs shared) {
    return shared.in(memory(shared));
  }

  private BlockPartition of(BlockPartition partition) {
    return new BlockPartition(
        partition.layout(),
        partition.overflow(),
        partition.capacity(),
        partition.counters(),
        of(partition.slots()),
        of(partition.staged()),
        of(partition.shared()));
  }

  /** A kernel whose threads wait for nobody, and have what a block shares all the same. */
  private Kernel withoutBarriers(Kernel kernel) {
    return switch (kernel) {
      case CountPartitions k ->
          new Bare(
              new CountPartitions(k.table(), k.entries(), k.level(), of(k.counts()), k.most()));
      case OrderByPartition k ->
          new Bare(
              new OrderByPartition(
                  k.table(),
                  k.entries(),
                  k.ordered(),
                  k.level(),
                  k.tile(),
                  of(k.staged()),
                  of(k.shared())));
      case BuildPartitions k ->
          new Bare(
              new BuildPartitions(of(k.built()), k.entries(), k.level(), k.change(), k.isNew()));
      case SampleKeys k ->
          new Bare(new SampleKeys(k.keys(), k.counters(), k.from(), k.to(), of(k.shared())));
      case BlockAggregate k ->
          new Bare(
              new BlockAggregate(
                  k.table(),
                  k.keys(),
                  k.values(),
                  k.counters(),
                  k.from(),
                  k.to(),
                  k.pollLimit(),
                  of(k.shared()),
                  k.places(),
                  k.options()));
      default -> kernel;
    };
  }

  /** Whether two inserts of one and the same map come out right: with equal keys, and full. */
  private boolean isRight(boolean longs, double load, UnaryOperator<Kernel> mutant) {
    SplittableRandom random = new SplittableRandom(24);
    Map<Long, Long> wanted = new TreeMap<>();
    boolean right = true;
    Kind kind = new Kind(longs, longs ? Layout.LINE : Layout.PACKED, 2, Waiting.BLOCKING);
    try (MapAdapter map =
        kind.build(
            b ->
                b.launcher(new Mutants(jvm, mutant, kernels))
                    .tableSeed(7)
                    .loadFactor(load)
                    .capacity(4_000))) {
      for (int count : new int[] {3_300, 1_450}) {
        long[] keys = random.longs(count, 0, 5_000).toArray();
        // Of longs, a block has no slot for them.
        Arrays.fill(keys, 0, 3, 0);
        long[] values = Arrays.stream(keys).map(k -> 2 * k).toArray();
        int before = wanted.size();
        for (long key : keys) {
          wanted.merge(key, 2 * key, Long::sum);
        }
        int inserted = wanted.size() - before;
        right &=
            map.insertOnDevice(keys, values, MapAdapter.Change.ADD, BulkOptions.NONE)
                .equals(new InsertCounts(inserted, count - inserted, 0));
      }
      long[] all = wanted.keySet().stream().mapToLong(i -> i).toArray();
      return right
          && map.walked().equals(wanted)
          && map.find(all, null, BulkOptions.NONE).found() == all.length;
    } catch (RuntimeException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1.0})
  void withAllStepsItIsRight(double load) {
    assertTrue(isRight(false, load, k -> k));
    assertThat(kernels).contains("BuildPartitions", "InsertOverflow");
  }

  @ParameterizedTest
  @CsvSource({"CountPartitions, 1.0", "OrderByPartition, 1.0", "BuildPartitions, 0.5"})
  void withoutBarriersItIsNot(String name, double load) {
    assertThat(isRight(false, load, k -> k.name().equals(name) ? withoutBarriers(k) : k)).isFalse();
    assertThat(kernels).contains(name);
  }

  @Test
  void longsWithAllStepsAreRight() {
    assertTrue(isRight(true, 1.0, k -> k));
    assertThat(kernels)
        .contains("CountPartitions", "OrderByPartition", "BuildPartitions", "InsertOverflow")
        .doesNotContain("Insert");
  }

  @ParameterizedTest
  @ValueSource(strings = {"CountPartitions", "OrderByPartition", "BuildPartitions"})
  void longsWithoutBarriersAreNot(String name) {
    assertThat(isRight(true, 1.0, k -> k.name().equals(name) ? withoutBarriers(k) : k)).isFalse();
  }

  @Test
  void longsWithoutTheirOverflowAreNot() {
    UnaryOperator<Kernel> dropped =
        k -> k instanceof InsertOverflow left ? new ClearLongs(left.numbers(), left.length()) : k;
    assertThat(isRight(true, 1.0, dropped)).isFalse();
  }

  @Test
  void withoutOverflowItIsNot() {
    UnaryOperator<Kernel> dropped =
        k -> k instanceof InsertOverflow left ? new ClearLongs(left.numbers(), left.length()) : k;
    assertThat(isRight(false, 1.0, dropped)).isFalse();
  }

  @Test
  void ifEqualKeysOfAPartitionAreNotAddedItIsNot() {
    UnaryOperator<Kernel> keeps =
        k ->
            k instanceof BuildPartitions p
                ? new BuildPartitions(
                    p.built(), p.entries(), p.level(), new Change.None(), p.isNew())
                : k;
    assertThat(isRight(false, 1.0, keeps)).isFalse();
  }

  @Test
  void additionsWithoutBarriersAreWrong() {
    System.setProperty(ADDITIONS, "1");
    assertTrue(isRight(false, 0.5, k -> k));
    assertThat(kernels).contains("BlockAggregate");
    assertThat(isRight(false, 0.5, k -> k instanceof BlockAggregate ? withoutBarriers(k) : k))
        .isFalse();
  }
}

package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.TargetUnderTest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Partitioned inserts into sets, as {@link PartitionedInsertTest} has maps: of ints, whose slots
 * hold keys alone; those of longs go one by one.
 */
@ConformanceSuite
class PartitionedSetsTest {

  private static final String FROM = "gyre.partition.from";

  private final JvmLauncher jvm = JvmLauncher.ofWorkers(2);
  private final List<String> kernels = new ArrayList<>();

  /** A device whose memory is the host's, and which notes its kernels. */
  private final class Noting extends ForwardingLauncher {
    Noting() {
      super(jvm, deviceOnJvm(1));
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      kernels.add(kernel.name());
      Launch launch = launcher.start(kernel, onJvm(shape), mode);
      launch.join();
      return launch;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void always() {
    TargetUnderTest.assumeAlone();
    System.setProperty(FROM, "1");
  }

  @AfterEach
  void asBefore() {
    System.clearProperty(FROM);
    jvm.close();
  }

  private Launcher launcher() {
    Launcher device = TargetUnderTest.device();
    return device == null ? new Noting() : device;
  }

  /** On the JVM it is known which kernels ran. */
  private void requireKernel(String kernel, boolean ran) {
    if (TargetUnderTest.device() == null) {
      assertThat(kernels.contains(kernel)).as(kernel).isEqualTo(ran);
    }
    kernels.clear();
  }

  private static InsertCounts add(IntSet set, int[] keys) {
    try (Memory memory = Memory.ofInts(keys.length)) {
      MemorySegment.copy(keys, 0, memory.segment(), ValueLayout.JAVA_INT, 0, keys.length);
      return set.addAll(Ints.onDevice(memory, keys.length), BulkOptions.NONE);
    }
  }

  /** Adds keys to set and model. */
  private static void addBoth(IntSet set, Set<Integer> model, int[] keys) {
    int before = model.size();
    IntStream.of(keys).forEach(model::add);
    int added = model.size() - before;
    assertThat(add(set, keys)).isEqualTo(new InsertCounts(added, keys.length - added, 0));
    requireHolds(set, model);
  }

  private IntSet set(double load, long capacity) {
    return IntSet.builder()
        .launcher(launcher())
        .seed(7)
        .loadFactor(load)
        .capacity(capacity)
        .build();
  }

  private static int[] keys(SplittableRandom random, int count) {
    return IntStream.range(0, count)
        .map(
            _ ->
                switch (random.nextInt(6)) {
                  case 0 -> Integer.MIN_VALUE - random.nextInt(-2, 3);
                  case 1 -> random.nextInt(3) - 1;
                  case 2 -> random.nextInt();
                  default -> random.nextInt(count) - count / 2;
                })
        .toArray();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1.0, 0.7})
  void randomTablesFullAndHalfEmpty(double load) {
    SplittableRandom random = new SplittableRandom(24);
    Set<Integer> model = new TreeSet<>();
    try (IntSet set = set(load, 4_000)) {
      addBoth(set, model, keys(random, load == 1.0 ? 3_500 : 1_800));
      addBoth(set, model, keys(random, 1_500));
      requireKernel("BuildPartitions", true);
      addBoth(set, model, new int[1_500]);
      // A table that is nearly full takes capacity for each claim, and is not partitioned.
      requireKernel("BuildPartitions", load < 1.0);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1.0, 0.7})
  void theLeastNumberAmongOthersAndAlone(double load) {
    int[] least = new int[3_000];
    Arrays.fill(least, Integer.MIN_VALUE);
    int[] some = IntStream.range(0, 3_000).map(i -> i % 3 == 0 ? i : Integer.MIN_VALUE).toArray();
    for (List<int[]> batches : List.of(List.of(least, some), List.of(some, least))) {
      Set<Integer> model = new TreeSet<>();
      try (IntSet set = set(load, 3_000)) {
        for (int[] batch : batches) {
          addBoth(set, model, batch);
        }
        set.rehash(9_000);
        requireHolds(set, model);
      }
    }
  }

  @Test
  @Tag("slow")
  void aSetThatGrowsForThemAndIsRehashed() {
    int[] keys = new SplittableRandom(3).ints(20_000).toArray();
    keys[7] = Integer.MIN_VALUE;
    Set<Integer> model = new TreeSet<>();
    try (IntSet set = set(0.5, 10)) {
      addBoth(set, model, keys);
      requireKernel("BuildPartitions", true);
      for (int capacity : new int[] {50_000, model.size()}) {
        set.rehash(capacity);
        requireHolds(set, model);
      }
    }
  }

  @Test
  void longsGoOneByOne() {
    long[] keys = new SplittableRandom(3).longs(5_000).toArray();
    keys[7] = Long.MIN_VALUE;
    try (LongSet set = LongSet.builder().launcher(launcher()).seed(7).capacity(5_000).build();
        Memory memory = Memory.ofLongs(keys.length)) {
      MemorySegment.copy(keys, 0, memory.segment(), ValueLayout.JAVA_LONG, 0, keys.length);
      assertThat(set.addAll(Longs.onDevice(memory, keys.length), BulkOptions.NONE).inserted())
          .isEqualTo(keys.length);
      requireKernel("BuildPartitions", false);
      set.rehash(10_000);
      requireKernel("Move", true);
      assertThat(set.containsAll(keys).found()).isEqualTo(keys.length);
      assertThat(set.contains(Long.MIN_VALUE)).isTrue();
    }
  }

  private static void requireHolds(IntSet set, Set<Integer> wanted) {
    int[] all = wanted.stream().mapToInt(key -> key).toArray();
    assertThat(set.size()).isEqualTo(all.length);
    assertThat(set.containsAll(all)).isEqualTo(new FindCounts(all.length, 0));
    Set<Integer> walked = new TreeSet<>();
    set.forEach(key -> assertThat(walked.add(key)).isTrue());
    assertThat(walked).isEqualTo(wanted);
    int[] retrieved = new int[all.length];
    assertThat(set.retrieveAll(retrieved)).isEqualTo(all.length);
    assertThat(retrieved).containsExactlyInAnyOrder(all);
  }
}

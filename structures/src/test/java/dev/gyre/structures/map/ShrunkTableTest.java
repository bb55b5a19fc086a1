package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A bulk insert whose keys were put in the order of the table's partitions, and a {@code rehash} to
 * a table that has fewer slots than there are partitions: workers that took the slots for theirs
 * would write the same ones.
 */
@Timeout(60)
class ShrunkTableTest {

  private static final int KEYS = 1 << 14;
  private static final int DISTINCT = 24;

  /** Threads of the JVM, with something done before the launches of the thread that made it. */
  private static final class Hooked extends ForwardingLauncher {
    private final Thread owner = Thread.currentThread();
    private final List<Runnable> before = new ArrayList<>();

    Hooked() {
      super(JvmLauncher.ofWorkers(2));
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      if (owner.equals(Thread.currentThread()) && !before.isEmpty()) {
        before.removeFirst().run();
      }
      return launcher.start(kernel, shape, mode);
    }
  }

  static Stream<Kind> kinds() {
    return Kind.layouts().stream();
  }

  private static void elsewhere(Runnable work) {
    Thread thread = Thread.ofPlatform().start(work);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void slotsAreClaimedWhereThereAreFewerThanPartitions(Kind kind) {
    long[] keys = new long[KEYS];
    Map<Long, Long> expected = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      keys[i] = i % 600 == 0 && i / 600 < DISTINCT ? 1 + i / 600 : 0;
      expected.merge(keys[i], 1L, Long::sum);
    }
    long[] ones = new long[KEYS];
    Arrays.fill(ones, 1);
    try (Hooked launcher = new Hooked();
        MapAdapter map =
            kind.build(b -> b.tableSeed(1).loadFactor(0.5).capacity(1 << 19).launcher(launcher))) {
      int[] besides = new int[1];
      // While keys are counted by partition, and before they are inserted.
      launcher.before.add(() -> elsewhere(() -> map.rehash(30)));
      launcher.before.add(() -> {});
      launcher.before.add(
          () -> {
            // Were the insert the sole update, this one would have to wait for its end.
            elsewhere(() -> map.putIfAbsent(100, 1));
            besides[0]++;
          });
      expected.put(100L, 1L);
      InsertCounts counts = map.insert(keys, ones, MapAdapter.Change.ADD, null, BulkOptions.NONE);
      assertThat(besides[0]).isEqualTo(1);
      assertThat(launcher.before).isEmpty();
      assertThat(counts)
          .isEqualTo(new InsertCounts(expected.size() - 1, KEYS - expected.size() + 1, 0));
      assertThat(map.entries()).isEqualTo(expected);
      assertThat(map.size()).isEqualTo(expected.size());
    }
  }
}

package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Target;
import dev.gyre.structures.ForwardingLauncher;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which inserts on a device are partitioned: of many keys, into a large table. */
class PartitionedOrNotTest {

  private static final String FROM = "gyre.partition.from";

  /** The first kernel of a partitioned insert. */
  private static final String PARTITIONED = "CountPartitions";

  private final JvmLauncher jvm = JvmLauncher.ofWorkers(2);
  private final List<String> kernels = new ArrayList<>();

  /**
   * A device whose memory is the host's, with blocks of two threads; it ends partitioned inserts,
   * which would take threads of the JVM long.
   */
  private final class Noting extends ForwardingLauncher {
    Noting() {
      super(jvm, new Device(Target.OPENCL, "one of this test", 1));
    }

    @Override
    public LaunchShape shapeFor(long items) {
      return new LaunchShape(1, 2);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      kernels.add(kernel.name());
      if (kernel.name().equals(PARTITIONED)) {
        throw new LaunchException(kernel.name(), device(), "a test", null);
      }
      Launch launch = launcher.start(kernel, shape, mode);
      launch.join();
      return launch;
    }

    @Override
    public void close() {}
  }

  @AfterEach
  void asBefore() {
    System.clearProperty(FROM);
    jvm.close();
  }

  /** Inserts keys into an empty map of ints, which has twice as many slots as its capacity. */
  private void insert(int count, int capacity) {
    kernels.clear();
    try (Noting device = new Noting();
        Memory keys = Memory.ofInts(count);
        IntIntMap map = IntIntMap.builder().launcher(device).capacity(capacity).build()) {
      for (int i = 0; i < count; i++) {
        keys.segment().setAtIndex(ValueLayout.JAVA_INT, i, i);
      }
      Ints all = Ints.onDevice(keys, count);
      try {
        assertThat(map.insert(all, all, BulkOptions.NONE).inserted()).isEqualTo(count);
      } catch (LaunchException e) {
        assertThat(e.kernel()).isEqualTo(PARTITIONED);
      }
    }
  }

  @Test
  void manyKeysIntoATableBeyondTheCache() {
    insert(1 << 22, 1 << 23);
    assertThat(kernels).contains(PARTITIONED);
  }

  @Test
  void aTableWithinTheCacheIsNot() {
    insert(1 << 18, 1 << 18);
    assertThat(kernels).contains("Insert").doesNotContain(PARTITIONED);
  }

  @Test
  void aSettingSaysFromWhichSizeOn() {
    System.setProperty(FROM, "8m");
    insert(1 << 18, 1 << 19);
    assertThat(kernels).contains(PARTITIONED);
    insert(1 << 18, 1 << 18);
    assertThat(kernels).contains("Insert").doesNotContain(PARTITIONED);
  }

  @Test
  void fewKeysOfALargeTableAreNot() {
    System.setProperty(FROM, "8m");
    insert((1 << 18) - 1, 1 << 19);
    assertThat(kernels).contains("Insert").doesNotContain(PARTITIONED);
  }
}

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
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which way large batches go is reckoned from rates that were measured on the device. */
class WayToInsertTest {

  private static final String FROM = "gyre.regions.from";
  private static final String RATES = "gyre.rates";
  private static final int KEYS = 1 << 20;

  /** The first kernel of an insert by regions. */
  private static final String BY_REGIONS = "CountRegions";

  /** Reaching at random takes ten times as long as all else, or next to nothing. */
  private static final String SLOW_AT_RANDOM = "1e-3 1 10 10";

  private static final String FAST_AT_RANDOM = "1e-3 1 1e-3 1e-3";

  private final JvmLauncher jvm = JvmLauncher.ofWorkers(2);
  private final List<String> kernels = new ArrayList<>();

  @TempDir Path folder;

  /**
   * A device whose memory is the host's, with blocks of two threads; it ends what goes by regions,
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
      if (kernel.name().equals(BY_REGIONS)) {
        throw new LaunchException(kernel.name(), device(), "a test", null);
      }
      Launch launch = launcher.start(kernel, shape, mode);
      launch.join();
      return launch;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void fileOfTheTest() {
    System.setProperty(RATES, file().toString());
  }

  @AfterEach
  void asBefore() {
    System.clearProperty(RATES);
    System.clearProperty(FROM);
    jvm.close();
  }

  private Path file() {
    return folder.resolve("rates");
  }

  private void kept(String rates) throws IOException {
    Files.writeString(file(), "opencl,\\ one\\ of\\ this\\ test,\\ unknown\\ driver=" + rates);
  }

  private void insert(int count) {
    kernels.clear();
    try (Noting device = new Noting();
        Memory keys = Memory.ofInts(count);
        IntIntMap map = IntIntMap.builder().launcher(device).capacity(KEYS).build()) {
      for (int i = 0; i < count; i++) {
        keys.segment().setAtIndex(ValueLayout.JAVA_INT, i, i);
      }
      Ints all = Ints.onDevice(keys, count);
      try {
        assertThat(map.insert(all, all, BulkOptions.NONE).inserted()).isEqualTo(count);
      } catch (LaunchException e) {
        assertThat(e.kernel()).isEqualTo(BY_REGIONS);
      }
    }
  }

  @Test
  void aLargeBatchGoesTheWayThatTheRatesSay() throws IOException {
    kept(SLOW_AT_RANDOM);
    insert(KEYS);
    assertThat(kernels).contains(BY_REGIONS).doesNotContain("SwapAtRandom");
  }

  @Test
  void whereReachingAtRandomIsFastAllGoOneByOne() throws IOException {
    kept(FAST_AT_RANDOM);
    insert(KEYS);
    assertThat(kernels).contains("Insert").doesNotContain(BY_REGIONS, "SwapAtRandom");
  }

  @Test
  void whatWasChosenAndWhyIsAnEvent() throws IOException {
    kept(SLOW_AT_RANDOM);
    Path events = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("dev.gyre.Choice");
      recording.start();
      insert(KEYS);
      recording.stop();
      recording.dump(events);
    }
    // Others may record as well.
    List<RecordedEvent> all = RecordingFile.readAllEvents(events);
    assertThat(all)
        .filteredOn(e -> e.getEventType().getName().equals("dev.gyre.Choice"))
        .isNotEmpty()
        .allMatch(e -> e.getString("what").equals("insert by regions"))
        .allMatch(e -> e.getLong("keys") == KEYS)
        .allMatch(e -> e.getDuration("oneByOne").compareTo(e.getDuration("byRegions")) > 0);
  }

  @Test
  void theFirstLargeBatchMeasuresAndNoOther() {
    insert(1 << 12);
    assertThat(kernels).doesNotContain("SwapAtRandom");
    insert(KEYS);
    assertThat(kernels).contains("SwapAtRandom");
    assertThat(file()).exists();
    insert(KEYS);
    assertThat(kernels).doesNotContain("SwapAtRandom");
  }

  @Test
  void whereItIsSwitchedOffOrSaidNothingIsMeasured() {
    System.setProperty(RATES, "off");
    insert(KEYS);
    assertThat(kernels).contains("Insert").doesNotContain("SwapAtRandom", BY_REGIONS);
    System.setProperty(RATES, file().toString());
    System.setProperty(FROM, "8m");
    insert(KEYS);
    assertThat(kernels).contains(BY_REGIONS).doesNotContain("SwapAtRandom");
    assertThat(file()).doesNotExist();
  }
}

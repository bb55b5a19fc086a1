package dev.gyre.structures.map.work;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.KeptProperties;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherProvider;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.map.region.CopyHalf;
import dev.gyre.kernels.map.region.SwapAtRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The {@link DeviceRates} of devices, each measured once, and kept in the file {@code
 * gyre/rates.properties} beside that of {@link dev.gyre.kernels.Payoff}, under the device and its
 * driver: a new driver is measured anew. To measure takes some 40 milliseconds, 256 MiB of the
 * device's memory, and the time in which two small kernels are compiled.
 */
public final class MeasuredRates {

  /** The file, in place of the user's; or {@value #OFF}, so that nothing is measured. */
  static final String PROPERTY = "gyre.rates";

  private static final String OFF = "off";

  private static final String TITLE =
      "Measured nanoseconds of a byte copied, a kernel, exchanges at random from 4 MiB on";

  /** Bytes of the largest table that is measured: more than caches have. */
  private static final long LARGEST = 1L << 28;

  /** By file. */
  private static final Map<KeptProperties, MeasuredRates> ALL = new ConcurrentHashMap<>();

  /** How long the exchanges of one size are to take, and how many of them there are. */
  private static final double SWAPPING_NANOS = 500_000;

  private static final long LEAST_SWAPS = 1L << 16;
  private static final long MOST_SWAPS = 1L << 22;

  /** Of so many runs the fastest counts. */
  private static final int RUNS = 3;

  private static final int CHAINED = 8;

  /** How long chains are run. */
  private static final long CHAINING_NANOS = 20_000_000;

  private final KeptProperties kept;
  private final long largest;
  private final Map<Device, Optional<DeviceRates>> known = new ConcurrentHashMap<>();
  private final ReentrantLock measuring = new ReentrantLock();

  /**
   * Kept in a file.
   *
   * @param largest bytes of the largest table that is measured, 2^23 or more
   */
  MeasuredRates(KeptProperties kept, long largest) {
    this.kept = kept;
    this.largest = largest;
  }

  /**
   * Those of a launcher's device, which are measured if they are not known; none where that fails
   * or is switched off. Who asks meanwhile waits: what it is about to launch would run beside what
   * is measured, and slow rates would be kept.
   *
   * @throws LaunchCancelledException if the thread is interrupted
   */
  public static Optional<DeviceRates> of(Launcher launcher) {
    String set = System.getProperty(PROPERTY, "");
    if (set.equals(OFF)) {
      return Optional.empty();
    }
    KeptProperties file =
        set.isBlank()
            ? KeptProperties.ofUser("rates.properties", TITLE)
            : new KeptProperties(KeptProperties.path(set), TITLE);
    return ALL.computeIfAbsent(file, kept -> new MeasuredRates(kept, LARGEST)).find(launcher);
  }

  /** The same. */
  Optional<DeviceRates> find(Launcher launcher) {
    Optional<DeviceRates> found = known.get(launcher.device());
    if (found == null) {
      enter(launcher.device());
      try {
        found = known.get(launcher.device());
        if (found == null) {
          found = readOrMeasure(launcher);
          known.put(launcher.device(), found);
        }
      } finally {
        measuring.unlock();
      }
    }
    return found;
  }

  private void enter(Device device) {
    try {
      measuring.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LaunchCancelledException("SwapAtRandom", device, e);
    }
  }

  private Optional<DeviceRates> readOrMeasure(Launcher launcher) {
    String key = key(launcher.device());
    Optional<DeviceRates> read = DeviceRates.parse(kept.read().getProperty(key, ""));
    if (read.isPresent()) {
      return read;
    }
    try {
      DeviceRates measured = measure(launcher);
      Properties all = kept.read();
      all.setProperty(key, measured.format());
      kept.write(all);
      return Optional.of(measured);
    } catch (LaunchCancelledException e) {
      throw e;
    } catch (LaunchException | MemoryExhaustedException e) {
      System.getLogger(MeasuredRates.class.getName())
          .log(System.Logger.Level.DEBUG, "cannot measure " + key, e);
      return Optional.empty();
    }
  }

  private static String key(Device device) {
    int index = Launchers.find(device.target()).devices().indexOf(device);
    Map<String, String> facts = index < 0 ? Map.of() : Launchers.facts(device.target(), index);
    return "%s, %s, %s"
        .formatted(
            device.target().label(),
            device.name(),
            facts.getOrDefault(LauncherProvider.DRIVER, "unknown driver"));
  }

  private DeviceRates measure(Launcher launcher) {
    try (Memory memory = Memory.ofLongs(largest / Long.BYTES)) {
      launcher.clear(memory);
      CopyHalf copy = new CopyHalf(ThreadLongs.of(memory), largest / Long.BYTES / 2);
      LaunchShape copying = launcher.shapeForEach(copy.half());
      double byteNanos = fastest(launcher, Collections.nCopies(RUNS, copy), copying) / largest;
      return new DeviceRates(
          byteNanos, linkNanos(launcher, memory), swaps(launcher, DeviceLongs.of(memory)));
    }
  }

  /** In tables of all sizes, the smallest first; each exchange of a size is of another long. */
  private List<Double> swaps(Launcher launcher, DeviceLongs words) {
    List<Double> all = new ArrayList<>();
    long swaps = LEAST_SWAPS;
    long seed = 0;
    for (long bytes = DeviceRates.FIRST; bytes <= largest; bytes *= 2) {
      double best = Double.POSITIVE_INFINITY;
      for (int run = 0; run < RUNS; run++) {
        Kernel kernel = new SwapAtRandom(words, bytes / Long.BYTES - 1, swaps, seed);
        double each = nanos(launcher, kernel, launcher.shapeForEach(swaps)) / swaps;
        seed += swaps;
        best = Math.min(best, each);
        swaps = Math.clamp((long) (SWAPPING_NANOS / each), LEAST_SWAPS, MOST_SWAPS);
      }
      all.add(best);
    }
    return all;
  }

  /**
   * What the caller waits for, by kernel, where each copies hardly anything: the fastest chain of
   * so many that the code of the JVM is warm.
   */
  private static double linkNanos(Launcher launcher, Memory memory) {
    Kernel small = new CopyHalf(ThreadLongs.of(memory), 1);
    ChainLink link = new ChainLink(small, launcher.shapeForEach(1));
    List<ChainLink> chain = Collections.nCopies(CHAINED, link);
    long begun = System.nanoTime();
    long best = Long.MAX_VALUE;
    long now = begun;
    while (now - begun < CHAINING_NANOS) {
      long start = now;
      launcher.runChain(chain);
      now = System.nanoTime();
      best = Math.min(best, now - start);
    }
    return Math.max(1, (double) best / CHAINED);
  }

  private static double fastest(
      Launcher launcher, List<? extends Kernel> kernels, LaunchShape shape) {
    return kernels.stream().mapToDouble(k -> nanos(launcher, k, shape)).min().orElseThrow();
  }

  /** At least one, so that rates are positive. */
  private static double nanos(Launcher launcher, Kernel kernel, LaunchShape shape) {
    long start = System.nanoTime();
    Launch launch = launcher.start(kernel, shape, LaunchMode.STRIDED);
    launch.join();
    long waited = System.nanoTime() - start;
    return Math.max(1, launch.kernelNanos().orElse(waited));
  }
}

package dev.gyre.bench.device;

import dev.gyre.bench.chart.Median;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.TargetUnavailableException;
import dev.gyre.structures.map.Layout;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * Measures on a device, and prints rows as lines of CSV, as the programs of {@code bench/rivals}
 * do: {@code DeviceBenchmark MODE target=opencl|ptx|cuda|jvm [NAME=VALUE]...}. Every mode takes
 * {@code runs=11}. What was done is checked after each run.
 *
 * <ul>
 *   <li>{@code probe}: says whether there is a device.
 *   <li>{@code resident n=N type=int|long layout=packed|reference|line keys=unique|uniform|zipf
 *       load=0.5 warm=300}: calls of maps whose keys are on the device, and the kernels of these
 *       calls alone; {@code warm} runs on a small map come before.
 *   <li>{@code calls n=N layout=packed cold=11}: whole calls of maps, from arrays of the host to
 *       arrays of the host, and what they spend their time on.
 *   <li>{@code words text=FILE name=NAME repeat=1 cold=11}: whole counts of words, and what they
 *       spend their time on.
 *   <li>{@code group text=FILE}: a file of {@code gyre measurements}, grouped from the mapped file
 *       and from pinned memory.
 *   <li>{@code group-columns rows=N groups=N zipf=X type=long|double}: rows of a key and a value in
 *       pinned memory, whose keys have a Zipf distribution; 0 is uniform.
 * </ul>
 *
 * <p>A cold call has a launcher of its own: it compiles kernels, allocates on the device and sends
 * all that it needs. The first of a process also loads classes and the driver. A warm call comes
 * after others of its kind.
 */
public final class DeviceBenchmark {

  private final Map<String, String> arguments = new HashMap<>();

  private DeviceBenchmark(String... args) {
    for (int i = 1; i < args.length; i++) {
      int equals = args[i].indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("not NAME=VALUE: " + args[i]);
      }
      arguments.put(args[i].substring(0, equals), args[i].substring(equals + 1));
    }
  }

  /** Measures in one of the modes. */
  public static void main(String... args) throws IOException {
    DeviceBenchmark benchmark = new DeviceBenchmark(args);
    String mode = args.length > 0 ? args[0] : "";
    switch (mode) {
      case "probe" -> benchmark.probe();
      case "calls" -> new WholeCalls(benchmark).maps();
      case "words" -> new WholeCalls(benchmark).words();
      case "group" -> new GroupedText(benchmark).measure();
      case "group-columns" -> new GroupedColumns(benchmark).measure();
      case "resident" -> {
        try (Launcher launcher = benchmark.open()) {
          ResidentMaps.measure(benchmark, launcher);
        }
      }
      default ->
          throw new IllegalArgumentException(
              "the mode is probe, resident, calls, words, group or group-columns");
    }
  }

  String text(String name, String otherwise) {
    return arguments.getOrDefault(name, otherwise);
  }

  int number(String name, int otherwise) {
    return Integer.parseInt(text(name, Integer.toString(otherwise)));
  }

  int runs() {
    return number("runs", 11);
  }

  Layout layout(Layout otherwise) {
    return Layout.valueOf(text("layout", otherwise.name()).toUpperCase(Locale.ROOT));
  }

  Target target() {
    return Target.ofLabel(text("target", "opencl"));
  }

  Launcher open() {
    return Launchers.open(target());
  }

  /** Prints {@code @device gpu|cpu NAME}, or what is missing. */
  private void probe() {
    try (Launcher launcher = open()) {
      boolean gpu = launcher.shapeFor(Integer.MAX_VALUE).blockSize() > 1;
      System.out.println("@device " + (gpu ? "gpu " : "cpu ") + launcher.device().name());
    } catch (TargetUnavailableException e) {
      System.out.println("@missing " + e.getMessage());
    }
  }

  /** Returns what each run takes; the one before them does not count. */
  List<Long> repeated(LongSupplier once) {
    return LongStream.rangeClosed(0, runs()).map(_ -> once.getAsLong()).skip(1).boxed().toList();
  }

  /**
   * What is done in each run.
   *
   * @param unit of the throughput: bytes a second if it is {@code bytes/s}, else items
   */
  record Work(long n, long bytes, int threads, String unit) {}

  /** Prints the median, the least and the most of some times in nanoseconds. */
  static void print(
      Device device,
      String benchmark,
      String implementation,
      String params,
      Work work,
      List<Long> nanos) {
    double[] seconds = nanos.stream().mapToDouble(each -> each / 1e9).toArray();
    double median = Median.of(seconds);
    double items = work.unit.equals("bytes/s") ? work.bytes : work.n;
    System.out.printf(
        Locale.ROOT,
        "%s,%s,%s,%s,%d,%d,%d,%s,%.9f,%.9f,%.9f,%.4g,%s%n",
        benchmark,
        implementation,
        device.target().label(),
        device.name().replace(',', ' '),
        work.n,
        work.bytes,
        work.threads,
        params,
        median,
        DoubleStream.of(seconds).min().orElse(0),
        DoubleStream.of(seconds).max().orElse(0),
        median > 0 ? items / median : 0,
        work.unit);
  }
}

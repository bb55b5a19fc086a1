package dev.gyre.bench.device;

import dev.gyre.kernels.Device;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * Takes the times of kernels and of calls, and prints those of a benchmark as a line with the
 * columns of all benchmarks.
 */
record KernelTimes(Launcher launcher) {

  /**
   * What is done in each run.
   *
   * @param unit of the throughput: bytes a second where it is {@code B/s}, else items
   */
  record Work(long n, long bytes, int threads, String unit) {}

  /** Prints the names of the columns. */
  static KernelTimes begin(Launcher launcher) {
    System.out.println(
        "benchmark,implementation,target,device,n,bytes,threads,params,"
            + "seconds_median,seconds_min,seconds_max,throughput,unit");
    return new KernelTimes(launcher);
  }

  /** Whether an argument is the second of two words; none is as good as the first. */
  static boolean isSecond(String[] args, int index, String first, String second) {
    String word = index < args.length ? args[index] : first;
    if (!word.equals(first) && !word.equals(second)) {
      throw new IllegalArgumentException("not %s or %s: %s".formatted(first, second, word));
    }
    return word.equals(second);
  }

  /** How long a kernel runs, or is waited for where the device does not tell, in nanoseconds. */
  static long nanos(Launcher launcher, Kernel kernel, LaunchShape shape) {
    long start = System.nanoTime();
    Launch launch = launcher.start(kernel, shape, LaunchMode.STRIDED);
    launch.join();
    long wall = System.nanoTime() - start;
    return launch.kernelNanos().orElse(wall);
  }

  /** What so many runs take, behind one that does not count. */
  static List<Long> repeated(int runs, LongSupplier once) {
    return LongStream.rangeClosed(0, runs).map(_ -> once.getAsLong()).skip(1).boxed().toList();
  }

  /** Prints the median, the least and the most, and how much a second that median is. */
  void print(String benchmark, String implementation, String params, Work work, List<Long> nanos) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    double median = sorted[sorted.length / 2] / 1e9;
    double items = work.unit.equals("B/s") ? work.bytes : work.n;
    Device device = launcher.device();
    System.out.printf(
        Locale.ROOT,
        "%s,%s,%s,%s,%d,%d,%d,%s,%.9f,%.9f,%.9f,%.4g,%s%n",
        benchmark,
        implementation,
        device.target().label(),
        device.name(),
        work.n,
        work.bytes,
        work.threads,
        params,
        median,
        sorted[0] / 1e9,
        sorted[sorted.length - 1] / 1e9,
        items / median,
        work.unit);
  }
}

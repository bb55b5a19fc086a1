package dev.gyre.bench.device;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The times of the runs of one benchmark, printed as a line with the columns of all benchmarks. */
record KernelTimes(String benchmark, String implementation, String params, List<Long> nanos) {

  static void printHeader(PrintStream out) {
    out.println(
        "benchmark,implementation,target,device,n,bytes,threads,params,"
            + "seconds_median,seconds_min,seconds_max,throughput,unit");
  }

  /** Prints the median, the least and the most, and how many items a second that median is. */
  void print(
      PrintStream out, String target, String device, long n, long bytes, int threads, String unit) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    double median = sorted[sorted.length / 2] / 1e9;
    double items = unit.equals("B/s") ? bytes : n;
    out.printf(
        Locale.ROOT,
        "%s,%s,%s,%s,%d,%d,%d,%s,%.9f,%.9f,%.9f,%.4g,%s%n",
        benchmark,
        implementation,
        target,
        device,
        n,
        bytes,
        threads,
        params,
        median,
        sorted[0] / 1e9,
        sorted[sorted.length - 1] / 1e9,
        items / median,
        unit);
  }
}

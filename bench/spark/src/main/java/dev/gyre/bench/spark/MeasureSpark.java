package dev.gyre.bench.spark;

import dev.gyre.bench.chart.Median;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.apache.spark.sql.SparkSession;

/**
 * Measures a count of words on Spark with two threads: {@code MeasureSpark COUNTER RUNS FILE...}.
 *
 * <p>COUNTER is a constant of {@link SparkCounter}. It counts RUNS times, and prints a row of a
 * table: the median and the least of the second half of the runs, which are warm, and the most
 * memory that the whole process had. Start a process for each counter in turns, so that what else
 * the machine does meets all of them.
 */
public final class MeasureSpark {

  private MeasureSpark() {}

  /** Measures, and prints {@code | counter | ms | least ms | MB/s | peak memory in MiB |}. */
  public static void main(String[] args) throws IOException {
    SparkCounter counter = SparkCounter.valueOf(args[0]);
    double[] times = new double[Integer.parseInt(args[1])];
    try (SparkSession spark =
        SparkSession.builder()
            .config(Sessions.conf("local[2]", "1g").set("spark.sql.shuffle.partitions", "2"))
            .getOrCreate()) {
      SparkTexts texts = new SparkTexts(spark, List.of(args).subList(2, args.length));
      SparkCounter.Numbers numbers = null;
      for (int run = 0; run < times.length; run++) {
        long start = System.nanoTime();
        SparkCounter.Numbers now = counter.count(texts.lines());
        times[run] = (System.nanoTime() - start) / 1e6;
        if (numbers != null && !numbers.equals(now)) {
          throw new IllegalStateException(numbers + " and " + now);
        }
        numbers = now;
      }
      double[] warm = DoubleStream.of(times).skip(times.length / 2).toArray();
      double median = Median.of(warm);
      System.out.printf(
          Locale.ROOT,
          "| %s | %,.0f | %,.0f | %.1f | %,d |%n",
          counter.label(),
          median,
          DoubleStream.of(warm).min().orElse(0),
          texts.bytes() / median / 1e3,
          peakKibibytes() >> 10);
    }
  }

  private static long peakKibibytes() throws IOException {
    String status = Files.readString(Path.of("/proc/self/status"));
    return Long.parseLong(status.replaceAll("(?s).*VmHWM:\\s*(\\d+).*", "$1"));
  }
}

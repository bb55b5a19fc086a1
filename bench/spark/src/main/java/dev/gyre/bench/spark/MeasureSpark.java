package dev.gyre.bench.spark;

import dev.gyre.bench.chart.Median;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/**
 * Compares Gyre on Spark with Spark's own functions: {@code MeasureSpark OUT ROUNDS RUNS FILE...}.
 *
 * <p>Each round has every counter count RUNS times, in a process of its own with two threads, and
 * the median of its second half of runs, which are warm, stands for the round. Counters take turns,
 * so that what else the machine does meets all of them. Peak memory is that of the whole process.
 */
public final class MeasureSpark {

  private static final String CHILD = "--child";

  /**
   * What a process found.
   *
   * @param bytes of its memory, at most
   */
  private record Found(double milliseconds, long bytes) {}

  private MeasureSpark() {}

  /** Measures, and writes a table to the first argument. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args[0].equals(CHILD)) {
      runs(SparkCounter.valueOf(args[1]), Integer.parseInt(args[2]), files(args, 3));
      return;
    }
    Path out = Path.of(args[0]);
    int rounds = Integer.parseInt(args[1]);
    Map<SparkCounter, List<Found>> found = new EnumMap<>(SparkCounter.class);
    for (int round = 0; round < rounds; round++) {
      for (SparkCounter counter : SparkCounter.values()) {
        Found one = child(counter, args);
        System.err.printf(
            Locale.ROOT,
            "round %d, %s: %.0f ms, %d MiB%n",
            round + 1,
            counter,
            one.milliseconds,
            one.bytes >> 20);
        found.computeIfAbsent(counter, _ -> new ArrayList<>()).add(one);
      }
    }
    Files.writeString(out, table(found, rounds, args));
  }

  private static List<String> files(String[] args, int from) {
    return List.of(args).subList(from, args.length);
  }

  private static Found child(SparkCounter counter, String[] args)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(MeasureSpark.class.getName(), CHILD, counter.name(), args[2]));
    command.addAll(files(args, 3));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(counter + " failed; to see why: " + String.join(" ", command));
    }
    int space = answer.indexOf(' ');
    return new Found(
        Double.parseDouble(answer.substring(0, space)),
        Long.parseLong(answer.substring(space + 1).strip()));
  }

  private static void runs(SparkCounter counter, int runs, List<String> files) throws IOException {
    List<Double> times = new ArrayList<>();
    try (SparkSession spark =
        SparkSession.builder()
            .config(Sessions.conf("local[2]", "1g").set("spark.sql.shuffle.partitions", "2"))
            .getOrCreate()) {
      SparkTexts texts = new SparkTexts(spark, files);
      SparkCounter.Numbers numbers = null;
      for (int run = 0; run < runs; run++) {
        long start = System.nanoTime();
        SparkCounter.Numbers now = counter.count(texts.lines());
        times.add((System.nanoTime() - start) / 1e6);
        if (numbers != null && !numbers.equals(now)) {
          throw new IllegalStateException(numbers + " and " + now);
        }
        numbers = now;
      }
    }
    double warm = Median.of(times.subList(runs / 2, runs).stream().mapToDouble(x -> x).toArray());
    System.out.printf(Locale.ROOT, "%.1f %d%n", warm, peak());
  }

  private static long peak() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    return 0;
  }

  private static String table(Map<SparkCounter, List<Found>> found, int rounds, String[] args)
      throws IOException {
    long bytes = 0;
    for (Path file : dev.gyre.datasets.TextFiles.resolve(files(args, 3))) {
      bytes += Files.size(file);
    }
    double gyre = milliseconds(found, SparkCounter.GYRE);
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%,d bytes of text, local[2], %s; %d rounds of %s runs, counters in turns.%n%n| counter"
                + " | ms, median of rounds | least | MB/s | time of Gyre's `dataset()` | peak"
                + " memory, MiB |%n|---|---|---|---|---|---|%n",
            bytes,
            Runtime.version(),
            rounds,
            args[2]));
    for (SparkCounter counter : SparkCounter.values()) {
      double ms = milliseconds(found, counter);
      double[] all = of(found, counter).stream().mapToDouble(Found::milliseconds).toArray();
      long peak = of(found, counter).stream().mapToLong(Found::bytes).max().orElse(0);
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %,.0f | %,.0f | %.1f | %.2f | %,d |%n",
              counter.label(),
              ms,
              Arrays.stream(all).min().orElse(0),
              bytes / ms / 1e3,
              ms / gyre,
              peak >> 20));
    }
    return text.toString();
  }

  private static List<Found> of(Map<SparkCounter, List<Found>> found, SparkCounter counter) {
    return found.getOrDefault(counter, List.of());
  }

  private static double milliseconds(Map<SparkCounter, List<Found>> found, SparkCounter counter) {
    return Median.of(of(found, counter).stream().mapToDouble(Found::milliseconds).toArray());
  }
}

package dev.gyre.bench.measure;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A row of the table: one implementation in one situation.
 *
 * @param benchmark what is done, such as {@code map-insert}
 * @param implementation what does it
 * @param target {@code jvm}, {@code opencl}, {@code ptx}, {@code cuda} also for CUDA C++, {@code
 *     cpu} for C++
 * @param device processor or GPU
 * @param n items that are worked on: keys, words, operations
 * @param bytes of the items, or of the text
 * @param threads that work, of the JVM or of the device
 * @param params further circumstances: {@code name=value}, with spaces between
 * @param median seconds of the run in the middle
 * @param min seconds of the quickest run
 * @param max seconds of the slowest run
 * @param throughput of the median
 * @param unit of throughput
 * @param commit of the sources, empty where not yet known
 */
public record Row(
    String benchmark,
    String implementation,
    String target,
    String device,
    long n,
    long bytes,
    int threads,
    String params,
    double median,
    double min,
    double max,
    double throughput,
    String unit,
    String commit) {

  /** The names of the columns. */
  public static final List<String> COLUMNS =
      List.of(
          "benchmark",
          "implementation",
          "target",
          "device",
          "n",
          "bytes",
          "threads",
          "params",
          "seconds_median",
          "seconds_min",
          "seconds_max",
          "throughput",
          "unit",
          "commit");

  /** A row of times: nanoseconds of each run. */
  public static Row of(
      String benchmark,
      String implementation,
      String target,
      Work work,
      String params,
      List<Long> nanos) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    int half = sorted.length / 2;
    double median =
        (sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2.0) / 1e9;
    double items = work.unit().startsWith("bytes") ? work.bytes() : work.n();
    return new Row(
        benchmark,
        implementation,
        target,
        work.device(),
        work.n(),
        work.bytes(),
        work.threads(),
        params + " runs=" + sorted.length,
        median,
        sorted[0] / 1e9,
        sorted[sorted.length - 1] / 1e9,
        median > 0 ? items / median : 0,
        work.unit(),
        "");
  }

  /** What a run works on, and with what. */
  public record Work(String device, long n, long bytes, int threads, String unit) {}

  /**
   * Reads the fields of a row; a commit may be missing.
   *
   * @return empty if they are not those of a row
   */
  public static Optional<Row> parse(List<String> fields) {
    boolean size = fields.size() == COLUMNS.size() || fields.size() == COLUMNS.size() - 1;
    if (!size || fields.getFirst().equals(COLUMNS.getFirst())) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Row(
              fields.get(0),
              fields.get(1),
              fields.get(2),
              fields.get(3),
              Long.parseLong(fields.get(4)),
              Long.parseLong(fields.get(5)),
              Integer.parseInt(fields.get(6)),
              fields.get(7),
              Double.parseDouble(fields.get(8)),
              Double.parseDouble(fields.get(9)),
              Double.parseDouble(fields.get(10)),
              fields.get(11).isEmpty() ? Double.NaN : Double.parseDouble(fields.get(11)),
              fields.get(12),
              fields.size() == COLUMNS.size() ? fields.get(13) : ""));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  /** Reads a line that a measuring program printed; none of the fields has a comma. */
  public static Optional<Row> parseLine(String line) {
    return parse(Arrays.asList(line.split(",", -1)));
  }

  /** The fields, in the order of {@link #COLUMNS}. */
  public List<String> fields() {
    return List.of(
        benchmark,
        implementation,
        target,
        device,
        Long.toString(n),
        Long.toString(bytes),
        Integer.toString(threads),
        params,
        seconds(median),
        seconds(min),
        seconds(max),
        Double.isNaN(throughput) ? "" : String.format(Locale.ROOT, "%.4g", throughput),
        unit,
        commit);
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }

  /** The line that {@link #parseLine} reads. */
  public String line() {
    return fields().stream().map(f -> f.replace(',', ' ')).collect(Collectors.joining(","));
  }

  /** A parameter, or an empty text where it is not there. */
  public String param(String name) {
    return parameters().getOrDefault(name, "");
  }

  /** The parameters by name, in their order. */
  public Map<String, String> parameters() {
    Map<String, String> all = new LinkedHashMap<>();
    for (String one : params.split(" ", -1)) {
      int equals = one.indexOf('=');
      if (equals > 0) {
        all.put(one.substring(0, equals), one.substring(equals + 1));
      }
    }
    return all;
  }

  /** The same with other names and parameters. */
  public Row named(String otherBenchmark, String otherImplementation, String otherParams) {
    return with(otherBenchmark, otherImplementation, otherParams, throughput, unit, commit);
  }

  /** The same without a throughput. */
  public Row withoutThroughput() {
    return with(benchmark, implementation, params, Double.NaN, unit, commit);
  }

  /** The same with the commit of the sources, and the unit as all others write it. */
  public Row at(String known) {
    String plain =
        switch (unit) {
          case "B/s" -> "bytes/s";
          case "op/s" -> "keys/s";
          default -> unit;
        };
    return with(benchmark, implementation, params, throughput, plain, known);
  }

  private Row with(
      String what, String by, String how, double speed, String measured, String sources) {
    return new Row(
        what, by, target, device, n, bytes, threads, how, median, min, max, speed, measured,
        sources);
  }
}

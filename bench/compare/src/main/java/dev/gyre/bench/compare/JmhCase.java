package dev.gyre.bench.compare;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * A benchmark of JMH with a value of each parameter.
 *
 * @param benchmark class and method
 * @param iterationMillis how long an iteration measures; 0 leaves all times as the benchmark says
 * @param jvmArguments in place of the arguments that the benchmark has
 * @param classPath of the fork; empty for that of this process
 * @param row what is measured, without results
 */
record JmhCase(
    String benchmark,
    Map<String, String> params,
    int iterationMillis,
    List<String> jvmArguments,
    String classPath,
    Row row)
    implements Job.Case {

  /** A fork warms up until all is compiled, with two cores at work. */
  private static final int WARM_UP_MILLIS = 2_000;

  private static final int WARM_UPS = 4;
  private static final int ITERATIONS = 5;
  private static final String CLASS_PATH = "java.class.path";

  /** Returns the seconds of the iterations of a fork. */
  static double seconds(int iterationMillis) {
    return (WARM_UP_MILLIS + ITERATIONS * iterationMillis) / 1000.0;
  }

  @Override
  public List<Row> fork() throws IOException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + benchmark.replace(".", "\\.") + "$")
            .forks(1)
            // None of this process.
            .jvmArgs()
            .jvmArgsAppend(jvmArguments.toArray(String[]::new))
            .shouldFailOnError(true);
    params.forEach(options::param);
    if (iterationMillis > 0) {
      options
          .warmupIterations(WARM_UPS)
          .warmupTime(TimeValue.milliseconds(WARM_UP_MILLIS / WARM_UPS))
          .measurementIterations(ITERATIONS)
          .measurementTime(TimeValue.milliseconds(iterationMillis));
    }
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(log, true, StandardCharsets.UTF_8);
    String own = System.getProperty(CLASS_PATH, "");
    try {
      // JMH gives its forks the class path of this process.
      System.setProperty(CLASS_PATH, classPath.isEmpty() ? own : classPath);
      var format = OutputFormatFactory.createFormatInstance(printed, VerboseMode.NORMAL);
      return new Runner(options.build(), format).run().stream().map(this::read).toList();
    } catch (RunnerException e) {
      List<String> output = log.toString(StandardCharsets.UTF_8).lines().toList();
      throw ProgramCase.failed(ProgramCase.reason(output), benchmark + params, output);
    } finally {
      System.setProperty(CLASS_PATH, own);
    }
  }

  /** Returns the same with the times that the benchmark has of its own. */
  JmhCase plain() {
    return new JmhCase(benchmark, params, 0, jvmArguments, classPath, row);
  }

  private Row read(RunResult result) {
    if (row.isMemory()) {
      long entries = counter(result, "entries");
      long atRest = counter(result, "atRest");
      double peak = counter(result, "atMost") / (double) entries;
      return row.with(Map.of("n", entries, "bytes", atRest, "throughput", 1.0 * atRest / entries))
          .and(String.format(Locale.ROOT, "peak=%.1f", peak));
    }
    Statistics nanos = result.getPrimaryResult().getStatistics();
    double median = nanos.getPercentile(50) / 1e9;
    Map<String, Number> times =
        Map.of(
            "seconds_median", median,
            "seconds_min", nanos.getMin() / 1e9,
            "seconds_max", nanos.getMax() / 1e9,
            "throughput", (row.unit().startsWith("bytes") ? row.bytes() : row.n()) / median);
    Map<String, Number> events =
        Map.of(
            "collections", counter(result, "collections"),
            "collection_millis", counter(result, "collectionMillis"),
            "page_faults", counter(result, "pageFaults"));
    return row.with(times).with(events);
  }

  /** Returns the value of a counter of the timed region; 0 if the benchmark has none. */
  private static long counter(RunResult result, String name) {
    Result<?> counter = result.getSecondaryResults().get(name);
    return counter == null ? 0 : Math.round(counter.getScore());
  }
}

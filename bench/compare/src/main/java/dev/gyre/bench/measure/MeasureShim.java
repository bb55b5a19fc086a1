package dev.gyre.bench.measure;

import dev.gyre.bench.shim.HandleBenchmark;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * Times the shim's handles beside raw {@code VarHandle}s by JMH: {@code MeasureShim runs=11
 * millis=200 only=PATTERN}.
 */
public final class MeasureShim {

  private static final int WARMUPS = 5;

  private MeasureShim() {}

  /** Prints a row per operation, for a handle and for a raw one. */
  public static void main(String[] args) throws RunnerException {
    Arguments arguments = new Arguments(args);
    TimeValue time = TimeValue.milliseconds(arguments.number("millis", 200));
    Options options =
        new OptionsBuilder()
            .include(HandleBenchmark.class.getName() + "." + arguments.text("only", ".*"))
            .forks(arguments.number("forks", 1))
            .warmupIterations(WARMUPS)
            .warmupTime(time)
            .measurementIterations(arguments.number("runs", 11))
            .measurementTime(time)
            .verbosity(VerboseMode.SILENT)
            .build();
    for (RunResult result : new Runner(options).run()) {
      System.out.println(row(result).line());
    }
  }

  private static Row row(RunResult result) {
    String method = result.getParams().getBenchmark();
    method = method.substring(method.lastIndexOf('.') + 1);
    boolean handle = method.endsWith("Handle");
    String operation = method.substring(0, method.length() - (handle ? "Handle" : "Raw").length());
    Statistics nanos = result.getPrimaryResult().getStatistics();
    double median = nanos.getPercentile(50) / 1e9;
    return new Row(
        "shim-" + operation.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT),
        handle ? "gyre-handle" : "VarHandle",
        "jvm",
        Processor.name(),
        1,
        Integer.BYTES,
        1,
        "runs=" + nanos.getN(),
        median,
        nanos.getMin() / 1e9,
        nanos.getMax() / 1e9,
        1 / median,
        "operations/s",
        "");
  }
}

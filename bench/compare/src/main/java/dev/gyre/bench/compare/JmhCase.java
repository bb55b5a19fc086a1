package dev.gyre.bench.compare;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * A benchmark of JMH with a value of each parameter.
 *
 * @param benchmark class and method
 * @param times how long a fork warms up and measures
 * @param jvmArguments in place of those that the benchmark has
 * @param classPath of the fork; empty for that of this process
 * @param reader makes the row
 */
record JmhCase(
    String benchmark,
    Map<String, String> params,
    Times times,
    List<String> jvmArguments,
    String classPath,
    Function<RunResult, Row> reader)
    implements Job.Case {

  private static final String CLASS_PATH = "java.class.path";

  /**
   * How long a fork takes.
   *
   * @param warmUps iterations that do not count; 0 leaves all as the benchmark says
   */
  record Times(int warmUps, int warmUpMillis, int iterations, int iterationMillis) {
    static final Times OF_BENCHMARK = new Times(0, 0, 0, 0);
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
    if (times.warmUps > 0) {
      options
          .warmupIterations(times.warmUps)
          .warmupTime(TimeValue.milliseconds(times.warmUpMillis / times.warmUps))
          .measurementIterations(times.iterations)
          .measurementTime(TimeValue.milliseconds(times.iterationMillis));
    }
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(log, true, StandardCharsets.UTF_8);
    String own = System.getProperty(CLASS_PATH, "");
    try {
      // JMH gives its forks the class path of this process.
      System.setProperty(CLASS_PATH, classPath.isEmpty() ? own : classPath);
      List<Row> rows = new ArrayList<>();
      for (RunResult result :
          new Runner(
                  options.build(),
                  OutputFormatFactory.createFormatInstance(printed, VerboseMode.NORMAL))
              .run()) {
        rows.add(reader.apply(result));
      }
      return rows;
    } catch (RunnerException e) {
      String output = log.toString(StandardCharsets.UTF_8);
      throw new IOException(
          ProgramCase.reason(output.lines().toList()),
          new IOException(benchmark + params + "\n" + output));
    } finally {
      System.setProperty(CLASS_PATH, own);
    }
  }

  /** Returns the same with the times that the benchmark has of its own. */
  JmhCase plain() {
    return new JmhCase(benchmark, params, Times.OF_BENCHMARK, jvmArguments, classPath, reader);
  }

  /** Returns the value of a counter of the timed region; 0 if the benchmark has none. */
  static long counter(RunResult result, String name) {
    Result<?> counter = result.getSecondaryResults().get(name);
    return counter == null ? 0 : Math.round(counter.getScore());
  }
}

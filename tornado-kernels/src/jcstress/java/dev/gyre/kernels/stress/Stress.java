package dev.gyre.kernels.stress;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.GradingResult;

/**
 * Runs the stress tests and judges them by the conventions of this package.
 *
 * <p>Arguments go to jcstress. The exit code is 1 where a test had a forbidden outcome, an error or
 * no sample, or where a twin had no bad outcome.
 */
public final class Stress {

  private static final int BAD_OUTCOMES_SHOWN = 3;
  private static final Path LOG = Path.of("jcstress.log");

  private Stress() {}

  /** What all runs of one test gave together. */
  private static final class Tally {
    long samples;
    long bad;
    boolean failed;
    final Map<String, Long> badOutcomes = new TreeMap<>();

    void add(TestResult result) {
      samples += result.getTotalCount();
      failed |= !result.grading().isPassed;
      for (GradingResult outcome : result.grading().gradingResults.values()) {
        if (outcome.expect != Expect.ACCEPTABLE && outcome.count > 0) {
          bad += outcome.count;
          badOutcomes.merge(outcome.id, outcome.count, Long::sum);
        }
      }
    }

    boolean fails(String name) {
      return failed || samples == 0 || (mustShow(name) && bad == 0);
    }
  }

  public static void main(String[] args) throws Exception {
    Options options = new Options(args);
    if (!options.parse()) {
      System.exit(2);
    }
    run(options);
    Map<String, Tally> tallies = tallies(options.getResultFile());
    System.out.println(table(tallies));
    boolean failed =
        tallies.isEmpty()
            || tallies.entrySet().stream().anyMatch(test -> test.getValue().fails(test.getKey()));
    System.out.println(failed ? "Stress tests failed" : "Stress tests passed");
    System.exit(failed ? 1 : 0);
  }

  private static void run(Options options) throws Exception {
    PrintStream console = System.out;
    console.println("Stress tests: jcstress writes to " + LOG.toAbsolutePath());
    try (PrintStream log = new PrintStream(Files.newOutputStream(LOG), true, UTF_8)) {
      System.setOut(log);
      new JCStress(options).run();
    } catch (AssertionError e) {
      // Thrown after the results are written, where a test failed; they are judged by the caller.
      console.println(e.getMessage());
    } finally {
      System.setOut(console);
    }
  }

  private static boolean mustShow(String name) {
    return name.endsWith("Twin") && !name.endsWith("WeakTwin");
  }

  private static Map<String, Tally> tallies(String file)
      throws IOException, ClassNotFoundException {
    InProcessCollector collector = new InProcessCollector();
    DiskReadCollector reader = new DiskReadCollector(file, collector);
    reader.dump();
    reader.close();
    Map<String, Tally> tallies = new TreeMap<>();
    for (TestResult result : collector.getTestResults()) {
      tallies.computeIfAbsent(result.getName(), name -> new Tally()).add(result);
    }
    return tallies;
  }

  private static String table(Map<String, Tally> tallies) {
    StringBuilder text = new StringBuilder();
    tallies.forEach(
        (name, tally) -> {
          String verdict = tally.fails(name) ? "FAILED" : "ok";
          text.append(
              "%-6s %,14d samples %,12d bad  %s%n"
                  .formatted(verdict, tally.samples, tally.bad, name));
          tally.badOutcomes.entrySet().stream()
              .limit(BAD_OUTCOMES_SHOWN)
              .forEach(e -> text.append("         %,d x %s%n".formatted(e.getValue(), e.getKey())));
        });
    return text.toString();
  }
}

package dev.gyre.kernels.stress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
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
 * no sample, or where a mutant had no bad outcome, not even when it ran again for longer.
 */
public final class Stress {

  private static final int BAD_OUTCOMES_SHOWN = 3;

  /** How often mutants that showed nothing run again, and for how long. */
  private static final int MORE_ROUNDS = 3;

  private static final String LONGER_MILLIS = "4000";

  /** So that tables are read and written by address, as they are where it matters. */
  private static final String ADDRESSES = "--enable-native-access=ALL-UNNAMED";

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
    Files.deleteIfExists(LOG);
    System.out.println("Stress tests: jcstress writes to " + LOG.toAbsolutePath());
    Map<String, Tally> tallies = new TreeMap<>();
    run(args, tallies);
    for (int round = 0; round < MORE_ROUNDS && !silentMutants(tallies).isEmpty(); round++) {
      String silent = silentMutants(tallies).stream().map(Pattern::quote).collect(joining("|"));
      run(replace(replace(args, "-t", "^(" + silent + ")$"), "-time", LONGER_MILLIS), tallies);
    }
    System.out.println(table(tallies));
    boolean failed =
        tallies.isEmpty()
            || tallies.entrySet().stream().anyMatch(test -> test.getValue().fails(test.getKey()));
    System.out.println(failed ? "Stress tests failed" : "Stress tests passed");
    System.exit(failed ? 1 : 0);
  }

  /** Mutants that showed no bad outcome yet: on a busy machine their threads may not have met. */
  private static List<String> silentMutants(Map<String, Tally> tallies) {
    return tallies.entrySet().stream()
        .filter(test -> mustShow(test.getKey()) && test.getValue().bad == 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The arguments, with another value of one option. */
  private static String[] replace(String[] args, String option, String value) {
    List<String> replaced = new ArrayList<>(List.of(args));
    int at = replaced.indexOf(option);
    if (at >= 0) {
      replaced.set(at + 1, value);
    } else {
      replaced.add(option);
      replaced.add(value);
    }
    return replaced.toArray(String[]::new);
  }

  private static void run(String[] args, Map<String, Tally> tallies) throws Exception {
    Options options = new Options(replace(args, "-jvmArgsPrepend", ADDRESSES));
    if (!options.parse()) {
      throw new IllegalArgumentException("not arguments of jcstress: " + String.join(" ", args));
    }
    PrintStream console = System.out;
    try (PrintStream log =
        new PrintStream(Files.newOutputStream(LOG, CREATE, APPEND), true, UTF_8)) {
      System.setOut(log);
      new JCStress(options).run();
    } catch (AssertionError e) {
      // Thrown after the results are written, where a test failed; they are judged by the caller.
      console.println(e.getMessage());
    } finally {
      System.setOut(console);
    }
    add(options.getResultFile(), tallies);
  }

  private static boolean mustShow(String name) {
    return name.endsWith("Mutant") && !name.endsWith("WeakMutant");
  }

  private static void add(String file, Map<String, Tally> tallies)
      throws IOException, ClassNotFoundException {
    InProcessCollector collector = new InProcessCollector();
    DiskReadCollector reader = new DiskReadCollector(file, collector);
    reader.dump();
    reader.close();
    for (TestResult result : collector.getTestResults()) {
      tallies.computeIfAbsent(result.getName(), name -> new Tally()).add(result);
    }
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

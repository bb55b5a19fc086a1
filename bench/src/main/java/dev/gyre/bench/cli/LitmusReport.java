package dev.gyre.bench.cli;

import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.OutputFile;
import dev.gyre.progress.Classifier;
import dev.gyre.progress.DeviceDescription;
import dev.gyre.progress.Guarantee;
import dev.gyre.progress.litmus.LitmusResult;
import dev.gyre.progress.probe.ProgressResult;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Results of litmus tests as files with a row, or an object, per test; and their last line, with
 * the names of what failed.
 *
 * @param device where the tests ran
 * @param results of memory order
 * @param progress of forward progress
 * @param seconds how long all took
 */
record LitmusReport(
    DeviceDescription device,
    List<LitmusResult> results,
    List<ProgressResult> progress,
    double seconds) {

  private static final List<String> COLUMNS =
      List.of("test", "order", "scope", "expected", "runs", "weak", "verdict", "outcomes");

  /** A table with a row for each test. */
  OutputFile.Content csv() {
    return file -> {
      CsvBytes csv = new CsvBytes(CsvFormat.RFC4180);
      add(COLUMNS, csv);
      results.forEach(result -> add(fields(result).values(), csv));
      for (ProgressResult p : progress) {
        String label = p.test().label();
        String shows = p.test().shows().label();
        String outcome = p.outcome().label();
        add(List.of(label, "", "", shows, p.threads(), p.stuck(), outcome, p.detail()), csv);
      }
      csv.writeTo(file);
    };
  }

  private static void add(Collection<?> row, CsvBytes to) {
    for (Object field : row) {
      to.add(field instanceof Enum<?> e ? e.name().toLowerCase(Locale.ROOT) : field.toString());
    }
    to.endRecord();
  }

  /** Returns what is known of a test of memory order, by the names of the columns. */
  private static Map<String, Object> fields(LitmusResult result) {
    return Json.fields(
        "test", result.test().program().label(),
        "order", result.test().orderLabel(),
        "scope", result.test().scopeLabel(),
        "expected", result.test().expectation(),
        "runs", result.runs(),
        "weak", result.weak(),
        "verdict", result.verdict().label(),
        "outcomes", result.outcomes());
  }

  private static String object(ProgressResult result) {
    return Json.object(
        "test", result.test().label(),
        "threads", result.threads(),
        "stuck", result.stuck(),
        "verdict", result.outcome().label());
  }

  /** One object with a list that has an object for each test. */
  OutputFile.Content json() {
    String tests =
        Stream.concat(
                results.stream().map(result -> Json.of(fields(result))),
                progress.stream().map(LitmusReport::object))
            .collect(Collectors.joining(",\n"));
    String text =
        """
        {"device": %s, "target": %s, "driver": %s, "seconds": %s, "tests": [
        %s
        ]}
        """
            .formatted(
                Json.of(device.device().name()),
                Json.of(device.device().target().label()),
                Json.of(device.driver()),
                String.format(Locale.ROOT, "%.3f", seconds),
                tests);
    return file -> Outputs.text(file).append(text).flush();
  }

  /** Prints one line, and to {@code err} one for each test that failed; returns the exit code. */
  int print(PrintWriter out, PrintWriter err) {
    List<String> failures = failures();
    failures.forEach(f -> err.println("gyre litmus: failed: " + f));
    err.flush();
    out.printf(
        Locale.ROOT,
        "tests=%d runs=%d failed=%d unseen=%d refused=%d target=%s seconds=%.3f%n",
        results.size() + progress.size(),
        results.stream().mapToLong(LitmusResult::runs).sum(),
        failures.size(),
        count(LitmusResult.Verdict.NEVER_SEEN),
        count(LitmusResult.Verdict.REFUSED),
        device.device().target().label(),
        seconds);
    return failures.isEmpty() ? Gyre.OK : Gyre.FAILED;
  }

  /** Name and verdict of each test that failed. */
  private List<String> failures() {
    return Stream.concat(
            results.stream().filter(r -> r.verdict().failed()).map(r -> failure(r)),
            progress.stream().filter(this::failed).map(r -> failure(r)))
        .toList();
  }

  private static String failure(LitmusResult result) {
    return String.format(
        Locale.ROOT,
        "%s: %s (%,d weak of %,d runs)",
        result.test().label(),
        result.verdict().label(),
        result.weak(),
        result.runs());
  }

  private static String failure(ProgressResult result) {
    return result.test().label() + ": " + LitmusTables.outcome(result);
  }

  /** A progress test fails where it contradicts what the device declares, or breaks its lock. */
  private boolean failed(ProgressResult result) {
    Guarantee declared =
        Classifier.declared(device)
            .map(c -> result.test().withinBlocks() ? c.withinBlocks() : c.acrossBlocks())
            .orElse(Guarantee.WEAKLY_PARALLEL);
    return result.failed() || (!result.ended() && declared.covers(result.test().shows()));
  }

  private long count(LitmusResult.Verdict verdict) {
    return results.stream().filter(r -> r.verdict() == verdict).count();
  }
}

package dev.gyre.bench.cli;

import dev.gyre.datasets.OutputFile;
import dev.gyre.progress.DeviceDescription;
import dev.gyre.progress.litmus.LitmusResult;
import dev.gyre.progress.probe.ProgressResult;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Results of litmus tests as files: a row, or an object, per test.
 *
 * @param device where they ran
 * @param results of memory order
 * @param progress of forward progress
 * @param seconds how long all took
 */
record LitmusFiles(
    DeviceDescription device,
    List<LitmusResult> results,
    List<ProgressResult> progress,
    double seconds) {

  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT
          .builder()
          .setRecordSeparator("\n")
          .setHeader("test", "order", "scope", "expected", "runs", "weak", "verdict", "outcomes")
          .get();

  /** A table with a row for each test. */
  OutputFile.Content csv() {
    return file -> {
      CSVPrinter csv = FORMAT.print(Outputs.text(file));
      for (LitmusResult result : results) {
        csv.printRecord(
            fields(result).values().stream()
                .map(
                    field ->
                        field instanceof Enum<?> e ? e.name().toLowerCase(Locale.ROOT) : field));
      }
      for (ProgressResult p : progress) {
        String label = p.test().label();
        String shows = p.test().shows().label();
        String outcome = p.outcome().label();
        csv.printRecord(label, "", "", shows, p.threads(), p.stuck(), outcome, p.detail());
      }
      csv.flush();
    };
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
                progress.stream().map(LitmusFiles::object))
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
}

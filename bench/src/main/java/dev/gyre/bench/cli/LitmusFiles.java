package dev.gyre.bench.cli;

import dev.gyre.datasets.OutputFile;
import dev.gyre.progress.DeviceDescription;
import dev.gyre.progress.litmus.LitmusResult;
import dev.gyre.progress.litmus.ProgressResult;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
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

  /** A table with a row for each test. */
  OutputFile.Content csv() {
    return file -> {
      CSVPrinter csv =
          CSVFormat.DEFAULT
              .builder()
              .setRecordSeparator("\n")
              .setHeader(
                  "test", "order", "scope", "expected", "runs", "weak", "verdict", "outcomes")
              .get()
              .print(Outputs.text(file));
      for (LitmusResult r : results) {
        csv.printRecord(
            r.test().program().label(),
            r.test().orderLabel(),
            r.test().scopeLabel(),
            r.test().expectation().name().toLowerCase(Locale.ROOT),
            r.runs(),
            r.weak(),
            r.verdict().label(),
            r.outcomes());
      }
      for (ProgressResult p : progress) {
        csv.printRecord(
            p.test().label(),
            "",
            "",
            p.test().shows().label(),
            p.threads(),
            p.stuck(),
            p.outcome().label(),
            p.detail());
      }
      csv.flush();
    };
  }

  /** One object with a list that has an object for each test. */
  OutputFile.Content json() {
    List<String> tests = new ArrayList<>();
    results.forEach(
        r ->
            tests.add(
                Json.object(
                    List.of(
                        Map.entry("test", Json.quoted(r.test().program().label())),
                        Map.entry("order", Json.quoted(r.test().orderLabel())),
                        Map.entry("scope", Json.quoted(r.test().scopeLabel())),
                        Map.entry("expected", Json.quoted(r.test().expectation().name())),
                        Map.entry("runs", String.valueOf(r.runs())),
                        Map.entry("weak", String.valueOf(r.weak())),
                        Map.entry("verdict", Json.quoted(r.verdict().label())),
                        Map.entry("outcomes", outcomes(r))))));
    progress.forEach(
        p ->
            tests.add(
                Json.object(
                    List.of(
                        Map.entry("test", Json.quoted(p.test().label())),
                        Map.entry("threads", String.valueOf(p.threads())),
                        Map.entry("stuck", String.valueOf(p.stuck())),
                        Map.entry("verdict", Json.quoted(p.outcome().label()))))));
    String text =
        """
        {"device": %s, "target": %s, "driver": %s, "seconds": %s, "tests": [
        %s
        ]}
        """
            .formatted(
                Json.quoted(device.device().name()),
                Json.quoted(device.device().target().label()),
                Json.quoted(device.driver()),
                String.format(Locale.ROOT, "%.3f", seconds),
                String.join(",\n", tests));
    return file -> {
      Writer writer = Outputs.text(file);
      writer.write(text);
      writer.flush();
    };
  }

  private static String outcomes(LitmusResult result) {
    return result.outcomes().entrySet().stream()
        .map(e -> Json.quoted(e.getKey()) + ": " + e.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }
}

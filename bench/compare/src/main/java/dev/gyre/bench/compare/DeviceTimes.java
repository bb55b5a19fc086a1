package dev.gyre.bench.compare;

import dev.gyre.bench.measure.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What calls on a device spend their time on, a column each. */
final class DeviceTimes {

  private static final List<String> PHASES = List.of("kernel", "transfer", "compile", "end-to-end");

  private DeviceTimes() {}

  static void write(List<Row> rows, Markdown text) {
    Map<List<String>, Map<String, Row>> calls = new LinkedHashMap<>();
    for (Row row : rows) {
      if (!row.param("time").isEmpty() && !row.param("state").isEmpty()) {
        calls.computeIfAbsent(call(row), _ -> new LinkedHashMap<>()).put(row.param("time"), row);
      }
    }
    calls.values().removeIf(phases -> !phases.containsKey("end-to-end"));
    if (calls.isEmpty()) {
      return;
    }
    text.heading(2, "Calls on devices");
    text.line(
        "Milliseconds, median (least to most). A cold call compiles its kernels and finds room on"
            + " the device; the first of a process also loads classes and the driver. The"
            + " end-to-end time is of the whole call, from arrays to arrays, and has more in it"
            + " than its parts.");
    text.line("");
    text.head(
        "call", "device", "state", "kernel", "transfer", "compile", "end-to-end", "throughput");
    calls.forEach(
        (call, phases) -> {
          List<String> cells = new ArrayList<>(call);
          PHASES.forEach(phase -> cells.add(time(phases.get(phase))));
          Row whole = phases.get("end-to-end");
          cells.add(whole == null ? "" : Scale.of(List.of(whole)).text(whole));
          text.row(cells);
        });
  }

  /** What rows of one call have in common: all but the phase. */
  private static List<String> call(Row row) {
    Situation of = Situation.of(row);
    Situation any =
        new Situation(of.benchmark(), Situation.Side.PROCESSOR, of.n(), of.circumstances());
    return List.of(
        "%s, %s, %s".formatted(row.implementation(), row.target(), any.title()),
        row.device(),
        row.param("state"));
  }

  private static String time(@Nullable Row row) {
    if (row == null) {
      return "";
    }
    return "%s (%s to %s)"
        .formatted(
            Scale.digits(row.median() * 1e3),
            Scale.digits(row.min() * 1e3),
            Scale.digits(row.max() * 1e3));
  }
}

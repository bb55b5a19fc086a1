package dev.gyre.bench.cli;

import dev.gyre.progress.litmus.LitmusResult;
import dev.gyre.progress.probe.ProgressResult;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Tables of litmus results, in Markdown, so that they can be put into docs/results as they are.
 * Each line is there when it is printed: a run that is cut short has shown what it found.
 */
final class LitmusTables {

  private LitmusTables() {}

  static void header(PrintWriter out) {
    out.println("| program | order | scope | weak outcome | runs | weak | verdict | outcomes |");
    out.println("|---|---|---|---|---:|---:|---|---|");
    out.flush();
  }

  static void row(PrintWriter out, LitmusResult result) {
    String expected =
        switch (result.test().expectation()) {
          case FORBIDDEN -> "forbidden";
          case MUST_SHOW -> "must be seen";
          case MAY_SHOW -> "may be seen";
        };
    out.printf(
        Locale.ROOT,
        "| %s | %s | %s | %s | %,d | %,d | %s | %s |%n",
        result.test().program().label(),
        result.test().orderLabel(),
        result.test().scopeLabel(),
        expected,
        result.runs(),
        result.weak(),
        result.verdict().label(),
        result.refusal().map(r -> reason(r)).orElse(histogram(result)));
    out.flush();
  }

  private static String reason(String refusal) {
    String line = refusal.lines().findFirst().orElse("");
    int launch = line.indexOf("): ");
    return line.substring(launch < 0 ? 0 : launch + 3)
        .replace("|", "/")
        .replaceAll("\\p{Cntrl}\\[\\d+m", "");
  }

  private static String histogram(LitmusResult result) {
    return result.outcomes().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(e -> "(%s): %d".formatted(e.getKey(), e.getValue()))
        .collect(Collectors.joining(" "));
  }

  static void unseen(PrintWriter out, List<LitmusResult> results) {
    List<LitmusResult> unseen =
        results.stream().filter(r -> r.verdict() == LitmusResult.Verdict.NEVER_SEEN).toList();
    if (!unseen.isEmpty()) {
      out.println("Weakened controls that were never seen to fail here:");
      out.println();
      unseen.forEach(r -> out.printf(Locale.ROOT, "- %s: %,d runs%n", r.test().label(), r.runs()));
      out.println();
    }
  }

  static void progressHeader(PrintWriter out) {
    out.println("| progress | threads | outcome | waits that gave up | seconds |");
    out.println("|---|---:|---|---:|---:|");
    out.flush();
  }

  static void row(PrintWriter out, ProgressResult result) {
    out.printf(
        Locale.ROOT,
        "| %s | %,d | %s | %,d | %.2f |%n",
        result.test().label(),
        result.threads(),
        outcome(result),
        result.stuck(),
        result.seconds());
    out.flush();
  }

  static String outcome(ProgressResult result) {
    String label = result.outcome().label();
    return result.detail().isEmpty() ? label : label + ": " + result.detail();
  }
}

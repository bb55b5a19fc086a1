package dev.gyre.bench.cli;

import dev.gyre.progress.Classifier;
import dev.gyre.progress.DeviceDescription;
import dev.gyre.progress.Guarantee;
import dev.gyre.progress.litmus.LitmusResult;
import dev.gyre.progress.probe.ProgressResult;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The last line of {@code gyre litmus}, and the names of what failed.
 *
 * @param device where the tests ran
 * @param results results of tests of memory order
 * @param progress results of tests of forward progress
 * @param seconds how long all took
 */
record LitmusSummary(
    DeviceDescription device,
    List<LitmusResult> results,
    List<ProgressResult> progress,
    double seconds) {

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

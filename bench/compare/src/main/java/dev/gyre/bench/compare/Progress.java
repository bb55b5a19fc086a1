package dev.gyre.bench.compare;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * Tells how far a run is and how long it will take: one line on a terminal, else a line per job.
 */
final class Progress {

  private static final int CELLS = 24;

  private final PrintWriter out;
  private final boolean terminal;
  private final int jobs;
  private final double expectedInAll;
  private final long start = System.nanoTime();
  private double expectedDone;
  private double leastDone;
  private int done;

  /**
   * Makes a line.
   *
   * @param before jobs that a run had done before it was continued
   */
  Progress(PrintWriter out, boolean terminal, int before, List<Job> jobs) {
    this.out = out;
    this.terminal = terminal;
    this.jobs = before + jobs.size();
    this.done = before;
    this.expectedInAll = jobs.stream().mapToDouble(Job::seconds).sum();
  }

  /** A job begins. */
  void begin(Job job) {
    if (terminal) {
      update(job, 0);
    } else {
      out.println(line(job, 0));
      out.flush();
    }
  }

  /** A share of a job, from 0 to 1, is done. */
  void update(Job job, double share) {
    if (terminal) {
      out.print("\r\u001b[K" + line(job, share));
      out.flush();
    }
  }

  /**
   * A job has ended.
   *
   * @param leastSeconds that its least forks took, for which its expected seconds are
   */
  void end(Job job, double leastSeconds) {
    expectedDone += job.seconds();
    leastDone += leastSeconds;
    done++;
    if (terminal && done == jobs) {
      out.print("\r\u001b[K");
      out.flush();
    }
  }

  private String line(Job job, double share) {
    double expected = expectedDone + share * job.seconds();
    int filled = expectedInAll > 0 ? (int) (CELLS * expected / expectedInAll) : CELLS;
    String bar = "#".repeat(filled) + ".".repeat(CELLS - filled);
    return String.format(
        Locale.ROOT,
        "[%s] %2d/%d  %s  %s",
        bar,
        done + 1,
        jobs,
        left(expected, elapsed()),
        job.title());
  }

  /** Returns the seconds since this was made. */
  double elapsed() {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Returns by how much jobs took longer than expected, or less long, but never less than half. */
  double pace() {
    return expectedDone > 0 ? Math.max(0.5, leastDone / expectedDone) : 1;
  }

  private String left(double expected, double seconds) {
    double pace = expectedDone > 0 && expected > 0 ? seconds / expected : 1;
    double left = (expectedInAll - expected) * pace;
    return left >= 90
        ? String.format(Locale.ROOT, "%.0f min left", left / 60)
        : String.format(Locale.ROOT, "%.0f s left", left);
  }
}

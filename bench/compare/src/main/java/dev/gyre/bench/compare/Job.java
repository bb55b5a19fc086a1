package dev.gyre.bench.compare;

import java.io.IOException;
import java.util.List;

/**
 * Cases that belong together: all implementations of one situation, each in processes of its own.
 *
 * @param id the same in every run with the same options, so that a run can be continued
 * @param title title for the progress display
 * @param cases what is measured
 * @param leastForks processes of each case
 * @param mostForks processes of a case whose median does not become steady
 * @param seconds that {@link #leastForks} of all cases are expected to take
 */
record Job(
    String id, String title, List<Case> cases, int leastForks, int mostForks, double seconds) {

  /** What one process measures. */
  interface Case {

    /**
     * Runs a process, and returns its rows.
     *
     * @throws IOException if the process fails, saying why and what it printed
     */
    List<Row> fork() throws IOException;
  }
}

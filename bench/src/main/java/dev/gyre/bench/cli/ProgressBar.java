package dev.gyre.bench.cli;

import dev.gyre.datasets.ByteProgress;
import java.io.PrintWriter;
import java.util.Locale;

/** A bar on one line of a terminal that tells how many bytes of a job are done. */
final class ProgressBar implements ByteProgress, AutoCloseable {

  private static final int CELLS = 30;
  private static final long NANOS_BETWEEN_DRAWINGS = 50_000_000;

  /** A job that is shorter shows no bar. */
  private static final long NANOS_BEFORE_FIRST = 300_000_000;

  private final boolean shown;
  private final PrintWriter terminal;
  private final String label;
  private final long start = System.nanoTime();
  private long lastDrawing = start + NANOS_BEFORE_FIRST - NANOS_BETWEEN_DRAWINGS;
  private boolean drawn;

  ProgressBar(PrintWriter terminal, String label, boolean shown) {
    this.shown = shown;
    this.terminal = terminal;
    this.label = label;
  }

  @Override
  public void update(long done, long total) {
    long now = System.nanoTime();
    if (shown && now - lastDrawing >= NANOS_BETWEEN_DRAWINGS) {
      lastDrawing = now;
      drawn = true;
      terminal.print("\r\u001b[K" + line(label, done, total, (now - start) / 1e9));
      terminal.flush();
    }
  }

  static String line(String label, long done, long total, double seconds) {
    String rate = String.format(Locale.ROOT, "%,.0f MB/s", done / seconds / 1e6);
    if (total <= 0) {
      return String.format(Locale.ROOT, "%s  %,.0f MB  %s", label, done / 1e6, rate);
    }
    int filled = (int) (CELLS * done / total);
    return String.format(
        Locale.ROOT,
        "%s  [%s%s] %3d %%  %,.0f of %,.0f MB  %s  %.0f s left",
        label,
        "#".repeat(filled),
        ".".repeat(CELLS - filled),
        100 * done / total,
        done / 1e6,
        total / 1e6,
        rate,
        seconds * (total - done) / Math.max(1, done));
  }

  /** Takes the bar away; what comes later draws it again. */
  @Override
  public void close() {
    if (drawn) {
      drawn = false;
      terminal.print("\r\u001b[K");
      terminal.flush();
    }
  }
}

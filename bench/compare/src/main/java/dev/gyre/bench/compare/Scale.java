package dev.gyre.bench.compare;

import dev.gyre.bench.measure.Row;
import java.util.List;
import java.util.Locale;

/**
 * A unit of throughput in which numbers are short.
 *
 * @param factor what is divided by
 * @param label such as {@code million keys/s}
 */
record Scale(double factor, String label) {

  /** The unit for some rows, which are all of one kind. */
  static Scale of(List<Row> rows) {
    double most = rows.stream().mapToDouble(Row::throughput).max().orElse(1);
    String unit = rows.isEmpty() ? "" : rows.getFirst().unit();
    boolean bytes = unit.equals("bytes/s");
    if (most >= 1e10) {
      return new Scale(1e9, bytes ? "GB/s" : "billion " + unit);
    }
    if (most >= 1e6) {
      return new Scale(1e6, bytes ? "MB/s" : "million " + unit);
    }
    return most >= 1e4 ? new Scale(1e3, bytes ? "kB/s" : "thousand " + unit) : new Scale(1, unit);
  }

  double of(Row row) {
    return row.throughput() / factor;
  }

  /** With as many digits as say something. */
  String text(Row row) {
    return digits(of(row)) + " " + label;
  }

  /** A number with three digits that count. */
  static String digits(double value) {
    double size = Math.abs(value);
    String pattern = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3g";
    return String.format(Locale.ROOT, pattern, value);
  }
}

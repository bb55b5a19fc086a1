package dev.gyre.bench.compare;

import dev.gyre.bench.measure.Row;
import java.util.ArrayList;
import java.util.List;

/** Rows as a run has them. */
final class Rows {

  private Rows() {}

  /** A map that inserts n keys, with a spread of a tenth each way. */
  static Row insert(String implementation, int threads, long n, double seconds) {
    return row("map-insert", implementation, "jvm", n, threads, "type=long keys=unique", seconds);
  }

  static Row row(
      String benchmark,
      String implementation,
      String target,
      long n,
      int threads,
      String params,
      double seconds) {
    return new Row(
        benchmark,
        implementation,
        target,
        "a processor",
        n,
        16 * n,
        threads,
        params + " runs=11",
        seconds,
        0.9 * seconds,
        1.1 * seconds,
        n / seconds,
        "keys/s",
        "abc");
  }

  /** Two maps at two sizes and two numbers of threads, and a rival for one thread. */
  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    for (long n : new long[] {1 << 10, 1 << 20}) {
      for (int threads : new int[] {1, 2}) {
        rows.add(insert("gyre-line", threads, n, n * 1e-8 / threads));
        rows.add(insert("ConcurrentHashMap", threads, n, n * 15e-8 / threads));
      }
      rows.add(insert("fastutil", 1, n, n * 2e-8));
    }
    return rows;
  }
}

package dev.gyre.bench.compare;

import java.util.ArrayList;
import java.util.List;

/** Rows as a run has them. */
final class Rows {

  private Rows() {}

  /** A map that inserts n keys, with a spread of a tenth each way. */
  static Row insert(String implementation, int threads, long n, double seconds) {
    return row(
        "map-insert",
        implementation,
        "jvm",
        n,
        threads,
        "type=long keys=unique load=0.5",
        seconds,
        "keys/s");
  }

  static Row row(
      String benchmark,
      String implementation,
      String target,
      long n,
      int threads,
      String params,
      double seconds,
      String unit) {
    return new Row(
        benchmark,
        implementation,
        "1.2.3",
        target,
        "a processor",
        n,
        16 * n,
        threads,
        params,
        seconds,
        0.9 * seconds,
        1.1 * seconds,
        3,
        7,
        5,
        11,
        n / seconds,
        unit,
        "");
  }

  static Row memory(String implementation, double bytes) {
    return new Row(
        "memory-map",
        implementation,
        "",
        "jvm",
        "a processor",
        1000,
        (long) (1000 * bytes),
        1,
        "type=long capacity=grown peak=80.0",
        0,
        0,
        0,
        1,
        0,
        0,
        -1,
        bytes,
        Row.MEMORY_UNIT,
        "");
  }

  /** Maps at three sizes and two numbers of threads, kernels with a limit, and memory. */
  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    for (long n : new long[] {1 << 12, 1 << 16, 1 << 20}) {
      for (int threads : new int[] {1, 2}) {
        rows.add(insert("gyre-reference", threads, n, n * 1e-8 / threads));
        rows.add(insert("ConcurrentHashMap", threads, n, n * 15e-8 / threads));
      }
      rows.add(insert("fastutil", 1, n, n == 1 << 12 ? n * 0.5e-8 : n * 2e-8));
      rows.add(insert("Eclipse Collections", 1, n, n * 3e-8));
    }
    String kernel = "type=int keys=unique load=0.5 state=warm time=kernel";
    rows.add(row("map-insert", "gyre-packed", "ptx", 1 << 26, 1, kernel, 2e-3, "keys/s"));
    rows.add(row("map-insert", "cuco (CUDA C++)", "cuda", 1 << 26, 1, kernel, 5e-3, "keys/s"));
    rows.add(row("map-insert", "limit: random", "cuda", 1 << 26, 1, kernel, 1.5e-3, "keys/s"));
    rows.add(memory("gyre-reference", 37.5));
    rows.add(memory("ConcurrentHashMap", 87));
    return rows;
  }
}

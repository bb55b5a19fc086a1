package dev.gyre.bench.compare;

import dev.gyre.bench.measure.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What became faster or slower between two runs of one machine: rows whose medians differ by more
 * than a tenth, each outside the spread of the other, from its quickest run to its slowest.
 */
final class Differences {

  private static final double NOTABLE = 1.1;

  private Differences() {}

  /**
   * One row, twice.
   *
   * @param before the earlier
   * @param now the later
   */
  record Pair(Row before, Row now) {

    /** Above 1, it takes longer now. */
    double time() {
      return now.median() / before.median();
    }

    /** Whether medians differ by more than the runs of either do. */
    boolean isOutside() {
      return !within(before.median(), now) && !within(now.median(), before);
    }

    private static boolean within(double seconds, Row row) {
      return seconds >= row.min() && seconds <= row.max();
    }

    boolean isNotable() {
      return isOutside() && Math.max(time(), 1 / time()) > NOTABLE;
    }
  }

  /** The rows that are in both runs. */
  static List<Pair> pairs(List<Row> before, List<Row> now) {
    Map<String, Row> earlier = new HashMap<>();
    before.forEach(row -> earlier.put(key(row), row));
    List<Pair> pairs = new ArrayList<>();
    for (Row row : now) {
      Row other = earlier.get(key(row));
      if (other != null && row.median() > 0 && other.median() > 0) {
        pairs.add(new Pair(other, row));
      }
    }
    return pairs;
  }

  private static String key(Row row) {
    Map<String, String> params = new LinkedHashMap<>(row.parameters());
    params.remove("runs");
    return String.join(
        ",",
        row.benchmark(),
        row.implementation(),
        row.target(),
        row.device(),
        "" + row.n(),
        "" + row.threads(),
        params.toString());
  }

  static void write(RunFile earlier, RunFile run, Markdown text) {
    List<Pair> pairs =
        pairs(earlier.rows(), run.rows()).stream()
            .filter(pair -> !pair.now().param("state").equals("first"))
            .toList();
    List<Pair> notable =
        pairs.stream()
            .filter(Pair::isNotable)
            .sorted(Comparator.comparingDouble(Pair::time).reversed())
            .toList();
    long outside = pairs.stream().filter(Pair::isOutside).count();
    text.heading(2, "Against the run of commit " + earlier.fact("commit"));
    text.line(
        String.format(
            Locale.ROOT,
            "%d rows are in both runs; of %d (%.1f %%) the median lies within the other run's"
                + " spread, from its quickest run to its slowest. By more than a tenth, and outside"
                + " of both spreads, differ %d:",
            pairs.size(),
            pairs.size() - outside,
            pairs.isEmpty() ? 100 : 100.0 * (pairs.size() - outside) / pairs.size(),
            notable.size()));
    if (!notable.isEmpty()) {
      text.line("");
      text.head("row", "before, ms", "now, ms", "time now / before");
      notable.forEach(pair -> text.row(cells(pair)));
    }
    byImplementation(pairs, text);
  }

  private static List<String> cells(Pair pair) {
    Row now = pair.now();
    return List.of(
        "%s, %s, %d threads, %s"
            .formatted(
                now.implementation(), now.target(), now.threads(), Situation.of(now).title()),
        spread(pair.before()),
        spread(now),
        String.format(Locale.ROOT, "**%.2f**", pair.time()));
  }

  private static String spread(Row row) {
    double unit = row.benchmark().startsWith("shim") ? 1e9 : 1e3;
    return "%s (%s to %s)"
        .formatted(
            Scale.digits(row.median() * unit),
            Scale.digits(row.min() * unit),
            Scale.digits(row.max() * unit));
  }

  /**
   * A slower device function shows in all of its rows, where noise takes some each way; and what
   * slows down the machine slows down rivals, too.
   */
  private static void byImplementation(List<Pair> pairs, Markdown text) {
    Map<List<String>, List<Pair>> groups =
        pairs.stream()
            .collect(
                Collectors.groupingBy(
                    pair ->
                        List.of(
                            pair.now().benchmark(),
                            pair.now().implementation(),
                            pair.now().target()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    text.line("");
    text.line("Over all rows of a benchmark and an implementation, geometric means:");
    text.line("");
    text.head(
        "benchmark",
        "implementation",
        "target",
        "rows",
        "time now / before",
        "the same to rivals'");
    groups.forEach(
        (name, group) -> {
          double mean = mean(group);
          double rivals =
              mean(
                  pairs.stream()
                      .filter(
                          pair ->
                              pair.now().benchmark().equals(name.getFirst())
                                  && !Ranking.isOurs(pair.now()))
                      .toList());
          List<String> cells = new ArrayList<>(name);
          cells.add(Integer.toString(group.size()));
          cells.add(String.format(Locale.ROOT, "%.2f", mean));
          cells.add(String.format(Locale.ROOT, "%.2f", mean / rivals));
          text.row(cells);
        });
  }

  /** The geometric mean of the times now to those before; 1 of none. */
  private static double mean(List<Pair> pairs) {
    return Math.exp(pairs.stream().mapToDouble(p -> Math.log(p.time())).average().orElse(0));
  }
}

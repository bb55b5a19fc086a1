package dev.gyre.bench.compare;

import dev.gyre.bench.measure.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Rows by situation, and in each the best of every implementation. */
final class Ranking {

  /** What the names of limits begin with. */
  static final String LIMIT = "limit: ";

  private final Map<Situation, List<Row>> rows = new LinkedHashMap<>();

  Ranking(List<Row> all) {
    for (Row row : all) {
      if (Situation.isComparable(row)) {
        rows.computeIfAbsent(Situation.of(row), _ -> new ArrayList<>()).add(row);
      }
    }
  }

  /** All situations, in the order of the table. */
  List<Situation> situations() {
    return List.copyOf(rows.keySet());
  }

  /** All rows of a situation. */
  List<Row> of(Situation situation) {
    return rows.getOrDefault(situation, List.of());
  }

  /** Whether a row is of no implementation, but of what none of its kind gets past. */
  static boolean isLimit(Row row) {
    return row.implementation().startsWith(LIMIT);
  }

  /** Whether an implementation is ours. */
  static boolean isOurs(Row row) {
    return row.implementation().startsWith("gyre");
  }

  /**
   * The best row of each implementation in a situation, whatever its number of threads or its
   * launch shape, the fastest first.
   */
  List<Row> best(Situation situation) {
    Map<String, Row> best = new TreeMap<>();
    for (Row row : of(situation)) {
      Row _ =
          best.merge(
              row.implementation() + " " + row.target(),
              row,
              (a, b) -> a.median() <= b.median() ? a : b);
    }
    return best.values().stream().sorted(Comparator.comparingDouble(Row::median)).toList();
  }

  /**
   * Whether a situation is one to look at first: of those that differ in the number of items only,
   * the largest of those with the most rows.
   */
  boolean isHeadline(Situation situation) {
    List<Situation> alike = alike(situation);
    int most = alike.stream().mapToInt(s -> of(s).size()).max().orElse(0);
    return alike.stream()
        .filter(s -> of(s).size() == most)
        .max(Comparator.comparingLong(Situation::n))
        .equals(Optional.of(situation));
  }

  /** Whether none of those that differ in the number of items only has more of them. */
  boolean isLargest(Situation situation) {
    return alike(situation).stream().allMatch(s -> s.n() <= situation.n());
  }

  /**
   * Whether none of those that differ in the number of items only has fewer of them: what fits in
   * caches.
   */
  boolean isSmallest(Situation situation) {
    return alike(situation).stream().allMatch(s -> s.n() >= situation.n());
  }

  private List<Situation> alike(Situation situation) {
    return rows.keySet().stream()
        .filter(
            s ->
                s.benchmark().equals(situation.benchmark())
                    && s.side() == situation.side()
                    && s.circumstances().equals(situation.circumstances()))
        .toList();
  }
}

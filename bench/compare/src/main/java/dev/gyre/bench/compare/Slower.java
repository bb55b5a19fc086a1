package dev.gyre.bench.compare;

import static java.util.stream.Collectors.joining;

import dev.gyre.bench.compare.Ratios.Ratio;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Comparisons in which Gyre is slower: whoever shows where it is faster shows these, too. */
final class Slower {

  /** What two digits show as 1 is no difference. */
  private static final double EVEN = 0.995;

  private Slower() {}

  /** Those in which Gyre is slower, the slowest first. */
  static List<Ratio> of(List<Ratio> all) {
    return all.stream()
        .filter(ratio -> ratio.speed() < EVEN)
        .sorted(Comparator.comparingDouble(Ratio::speed))
        .toList();
  }

  /**
   * In how many of some comparisons Gyre is slower, and the slowest of each kind, with the largest
   * number of keys at which it still is; empty where there are none.
   */
  static String sentence(List<Ratio> all) {
    Map<String, Ratio> slowest = new LinkedHashMap<>();
    Map<String, Long> largest = new LinkedHashMap<>();
    List<Ratio> slower = of(all);
    for (Ratio ratio : slower) {
      String kind = kind(ratio.situation());
      Ratio _ = slowest.putIfAbsent(kind, ratio);
      long _ = largest.merge(kind, ratio.situation().n(), Long::max);
    }
    return slower.isEmpty()
        ? ""
        : "Slower than a rival in %d of %d comparisons; the slowest of each kind: %s."
            .formatted(
                slower.size(),
                all.size(),
                slowest.entrySet().stream()
                    .map(one -> text(one.getValue(), largest.getOrDefault(one.getKey(), 0L)))
                    .collect(joining("; ")));
  }

  private static String kind(Situation situation) {
    return "%s %s %s"
        .formatted(situation.benchmark(), situation.side(), situation.circumstance("type"));
  }

  private static String text(Ratio ratio, long largest) {
    String more = largest > ratio.situation().n() ? " (slower up to %,d)".formatted(largest) : "";
    return "%s, %s of %s%s"
        .formatted(ratio.situation().title(), ratio.text(), ratio.rival().implementation(), more);
  }
}

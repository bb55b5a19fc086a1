package dev.gyre.bench.compare;

import static java.util.function.BinaryOperator.minBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Comparison of Gyre with a rival, in one situation, with the same number of threads.
 *
 * @param ours the default layout of Gyre; on a device, its quickest launch
 * @param rival what it is compared with
 */
record Comparison(Situation situation, Row ours, Row rival) {

  /** What two digits show as 1 is no difference. */
  static final double EVEN = 0.995;

  /** A row of an older build is not slower as long as its interval reaches this speed. */
  static final double SLOWER_THAN_OLD = 0.97;

  private static final Comparator<Row> BY_MEDIAN = Comparator.comparingDouble(Row::median);

  /** Returns how many times as fast as the rival ours is; below 1, it is slower. */
  double speed() {
    return rival.median() / ours.median();
  }

  /** Returns the speed, with the least and the greatest that the spread of both rows allows. */
  Charts.Dot dot(String label) {
    double low = rival.min() / ours.max();
    return new Charts.Dot(label, speed(), low, rival.max() / ours.min(), isMarked());
  }

  boolean isSlower() {
    return speed() < EVEN;
  }

  boolean isMarked() {
    return ours.isMarked() || rival.isMarked();
  }

  /** Returns the threads of both, or the target of ours on a device. */
  String threads() {
    return situation.side() == Situation.Side.PROCESSOR ? threads(ours.threads()) : ours.target();
  }

  static String threads(int count) {
    return count == 1 ? "1 thread" : count + " threads";
  }

  /** Returns a speed in words that a reader can check. */
  static String inWords(double speed) {
    return digits(speed) + (speed < EVEN ? " times the speed of" : " times as fast as");
  }

  /** Returns a number with two or three digits that count. */
  static String digits(double value) {
    double size = Math.abs(value);
    return String.format(
        Locale.ROOT,
        size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.2g",
        value);
  }

  /** Returns rows by situation, in the order of the table; limits are not among them. */
  static Map<Situation, List<Row>> bySituation(List<Row> rows) {
    return rows.stream()
        .filter(Situation::isComparable)
        .collect(Collectors.groupingBy(Situation::of, LinkedHashMap::new, Collectors.toList()));
  }

  /** Returns the row that stands for Gyre with so many threads. */
  static Optional<Row> ours(List<Row> rows, int threads) {
    return rows.stream()
        .filter(Comparison::isDefault)
        .filter(row -> !row.target().equals("jvm") || row.threads() == threads)
        .min(BY_MEDIAN);
  }

  /** Returns whether a row is measured with the default layout and options. */
  static boolean isDefault(Row row) {
    return row.isOurs()
        && (!row.target().equals("jvm")
            || switch (row.implementation()) {
              case "gyre-reference" -> row.param("type").equals("long");
              case "gyre-line", "gyre-trie-small", "gyre-text-map" -> false;
              default -> true;
            });
  }

  /** Returns the comparison with the fastest rival, for each situation and number of threads. */
  static List<Comparison> withFastest(List<Row> rows) {
    List<Comparison> all = new ArrayList<>();
    bySituation(rows)
        .forEach(
            (situation, of) -> {
              boolean device = situation.side() != Situation.Side.PROCESSOR;
              Map<Integer, Row> fastest = new TreeMap<>();
              for (Row rival : of.stream().filter(row -> !row.isOurs()).toList()) {
                fastest.merge(device ? 0 : rival.threads(), rival, minBy(BY_MEDIAN));
              }
              for (Row rival : fastest.values()) {
                ours(of, rival.threads())
                    .ifPresent(ours -> all.add(new Comparison(situation, ours, rival)));
              }
            });
    return all;
  }

  /** Returns a sentence on each situation: the verdict of a job. */
  static List<String> verdicts(List<Row> rows) {
    Map<Situation, String> parts = new LinkedHashMap<>();
    for (Comparison each : withFastest(rows)) {
      parts.merge(each.situation, each.verdict(), (one, next) -> one + "; " + next);
    }
    List<String> sentences = new ArrayList<>();
    parts.forEach(
        (situation, part) -> {
          String title = situation.title();
          String first = title.substring(0, 1).toUpperCase(Locale.ROOT);
          sentences.add(first + title.substring(1) + ": " + part + ".");
        });
    return sentences;
  }

  private String verdict() {
    return isMarked()
        ? "no verdict with " + threads() + ", since rows are marked"
        : "with " + threads() + ", " + inWords(speed()) + " " + rival.implementation();
  }

  /** Returns the rows of a new build that are slower than the same rows of the old one. */
  static List<Row> slowerThanOld(List<Row> rows) {
    return rows.stream()
        .filter(row -> !row.param("high").isEmpty())
        .filter(row -> dotOfBuilds(row).high() < SLOWER_THAN_OLD)
        .toList();
  }

  /** Returns the speed that a row of a new build states, against the old one. */
  static Charts.Dot dotOfBuilds(Row row) {
    double[] speed =
        Stream.of("ratio", "low", "high").map(row::param).mapToDouble(Double::valueOf).toArray();
    return new Charts.Dot(row.title(), speed[0], speed[1], speed[2], row.isMarked());
  }

  /** Returns a row of a new build, for a reader. */
  static String line(Row row) {
    return "%s: %s (%s to %s) times the speed"
        .formatted(row.title(), row.param("ratio"), row.param("low"), row.param("high"));
  }
}

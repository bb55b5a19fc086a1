package dev.gyre.bench.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Ours beside a rival, in one situation, with as many threads on both sides.
 *
 * @param ours the default layout of Gyre; on a device, its quickest launch
 * @param rival what it is compared with
 */
record Comparison(Situation situation, Row ours, Row rival) {

  /** What two digits show as 1 is no difference. */
  private static final double EVEN = 0.995;

  /** A row of an older build is not slower as long as its interval reaches this speed. */
  static final double SLOWER_THAN_OLD = 0.97;

  /** Returns how many times as fast as the rival ours is; below 1, it is slower. */
  double speed() {
    return rival.median() / ours.median();
  }

  /** Returns the least speed that the spread of both rows leaves open. */
  double low() {
    return rival.min() / ours.max();
  }

  /** Returns the greatest such speed. */
  double high() {
    return rival.max() / ours.min();
  }

  boolean isSlower() {
    return speed() < EVEN;
  }

  boolean isMarked() {
    return ours.isMarked() || rival.isMarked();
  }

  /** Returns the threads of both, or nothing on a device. */
  String threads() {
    return situation.side() != Situation.Side.PROCESSOR
        ? ours.target()
        : ours.threads() == 1 ? "1 thread" : ours.threads() + " threads";
  }

  /** Returns a speed in words that a reader can check. */
  static String inWords(double speed) {
    String digits = digits(speed);
    return speed < EVEN ? digits + " times the speed of" : digits + " times as fast as";
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
    Map<Situation, List<Row>> all = new LinkedHashMap<>();
    for (Row row : rows) {
      if (Situation.isComparable(row) && !row.isLimit()) {
        all.computeIfAbsent(Situation.of(row), _ -> new ArrayList<>()).add(row);
      }
    }
    return all;
  }

  /** Returns the row that stands for Gyre with so many threads. */
  static Optional<Row> ours(List<Row> rows, int threads) {
    return rows.stream()
        .filter(Comparison::isDefault)
        .filter(row -> !row.target().equals("jvm") || row.threads() == threads)
        .min(Comparator.comparingDouble(Row::median));
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
              TreeSet<Integer> threads = new TreeSet<>();
              of.stream().filter(row -> !row.isOurs()).forEach(row -> threads.add(row.threads()));
              boolean device = situation.side() != Situation.Side.PROCESSOR;
              for (int count : device ? List.of(0) : threads) {
                of.stream()
                    .filter(row -> !row.isOurs() && (device || row.threads() == count))
                    .min(Comparator.comparingDouble(Row::median))
                    .flatMap(
                        rival ->
                            ours(of, rival.threads())
                                .map(ours -> new Comparison(situation, ours, rival)))
                    .ifPresent(all::add);
              }
            });
    return all;
  }

  /** Returns a sentence on each situation: the verdict of a job. */
  static List<String> verdicts(List<Row> rows) {
    Map<Situation, List<Comparison>> all = new LinkedHashMap<>();
    withFastest(rows)
        .forEach(each -> all.computeIfAbsent(each.situation, _ -> new ArrayList<>()).add(each));
    List<String> sentences = new ArrayList<>();
    all.forEach(
        (situation, of) -> {
          List<String> parts = new ArrayList<>();
          for (Comparison each : of) {
            parts.add(
                each.isMarked()
                    ? "no verdict with %s, since rows are marked".formatted(each.threads())
                    : "with %s, %s %s"
                        .formatted(
                            each.threads(), inWords(each.speed()), each.rival.implementation()));
          }
          String title = situation.title();
          sentences.add(
              "%s%s: %s."
                  .formatted(
                      title.substring(0, 1).toUpperCase(Locale.ROOT),
                      title.substring(1),
                      String.join("; ", parts)));
        });
    return sentences;
  }

  /** Returns the rows of a new build that are slower than those of the old one. */
  static List<Row> slowerThanOld(List<Row> rows) {
    return rows.stream()
        .filter(row -> !row.param("high").isEmpty())
        .filter(row -> Double.parseDouble(row.param("high")) < SLOWER_THAN_OLD)
        .toList();
  }

  /** Returns a row of a new build, for a reader. */
  static String line(Row row) {
    return "%s, %s, %d threads: %s (%s to %s) times the speed"
        .formatted(
            Situation.of(row).title(),
            row.implementation(),
            row.threads(),
            row.param("ratio"),
            row.param("low"),
            row.param("high"));
  }
}

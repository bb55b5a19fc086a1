package dev.gyre.bench.compare;

import dev.gyre.bench.measure.Row;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** How many times as fast as each rival Gyre is: the first thing that a reader wants to know. */
final class Ratios {

  private Ratios() {}

  /**
   * One comparison.
   *
   * @param situation in which
   * @param ours the best of Gyre with as many threads
   * @param rival what it is compared with
   */
  record Ratio(Situation situation, Row ours, Row rival) {
    /** Above 1, Gyre is faster. */
    double speed() {
      return rival.median() / ours.median();
    }

    /** The speed, as tables have it. */
    String text() {
      return String.format(Locale.ROOT, "%.2f", speed());
    }
  }

  /** All comparisons of a run, with as many threads on both sides. */
  static List<Ratio> all(Ranking ranking) {
    return ranking.situations().stream()
        .flatMap(situation -> of(ranking, situation, Ratios::isRival).stream())
        .toList();
  }

  /** Those at the base of a run, and at its smallest and its largest sizes. */
  static List<Ratio> of(Ranking ranking) {
    return of(ranking, Ratios::isRival);
  }

  private static boolean isRival(Row row) {
    return !Ranking.isOurs(row) && !Ranking.isLimit(row);
  }

  private static List<Ratio> of(Ranking ranking, Predicate<Row> rivals) {
    return ranking.situations().stream()
        .filter(
            situation ->
                ranking.isHeadline(situation)
                    || ranking.isSmallest(situation)
                    || ranking.isLargest(situation))
        .flatMap(situation -> of(ranking, situation, rivals).stream())
        .toList();
  }

  private static List<Ratio> of(Ranking ranking, Situation situation, Predicate<Row> rivals) {
    return ranking.best(situation).stream()
        .filter(rivals)
        .flatMap(rival -> ours(ranking, situation, rival).stream())
        .toList();
  }

  /** Ours at the number of threads that is best for the rival; on a device, the best shape. */
  private static Optional<Ratio> ours(Ranking ranking, Situation situation, Row rival) {
    boolean device = situation.side() != Situation.Side.PROCESSOR;
    return ranking.of(situation).stream()
        .filter(Ranking::isOurs)
        .filter(row -> device || row.threads() == rival.threads())
        .min(Comparator.comparingDouble(Row::median))
        .map(row -> new Ratio(situation, row, rival));
  }

  static void write(Ranking ranking, Markdown text) {
    write(
        of(ranking),
        "How fast Gyre is",
        "Speed of the best of Gyre against each rival, at the number of threads that suits the"
            + " rival best: above 1, Gyre is faster. The smallest and the largest of each number of"
            + " keys, and the base. Medians; the spread is with all numbers below.",
        "rival",
        text);
    write(
        Slower.of(all(ranking)),
        "Where Gyre is slower",
        "All comparisons of this run, of any size, in which Gyre is slower; the slowest first.",
        "rival",
        text);
    write(
        of(ranking, Ranking::isLimit),
        "How far the limits are",
        "Speed of the best of Gyre against what is less than the whole work: an access to a random"
            + " word for each key, which bounds maps that take keys one by one; keys put in order;"
            + " a text of which the words are found and not counted.",
        "limit",
        text);
  }

  private static void write(
      List<Ratio> ratios, String heading, String introduction, String other, Markdown text) {
    if (ratios.isEmpty()) {
      return;
    }
    text.heading(2, heading);
    text.line(introduction);
    text.line("");
    text.head("benchmark", other, "threads", "its ms", "Gyre", "its ms", "speed of Gyre");
    for (Ratio ratio : ratios) {
      boolean shim = ratio.situation().benchmark().startsWith("shim");
      double unit = shim ? 1e9 : 1e3;
      text.row(
          List.of(
              ratio.situation().title(),
              ratio.rival().implementation().replace(Ranking.LIMIT, ""),
              String.format(Locale.ROOT, "%,d", ratio.rival().threads()),
              Scale.digits(ratio.rival().median() * unit) + (shim ? " ns" : ""),
              ratio.ours().implementation() + ", " + ratio.ours().target(),
              Scale.digits(ratio.ours().median() * unit) + (shim ? " ns" : ""),
              "**" + ratio.text() + "**"));
    }
  }
}

package dev.gyre.bench.compare;

import dev.gyre.atomics.GyreException;
import dev.gyre.bench.chart.Svg;
import dev.gyre.bench.compare.Charts.Dot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Report on a run: one page, complete without a network, and an image of its headlines for other
 * pages.
 */
final class Report {

  static final String FILE = "report.html";
  static final String HEADLINES = "headlines.svg";

  /** Changes of a row between two runs that are shown, if both spreads are left. */
  private static final double NOTABLE = 1.1;

  private final RunFile run;
  private final @Nullable RunFile earlier;
  private final List<Row> rows;
  private final List<Comparison> comparisons;
  private final Page page = new Page();
  private final Charts charts = new Charts(page);

  private Report(RunFile run, @Nullable RunFile earlier) {
    this.run = run;
    this.earlier = earlier;
    this.rows = run.rows();
    this.comparisons = Comparison.withFastest(rows);
  }

  /** Writes the report into the folder of the run. */
  static void write(RunFile run, @Nullable RunFile earlier) {
    Report report = new Report(run, earlier);
    try {
      RunFile.replace(run.folder().resolve(FILE), report.page());
      List<Dot> headlines = report.headlines();
      if (!headlines.isEmpty()) {
        RunFile.replace(
            run.folder().resolve(HEADLINES),
            Charts.dotFile(
                "Speed of Gyre: times as fast as the fastest rival of each row", headlines));
      }
    } catch (IOException e) {
      throw new GyreException("cannot write the report: " + e.getMessage(), e);
    }
  }

  private String page() {
    String title = "Gyre compared on " + run.fact("processor");
    top(title);
    oldAndNew();
    verdicts();
    charts.sizes(rows);
    charts.scaling(rows);
    limits();
    memory();
    changes();
    table();
    facts();
    return Svg.resource(Report.class, "report.html")
        .replace("%TITLE%", Svg.escaped(title))
        .replace("%STYLE%", Svg.style() + Svg.resource(Report.class, "report.css"))
        .replace("%SCRIPT%", Svg.resource(Report.class, "report.js"))
        .replace("%BODY%", page.toString());
  }

  /** What a reader must know before any number. */
  private void top(String title) {
    if (run.jobsDone() < run.jobs()) {
      page.add(
          "<p class=\"warning\"><strong>%s of %s jobs</strong>: this run is not complete; "
              + "<code>%s</code> goes on.</p>\n",
          run.jobsDone(), run.jobs(), "scripts/compare --resume --out " + run.folder());
    }
    page.add("<h1>%s</h1>\n", title);
    List<String> warnings = new ArrayList<>();
    String loaded = run.fact("loaded.jobs");
    if (!loaded.isEmpty()) {
      warnings.add(
          "Other programs used up to %s of the %s cores during %s. Rows of such a job are marked as loaded, and their times are too long."
              .formatted(
                  run.fact("others.most"),
                  run.fact("cores"),
                  loaded.equals("1") ? "1 job" : loaded + " jobs"));
    }
    count("unsteady", "did not become steady within 5 %", warnings);
    count("spread", "differ by more than 30 % from fork to fork", warnings);
    count("disagrees", "differ between two jobs that measured the same", warnings);
    if (!warnings.isEmpty()) {
      page.add("<div class=\"warning\">\n");
      warnings.forEach(page::paragraph);
      page.add("</div>\n");
    }
    List<Comparison> clear = comparisons.stream().filter(each -> !each.isMarked()).toList();
    if (!clear.isEmpty()) {
      page.paragraph(
          "Gyre is slower than the fastest rival in %d of %d comparisons whose rows are not marked."
              .formatted(clear.stream().filter(Comparison::isSlower).count(), clear.size()));
    }
    page.paragraph("Commit %s, %s.".formatted(run.fact("commit"), run.fact("date")));
  }

  private void count(String mark, String what, List<String> warnings) {
    long marked = rows.stream().filter(row -> row.isMarked(mark)).count();
    if (marked > 0) {
      warnings.add(
          "%d of %d rows %s; they are marked as %s, and make no headline."
              .formatted(marked, rows.size(), what, mark));
    }
  }

  private void verdicts() {
    if (comparisons.isEmpty()) {
      return;
    }
    page.heading(
        "Verdicts",
        "Gyre in its default layout beside the fastest rival, with as many threads on both sides.");
    page.list(Comparison.verdicts(rows));
    page.heading(
        "Ratios",
        "How many times as fast as the fastest rival Gyre is; the line is at 1, and slower rows"
            + " have another colour. A bar is the spread of the forks of both; a hollow dot is of"
            + " rows that are marked.");
    charts.dots(
        comparisons.stream()
            .sorted(Comparator.comparingDouble(Comparison::speed))
            .map(Report::withFastest)
            .toList());
  }

  private static Dot withFastest(Comparison of) {
    String threads = ", " + of.threads() + ": ";
    return of.dot(of.situation().title() + threads + of.rival().implementation());
  }

  /** Returns what the image for other pages shows: of each operation, the fewest and most keys. */
  private List<Dot> headlines() {
    Map<String, TreeMap<Long, Comparison>> sizes = new LinkedHashMap<>();
    for (Comparison each : comparisons) {
      Situation situation = each.situation();
      if (situation.isBase() && !each.isMarked() && !situation.benchmark().startsWith("shim")) {
        Comparison _ =
            sizes
                .computeIfAbsent(situation.family() + each.threads(), _ -> new TreeMap<>())
                .put(situation.n(), each);
      }
    }
    return sizes.values().stream()
        .flatMap(of -> Stream.of(of.firstEntry(), of.lastEntry()))
        .map(Map.Entry::getValue)
        .distinct()
        .map(Report::withFastest)
        .toList();
  }

  /** An old and a new build. */
  private void oldAndNew() {
    List<Dot> all =
        rows.stream()
            .filter(row -> !row.param("ratio").isEmpty())
            .map(Comparison::dotOfBuilds)
            .sorted(Comparator.comparingDouble(Dot::ratio))
            .toList();
    if (!all.isEmpty()) {
      List<Row> slower = Comparison.slowerThanOld(rows);
      page.heading(
          "This build beside " + run.fact("old"),
          "%d of %d rows are slower: the 95 %% interval of their speed lies wholly below %s."
              .formatted(slower.size(), all.size(), Comparison.SLOWER_THAN_OLD));
      page.list(slower.stream().map(Comparison::line).toList());
      charts.dots(all);
    }
  }

  /** How much of what is possible ours reach. */
  private void limits() {
    Map<String, Double> shares = new LinkedHashMap<>();
    Map<Situation, List<Row>> known = Comparison.bySituation(rows);
    for (Row limit : rows.stream().filter(Row::isLimit).toList()) {
      Situation situation = Situation.of(limit);
      Comparison.ours(known.getOrDefault(situation, List.of()), limit.threads())
          .map(ours -> new Comparison(situation, ours, limit))
          .ifPresent(
              each -> {
                String what = each.ours().implementation() + ", " + situation.title();
                String label = what + ", " + each.threads() + ": " + limit.implementation();
                shares.merge(label, 100 * each.speed(), Math::min);
              });
    }
    if (!shares.isEmpty()) {
      page.heading(
          "Distance to the limit",
          "How much Gyre reaches of the speed of less than the whole work: one access to a random"
              + " word for each key, a text whose words are found and not counted, a copy over the"
              + " bus.");
      charts.bars(shares, Math.max(100, most(shares)), "%.0f %%");
    }
  }

  private static double most(Map<String, Double> values) {
    return values.values().stream().mapToDouble(each -> each).max().orElse(1);
  }

  private void memory() {
    Map<String, Map<String, Double>> groups = new LinkedHashMap<>();
    for (Row row : rows.stream().filter(Row::isMemory).toList()) {
      String kind = row.benchmark().replace("memory-", "");
      String type = row.param("type").replaceAll("(int|long)", "$1s");
      String capacity =
          row.param("capacity").equals("given") ? "capacity given" : "grown from empty";
      Double _ =
          groups
              .computeIfAbsent(
                  "%s of %s, %s".formatted(kind, type, capacity), _ -> new LinkedHashMap<>())
              .put(row.implementation(), row.throughput());
    }
    if (!groups.isEmpty()) {
      page.heading(
          "Memory", "Bytes for each entry at rest, on the heap and outside it: shorter is better.");
      double most = groups.values().stream().mapToDouble(Report::most).max().orElse(1);
      groups.forEach(
          (title, of) -> {
            page.add("<h3>%s</h3>\n", title);
            charts.bars(of, most, "%.1f");
          });
    }
  }

  /** What became faster or slower since an earlier run. */
  private void changes() {
    if (earlier == null) {
      return;
    }
    Map<List<String>, Row> before = new HashMap<>();
    earlier.rows().forEach(row -> before.put(row.identity(), row));
    List<Dot> both = new ArrayList<>();
    for (Row row : rows) {
      Row old = before.get(row.identity());
      if (old != null && row.median() > 0 && !row.param("state").equals("first")) {
        String title = row.title() + ", " + row.target();
        both.add(new Comparison(Situation.of(row), row, old).dot(title));
      }
    }
    List<Dot> notable =
        both.stream()
            .filter(dot -> dot.low() > 1 || dot.high() < 1)
            .filter(dot -> Math.max(dot.ratio(), 1 / dot.ratio()) > NOTABLE)
            .sorted(Comparator.comparingDouble(Dot::ratio))
            .toList();
    page.heading(
        "Against the run of commit " + earlier.fact("commit"),
        "%d rows are in both runs. %d of them differ by more than a tenth, and their forks do not overlap; right of the line, this run is faster."
            .formatted(both.size(), notable.size()));
    charts.dots(notable);
  }

  private void table() {
    if (rows.isEmpty()) {
      return;
    }
    page.heading(
        "All rows",
        "Times are medians of forks in seconds. Click a heading to sort. Collections and page"
            + " faults are those within the timed region.");
    page.add("<p><button id=\"copy\">Copy as CSV</button></p>\n");
    page.add("<div class=\"wide\" tabindex=\"0\"><table id=\"all\"><thead><tr>");
    for (String column : Row.COLUMNS) {
      page.add("<th class=\"%s\"><button>%s</button></th>", style(column), column);
    }
    page.add("</tr></thead><tbody>\n");
    for (Row row : rows) {
      page.add("<tr>");
      List<String> fields = row.fields();
      for (int i = 0; i < fields.size(); i++) {
        page.add("<td class=\"%s\">%s</td>", style(Row.COLUMNS.get(i)), fields.get(i));
      }
      page.add("</tr>\n");
    }
    page.add("</tbody></table></div>\n");
  }

  private static String style(String column) {
    return Row.isText(column) ? column : "number";
  }

  private void facts() {
    page.heading(
        "How this was measured",
        "Each implementation runs in processes of its own, in turns with the others, until leaving"
            + " out any process moves the median by at most 5 %. Heaps are touched beforehand, and"
            + " sized so that collections are part of the time. Results are checked outside the"
            + " timed region.");
    page.add("<dl>\n");
    run.facts()
        .forEach(
            (name, value) -> {
              boolean shown = Set.of("jobs", "loaded.jobs", "others.most").contains(name);
              if (!value.isEmpty() && !shown) {
                page.add("<dt>%s</dt><dd>%s</dd>\n", name.replace("rival.", ""), value);
              }
            });
    page.add("</dl>\n");
    page.paragraph("The command that repeats it:");
    String options =
        run.options().stream()
            .map(option -> option.startsWith("--") ? option : "'" + option + "'")
            .collect(Collectors.joining(" "));
    page.add("<pre>scripts/compare %s --out FOLDER</pre>\n", options);
    if (!run.notes().isEmpty()) {
      page.add("<h2>Not measured</h2>\n");
      page.list(run.notes());
    }
  }
}

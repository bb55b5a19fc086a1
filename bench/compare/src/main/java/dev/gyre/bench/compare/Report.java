package dev.gyre.bench.compare;

import dev.gyre.atomics.GyreException;
import dev.gyre.bench.chart.Svg;
import dev.gyre.bench.compare.Charts.Dot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The report on a run: one page with everything in it, which needs no network; and beside it an
 * image of its headlines, for other pages.
 */
final class Report {

  static final String FILE = "report.html";
  static final String HEADLINES = "headlines.svg";

  /** Changes of a row between two runs that are shown, if both spreads are left. */
  private static final double NOTABLE = 1.1;

  private static final Set<String> TEXTS =
      Set.of(
          "benchmark", "implementation", "version", "target", "device", "params", "unit", "marks");

  private final RunFile run;
  private final @Nullable RunFile earlier;
  private final List<Row> rows;
  private final StringBuilder html = new StringBuilder();
  private final Charts charts = new Charts(html);

  private Report(RunFile run, @Nullable RunFile earlier) {
    this.run = run;
    this.earlier = earlier;
    this.rows = run.rows();
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

  private static String resource(String name) throws IOException {
    try (InputStream in = Report.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String page() throws IOException {
    String title = "Gyre compared on " + run.fact("processor");
    top(title);
    oldAndNew();
    verdicts();
    ratios();
    charts.sizes(rows);
    charts.scaling(rows);
    limits();
    memory();
    changes();
    table();
    facts();
    return resource("report.html")
        .replace("%TITLE%", Svg.escaped(title))
        .replace("%STYLE%", Svg.style() + resource("report.css"))
        .replace("%SCRIPT%", resource("report.js"))
        .replace("%BODY%", html);
  }

  private void heading(String title) {
    html.append("<h2>").append(Svg.escaped(title)).append("</h2>\n");
  }

  private void paragraph(String text) {
    html.append("<p>").append(Svg.escaped(text)).append("</p>\n");
  }

  private void list(List<String> lines) {
    html.append("<ul>\n");
    lines.forEach(line -> html.append("<li>").append(Svg.escaped(line)).append("</li>\n"));
    html.append("</ul>\n");
  }

  /** What a reader must know before any number. */
  private void top(String title) {
    if (run.jobsDone() < run.jobs()) {
      html.append(
          "<p class=\"warning\"><strong>%d of %d jobs</strong>: this run is not complete; "
              .formatted(run.jobsDone(), run.jobs()));
      html.append(
          "<code>%s</code> goes on.</p>\n"
              .formatted(Svg.escaped("scripts/compare --resume --out " + run.folder())));
    }
    html.append("<h1>").append(Svg.escaped(title)).append("</h1>\n");
    List<String> warnings = new ArrayList<>();
    String loaded = run.fact("loaded.jobs");
    if (!loaded.isEmpty()) {
      warnings.add(
          "Other programs used up to %s of the %s cores while %s jobs measured: their rows are marked as loaded, and all their times are too long."
              .formatted(run.fact("others.most"), run.fact("cores"), loaded));
    }
    count("unsteady", "did not become steady within 5 %", warnings);
    count("spread", "differ by more than 30 % from fork to fork", warnings);
    count("disagrees", "differ between two jobs that measured the same", warnings);
    if (!warnings.isEmpty()) {
      html.append("<div class=\"warning\">\n");
      warnings.forEach(this::paragraph);
      html.append("</div>\n");
    }
    List<Comparison> all =
        Comparison.withFastest(rows).stream().filter(each -> !each.isMarked()).toList();
    paragraph(
        "%sCommit %s, %s."
            .formatted(
                all.isEmpty()
                    ? ""
                    : "Gyre is slower than the fastest rival in %d of %d comparisons whose rows are not marked. "
                        .formatted(all.stream().filter(Comparison::isSlower).count(), all.size()),
                run.fact("commit"),
                run.fact("date")));
  }

  private void count(String mark, String what, List<String> warnings) {
    long marked =
        rows.stream().filter(row -> List.of(row.marks().split(" ", -1)).contains(mark)).count();
    if (marked > 0) {
      warnings.add(
          "%d of %d rows %s; they are marked as %s, and make no headline."
              .formatted(marked, rows.size(), what, mark));
    }
  }

  private void verdicts() {
    List<String> sentences = Comparison.verdicts(rows);
    if (!sentences.isEmpty()) {
      heading("Verdicts");
      paragraph(
          "Gyre in its default layout beside the fastest rival, with as many threads on both"
              + " sides.");
      list(sentences);
    }
  }

  private void ratios() {
    List<Comparison> all = Comparison.withFastest(rows);
    if (!all.isEmpty()) {
      heading("Ratios");
      paragraph(
          "How many times as fast as the fastest rival Gyre is; the line is at 1, and slower rows"
              + " have another colour. A bar is the spread of the forks of both; a hollow dot is of"
              + " rows that are marked.");
      charts.dots(
          all.stream().sorted(Comparator.comparingDouble(Comparison::speed)).map(Dot::of).toList());
    }
  }

  /** Returns what the image for other pages shows: of each operation, the fewest and most keys. */
  private List<Dot> headlines() {
    Map<String, TreeMap<Long, Comparison>> sizes = new LinkedHashMap<>();
    for (Comparison each : Comparison.withFastest(rows)) {
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
        .map(Dot::of)
        .toList();
  }

  /** An old and a new build. */
  private void oldAndNew() {
    List<Row> all =
        rows.stream()
            .filter(row -> !row.param("ratio").isEmpty())
            .sorted(Comparator.comparingDouble(row -> Double.parseDouble(row.param("ratio"))))
            .toList();
    if (all.isEmpty()) {
      return;
    }
    List<Row> slower = Comparison.slowerThanOld(rows);
    heading("This build beside " + run.fact("old"));
    paragraph(
        slower.isEmpty()
            ? "No row is slower: the 95 %% interval of the speed of each of %d rows reaches %s."
                .formatted(all.size(), Comparison.SLOWER_THAN_OLD)
            : "%d of %d rows are slower: the 95 %% interval of their speed lies wholly below %s."
                .formatted(slower.size(), all.size(), Comparison.SLOWER_THAN_OLD));
    list(slower.stream().map(Comparison::line).toList());
    charts.dots(
        all.stream()
            .map(
                row ->
                    new Dot(
                        "%s, %s, %d threads"
                            .formatted(
                                Situation.of(row).title(), row.implementation(), row.threads()),
                        Double.parseDouble(row.param("ratio")),
                        Double.parseDouble(row.param("low")),
                        Double.parseDouble(row.param("high")),
                        row.isMarked()))
            .toList());
  }

  /** How much of what is possible ours reach. */
  private void limits() {
    Map<String, Double> shares = new LinkedHashMap<>();
    for (Row limit : rows) {
      if (limit.isLimit()) {
        List<Row> of =
            rows.stream()
                .filter(row -> Situation.isComparable(row) && !row.isLimit())
                .filter(row -> Situation.of(row).equals(Situation.of(limit)))
                .toList();
        Comparison.ours(of, limit.threads())
            .ifPresent(
                ours ->
                    shares.merge(
                        "%s, %s, %s: %s"
                            .formatted(
                                ours.implementation(),
                                Situation.of(limit).title(),
                                new Comparison(Situation.of(limit), ours, limit).threads(),
                                limit.implementation()),
                        100 * limit.median() / ours.median(),
                        Math::min));
      }
    }
    if (!shares.isEmpty()) {
      heading("Distance to the limit");
      paragraph(
          "How much Gyre reaches of the speed of less than the whole work: one access to a random"
              + " word for each key, a text whose words are found and not counted, a copy over the"
              + " bus.");
      charts.bars(
          shares,
          Math.max(100, shares.values().stream().mapToDouble(x -> x).max().orElse(100)),
          "%.0f %%");
    }
  }

  private void memory() {
    Map<String, Map<String, Double>> groups = new LinkedHashMap<>();
    for (Row row : rows) {
      if (row.isMemory()) {
        String group =
            "%s of %s, %s"
                .formatted(
                    row.benchmark().replace("memory-", ""),
                    row.param("type") + (row.benchmark().endsWith("words") ? "" : "s"),
                    row.param("capacity").equals("given") ? "capacity given" : "grown from empty");
        Double _ =
            groups
                .computeIfAbsent(group.replace("textss", "texts"), _ -> new LinkedHashMap<>())
                .put(row.implementation(), row.throughput());
      }
    }
    if (!groups.isEmpty()) {
      heading("Memory");
      paragraph("Bytes for each entry at rest, on the heap and outside it: shorter is better.");
      double most =
          groups.values().stream()
              .flatMap(of -> of.values().stream())
              .mapToDouble(x -> x)
              .max()
              .orElse(1);
      groups.forEach(
          (title, of) -> {
            html.append("<h3>").append(Svg.escaped(title)).append("</h3>\n");
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
    List<Dot> notable = new ArrayList<>();
    int both = 0;
    for (Row row : rows) {
      Row old = before.get(row.identity());
      if (old != null && row.median() > 0 && !row.param("state").equals("first")) {
        both++;
        double speed = old.median() / row.median();
        boolean apart = old.min() > row.max() || row.min() > old.max();
        if (apart && Math.max(speed, 1 / speed) > NOTABLE) {
          notable.add(
              new Dot(
                  "%s, %s, %s, %d threads"
                      .formatted(
                          Situation.of(row).title(),
                          row.implementation(),
                          row.target(),
                          row.threads()),
                  speed,
                  old.min() / row.max(),
                  old.max() / row.min(),
                  row.isMarked() || old.isMarked()));
        }
      }
    }
    heading("Against the run of commit " + earlier.fact("commit"));
    paragraph(
        "%d rows are in both runs. %d of them differ by more than a tenth, and their forks do not overlap; right of the line, this run is faster."
            .formatted(both, notable.size()));
    notable.sort(Comparator.comparingDouble(Dot::ratio));
    charts.dots(notable);
  }

  private void table() {
    if (rows.isEmpty()) {
      return;
    }
    heading("All rows");
    paragraph(
        "Times are medians of forks in seconds. Click a heading to sort. Collections and page"
            + " faults are those within the timed region.");
    html.append("<p><button id=\"copy\">Copy as CSV</button></p>\n");
    html.append("<div class=\"wide\" tabindex=\"0\"><table id=\"all\"><thead><tr>");
    for (String column : Row.COLUMNS) {
      html.append(
          "<th%s><button>%s</button></th>"
              .formatted(TEXTS.contains(column) ? "" : " class=\"number\"", column));
    }
    html.append("</tr></thead><tbody>\n");
    for (Row row : rows) {
      html.append("<tr>");
      List<String> fields = row.fields();
      for (int i = 0; i < fields.size(); i++) {
        String column = Row.COLUMNS.get(i);
        String style = TEXTS.contains(column) ? column : "number";
        html.append("<td class=\"%s\">%s</td>".formatted(style, Svg.escaped(fields.get(i))));
      }
      html.append("</tr>\n");
    }
    html.append("</tbody></table></div>\n");
  }

  private void facts() {
    heading("How this was measured");
    paragraph(
        "Each implementation runs in processes of its own, in turns with the others, until leaving"
            + " out any process moves the median by at most 5 %. Heaps are touched beforehand, and"
            + " sized so that collections are part of the time. Results are checked outside the"
            + " timed region.");
    html.append("<dl>\n");
    run.facts()
        .forEach(
            (name, value) -> {
              if (!value.isEmpty()
                  && !Set.of("jobs", "loaded.jobs", "others.most").contains(name)) {
                html.append(
                    "<dt>%s</dt><dd>%s</dd>\n"
                        .formatted(Svg.escaped(name.replace("rival.", "")), Svg.escaped(value)));
              }
            });
    html.append("</dl>\n");
    paragraph("The command that repeats it:");
    html.append("<pre>").append(Svg.escaped(command())).append("</pre>\n");
    if (!run.notes().isEmpty()) {
      heading("Not measured");
      list(run.notes());
    }
  }

  private String command() {
    StringBuilder command = new StringBuilder("scripts/compare");
    if (run.fact("quick").equals("true")) {
      command.append(" --quick");
    }
    for (String option : List.of("targets", "books", "only", "old")) {
      String value = run.fact(option);
      boolean all = option.equals("targets") && value.equals(String.join(",", Plan.TARGETS));
      if (!value.isEmpty() && !all) {
        command.append(String.format(Locale.ROOT, " --%s '%s'", option, value));
      }
    }
    return command.append(" --out FOLDER").toString();
  }
}

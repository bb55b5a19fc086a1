package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.bench.chart.Svg;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  @TempDir private Path folder;

  private RunFile run(String name, List<Row> rows) {
    RunFile run =
        RunFile.begin(
            folder.resolve(name),
            Map.of("processor", "P", "cores", "2", "quick", "true", "commit", "abc", "jobs", "1"));
    run.note("cuda: no CUDA compiler: nvcc is not on the PATH");
    run.finish("all", rows);
    return run;
  }

  private static String report(RunFile run) throws IOException {
    Report.write(run, null);
    return Files.readString(run.folder().resolve(Report.FILE));
  }

  @Test
  void verdictsComeFirst() throws IOException {
    String report = report(run("run", Rows.all()));
    assertThat(report)
        .contains(
            "<li>Insert 1,048,576 unique longs: with 1 thread, 2.00 times as fast as fastutil;"
                + " with 2 threads, 15.0 times as fast as ConcurrentHashMap.</li>")
        .contains(
            "<li>Insert 4,096 unique longs: with 1 thread, 0.50 times the speed of fastutil;");
    assertThat(report.indexOf("Verdicts"))
        .isPositive()
        .isLessThan(report.indexOf("<h2>Ratios"))
        .isLessThan(report.indexOf("<h2>All rows"));
    assertThat(report).contains("<li>cuda: no CUDA compiler", "scripts/compare --quick");
  }

  @Test
  void hasAllCharts() throws IOException {
    String report = report(run("run", Rows.all()));
    for (String heading :
        List.of(
            "Ratios",
            "Over the number of keys",
            "Over threads",
            "Distance to the limit",
            "Memory")) {
      assertThat(report).contains("<h2>" + heading + "</h2>");
    }
    assertThat(report)
        .contains("circle class=\"slower\"", "circle class=\"faster\"", "polyline class=\"ideal\"")
        .contains("75 %", "87.0")
        // Screen readers read what a chart shows.
        .contains("times one thread by threads. ConcurrentHashMap: 1.00 at 1, 2.00 at 2");
  }

  @Test
  void needsNoNetwork() throws IOException {
    String report = report(run("run", Rows.all()));
    assertThat(report).doesNotContain("http://", "https://", "src=", "@import", "url(");
    String image = Files.readString(folder.resolve("run").resolve(Report.HEADLINES));
    assertThat(image.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http", "href");
    assertThat(image).contains("insert 1,048,576 unique longs, 1 thread: fastutil", "2.00");
  }

  @Test
  void aRunThatWasInterruptedSaysSoFirst() throws IOException {
    RunFile run = run("run", Rows.all());
    run.facts().put("jobs", "50");
    assertThat(report(run).lines().dropWhile(line -> !line.equals("<main>")).skip(1).findFirst())
        .hasValueSatisfying(
            line -> assertThat(line).contains("1 of 50 jobs", "scripts/compare --resume --out"));
    assertThat(report(run("whole", Rows.all()))).doesNotContain("of 1 jobs");
  }

  @Test
  void markedRowsMakeNoHeadline() throws IOException {
    List<Row> rows = new ArrayList<>(Rows.all());
    rows.replaceAll(row -> row.implementation().equals("fastutil") ? row.marked("unsteady") : row);
    RunFile run = run("run", rows);
    run.addLoad(1.7, true);
    String report = report(run);
    assertThat(report)
        .contains("Other programs used up to 1.70 of the 2 cores during 1 job.")
        .contains("3 of %d rows did not become steady".formatted(rows.size()))
        .contains("Insert 65,536 unique longs: no verdict with 1 thread, since rows are marked")
        .contains("circle class=\"hollow faster\"");
    assertThat(Files.readString(folder.resolve("run").resolve(Report.HEADLINES)))
        .contains("ConcurrentHashMap")
        .doesNotContain("fastutil");
  }

  @Test
  void saysWhatBecameFasterOrSlower() throws IOException {
    List<Row> later = new ArrayList<>(Rows.all());
    later.set(0, Rows.insert("gyre-reference", 1, 1 << 12, 2 * (1 << 12) * 1e-8));
    Report.write(run("later", later), run("run", Rows.all()));
    assertThat(Files.readString(folder.resolve("later").resolve(Report.FILE)))
        .contains("Against the run of commit abc")
        .contains("1 of them differ by more than a tenth")
        .contains("insert 4,096 unique longs, gyre-reference, 1 thread, jvm: 0.50, from");
  }

  @Test
  void anOldBuildThatWasFasterIsSeen() throws IOException {
    List<Row> rows =
        List.of(
            Rows.insert("gyre-reference", 1, 1 << 12, 1e-3).and("build=old"),
            Rows.insert("gyre-reference", 1, 1 << 12, 1.1e-3)
                .and("build=new ratio=0.9091 low=0.9000 high=0.9200"));
    assertThat(report(run("run", rows)))
        .contains("1 of 1 rows are slower")
        .contains("insert 4,096 unique longs, gyre-reference, 1 thread: 0.9091 (0.9000 to 0.9200)");
    assertThat(Comparison.withFastest(rows)).isEmpty();
  }

  private static double luminance(String colour) {
    double[] parts =
        IntStream.of(1, 3, 5)
            .mapToDouble(at -> Integer.parseInt(colour.substring(at, at + 2), 16) / 255.0)
            .map(c -> c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4))
            .toArray();
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  }

  /** WCAG 2, level AA: 4.5 for text, of which every colour but the grid's may be. */
  @Test
  void coloursHaveContrastInTheLightInTheDarkAndOnPaper() {
    String[] blocks = Svg.style().split(":root \\{", -1);
    // Paper has the colours of the light.
    assertThat(blocks).hasSize(3);
    for (int i = 1; i < blocks.length; i++) {
      Matcher colours =
          Pattern.compile("--(\\w+): (#[0-9a-f]{6});")
              .matcher(blocks[i].substring(0, blocks[i].indexOf('}')));
      Map<String, String> all = new java.util.LinkedHashMap<>();
      while (colours.find()) {
        all.put(colours.group(1), colours.group(2));
      }
      assertThat(all).hasSize(12);
      double paper = luminance(all.getOrDefault("paper", ""));
      all.forEach(
          (name, colour) -> {
            double other = luminance(colour);
            double contrast = (Math.max(paper, other) + 0.05) / (Math.min(paper, other) + 0.05);
            if (!List.of("paper", "grid").contains(name)) {
              assertThat(contrast)
                  .as(String.format(Locale.ROOT, "%s %s", name, colour))
                  .isGreaterThanOrEqualTo(4.5);
            }
          });
    }
  }
}

package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.bench.measure.MeasureMemory;
import dev.gyre.bench.measure.Row;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  @TempDir private Path folder;

  private String report(List<Row> rows) throws IOException {
    RunFile run = RunFile.begin(folder, Map.of("processor", "P", "cores", "2", "quick", "true"));
    run.note("cuda: no CUDA compiler: nvcc is not on the PATH");
    run.finish("all", rows);
    Report.write(run, null);
    return Files.readString(folder.resolve("report.md"));
  }

  private List<String> charts() throws IOException {
    try (var files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".png"))
          .sorted()
          .toList();
    }
  }

  @Test
  void ratiosComeFirst() throws IOException {
    String report = report(Rows.all());
    assertThat(report.indexOf("## How fast Gyre is"))
        .isPositive()
        .isLessThan(report.indexOf("## Charts"))
        .isLessThan(report.indexOf("## All numbers"));
    // With the rival's best number of threads on both sides.
    assertThat(report)
        .contains("| insert 1,048,576 unique longs | ConcurrentHashMap | 2 |")
        .contains("**15.00**")
        .contains("| insert 1,048,576 unique longs | fastutil | 1 |")
        .contains("**2.00**");
    assertThat(report).contains("- cuda: no CUDA compiler").contains("scripts/compare --quick");
  }

  @Test
  void whatFitsInCachesAndWhereGyreIsSlowerIsTold() throws IOException {
    List<Row> rows = new ArrayList<>(Rows.all());
    for (long n : new long[] {1 << 10, 1 << 15, 1 << 20}) {
      rows.add(Rows.insert("gyre-line", 1, n, n * 1e-8));
      rows.add(Rows.insert("HPPC", 1, n, n == 1 << 15 ? n * 0.5e-8 : n * 1e-8));
    }
    String report = report(rows);
    int slower = report.indexOf("## Where Gyre is slower");
    assertThat(report.substring(0, slower))
        .contains("| insert 1,024 unique longs | HPPC | 1 |")
        .doesNotContain("| insert 32,768 unique longs |");
    assertThat(report.substring(slower, report.indexOf("## Charts")))
        .containsOnlyOnce("HPPC")
        .contains("| insert 32,768 unique longs | HPPC | 1 |")
        .contains("**0.50**");
  }

  @Test
  void nothingSlowerIsNoSection() throws IOException {
    assertThat(report(Rows.all())).doesNotContain("Where Gyre is slower");
  }

  @Test
  void drawsBarsSizesAndThreads() throws IOException {
    String report = report(Rows.all());
    assertThat(charts())
        .containsExactly(
            "bars-map-insert-long-1048576.png",
            "size-map-insert-long.png",
            "threads-map-insert-long-1048576.png");
    for (String chart : charts()) {
      assertThat(report).contains("(" + chart + ")");
      BufferedImage image = ImageIO.read(folder.resolve(chart).toFile());
      assertThat(image.getWidth()).isGreaterThan(500);
      assertThat(Files.readString(folder.resolve(chart.replace(".png", ".svg")))).contains("<svg");
    }
  }

  @Test
  void limitsAreNoRivals() throws IOException {
    List<Row> rows = new ArrayList<>(Rows.all());
    rows.add(Rows.insert("limit: raw compare-and-swap (C++)", 2, 1 << 20, 1e-3));
    String report = report(rows);
    int limits = report.indexOf("## How far the limits are");
    assertThat(report.indexOf("## How fast Gyre is")).isPositive().isLessThan(limits);
    assertThat(report.substring(0, limits)).doesNotContain("raw compare-and-swap");
    assertThat(report.substring(limits, report.indexOf("## Charts")))
        .contains("| insert 1,048,576 unique longs | raw compare-and-swap (C++) | 2 | 1.00 |")
        .doesNotContain("fastutil");
    assertThat(Files.readString(folder.resolve("bars-map-insert-long-1048576.svg")))
        .contains("rgb(187,187,187)");
  }

  @Test
  void nothingToCompareIsNoChart() throws IOException {
    String report = report(List.of(Rows.insert("gyre-line", 1, 1000, 1e-3)));
    assertThat(charts()).isEmpty();
    assertThat(report).doesNotContain("## Charts").contains("## All numbers");
  }

  @Test
  void aRunWithoutRowsHasAReport() throws IOException {
    assertThat(report(List.of())).contains("## Not measured").contains("- cuda: no CUDA compiler");
    assertThat(charts()).isEmpty();
  }

  @Test
  void theFigureOfTheBlogNeedsTriesOfBothKinds() throws IOException {
    String text = "text=books repeat=1";
    Row ours = Rows.row("word-count", "gyre-trie", "jvm", 1000, 1, text, 1e-3);
    Row blog = Rows.row("word-count", "blog-trie (C++)", "cpu", 1000, 1, text, 1e-3);
    report(List.of(ours));
    assertThat(charts()).doesNotContain("figure-4.png");
    report(List.of(ours, blog));
    assertThat(charts()).contains("figure-4.png");
  }

  @Test
  void phasesOfCallsOnDevicesAreColumns() throws IOException {
    String call = "type=int keys=unique state=warm time=";
    List<Row> rows =
        List.of("kernel", "transfer", "compile", "end-to-end").stream()
            .map(time -> Rows.row("map-insert", "gyre-packed", "ptx", 1000, 256, call + time, 1e-3))
            .toList();
    assertThat(report(rows))
        .contains("| kernel | transfer | compile | end-to-end |")
        .contains("| warm | 1.00 (0.900 to 1.10) | 1.00 (0.900 to 1.10) |");
  }

  /** Memory is no time: it has a table of its own, and is in no other. */
  @Test
  void memoryIsTold() throws IOException {
    List<Row> rows = new ArrayList<>(Rows.all());
    rows.add(memory("map-memory", "gyre-packed", "type=int load=0.5 room=grown peak=27.1"));
    rows.add(memory("set-memory", "HPPC", "type=long load=0.5 room=given peak=16"));
    rows.add(memory("text-memory", "HashSet", "type=text load=own room=given peak=99"));
    String report = report(rows);
    assertThat(report)
        .contains("| 100 ints | gyre-packed | 0.5 | grown | 15.8 | 27.1 |")
        .contains("| 100 longs, a set | HPPC |")
        .contains("| 100 texts | HashSet |");
    assertThat(report.split("gyre-packed", -1)).hasSize(2);
  }

  private static Row memory(String benchmark, String implementation, String params) {
    Row time = Rows.row(benchmark, implementation, "jvm", 100, 1, "", 0);
    return new Row(
        time.benchmark(),
        time.implementation(),
        time.target(),
        time.device(),
        time.n(),
        1_577,
        1,
        params,
        0,
        0,
        0,
        15.77,
        MeasureMemory.UNIT,
        "abc");
  }
}

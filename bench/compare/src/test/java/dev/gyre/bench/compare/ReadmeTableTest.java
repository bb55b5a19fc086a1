package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gyre.bench.measure.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTableTest {

  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
  private static final String README =
      """
      before
      <!-- performance: written by scripts/readme-table -->
      old
      <!-- end of performance -->
      after
      """;

  @TempDir private Path root;

  /** What scripts/readme-table would write is what is there. */
  @Test
  void theReadmeIsUpToDate() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    assertThat(readme)
        .as("README.md; run scripts/readme-table")
        .isEqualTo(ReadmeTable.replaced(readme, ROOT));
    assertThat(readme.lines().filter(line -> line.matches("\\| .* \\| [0-9]+\\.[0-9]{2} \\|")))
        .as("rows that a reader can take in")
        .hasSizeBetween(1, 12);
  }

  @Test
  void takesRatiosOfEveryMachine() throws IOException {
    Path folder = root.resolve("docs").resolve("results").resolve("some-machine");
    RunFile run = RunFile.begin(folder, Map.of("processor", "P", "cores", "2", "commit", "abc"));
    run.finish("all", Rows.all());
    assertThat(ReadmeTable.replaced(README, root))
        .startsWith("before\n")
        .endsWith("after\n")
        .doesNotContain("old")
        .contains("On P, 2 cores ([all numbers and charts](docs/results/some-machine/report.md)")
        .contains(
            "| insert 1,048,576 unique longs | `gyre-line`, 2 threads | 5.24 | ConcurrentHashMap |"
                + " 78.6 | 15.00 |");
  }

  /** A row of one machine stands once, from its newest run. */
  @Test
  void aNewerRunOfAMachineTakesThePlaceOfAnOlderOne() throws IOException {
    for (String date : List.of("2026-01-02", "2026-01-03", "2026-01-01")) {
      Path folder = root.resolve("docs").resolve("results").resolve(date);
      Map<String, String> facts =
          Map.of("processor", "P", "cores", "2", "commit", "abc", "date", date);
      RunFile run = RunFile.begin(folder, facts);
      run.finish("all", Rows.all());
    }
    assertThat(ReadmeTable.replaced(README, root))
        .containsOnlyOnce("| insert 1,048,576 unique longs | `gyre-line`, 2 threads | 5.24 |")
        .contains("docs/results/2026-01-03/report.md")
        .doesNotContain("2026-01-01")
        .doesNotContain("2026-01-02");
  }

  /** Of the sizes that the table leaves out, too; a newer run takes the place of an older one. */
  @Test
  void tellsWhereGyreIsSlower() throws IOException {
    for (String date : List.of("2026-01-02", "2026-01-03")) {
      Path folder = root.resolve("docs").resolve("results").resolve(date);
      RunFile run =
          RunFile.begin(
              folder, Map.of("processor", "P", "cores", "2", "commit", "abc", "date", date));
      List<Row> rows = new ArrayList<>(Rows.all());
      boolean older = date.endsWith("2");
      rows.add(Rows.insert("HPPC", 1, 1 << 10, older ? 1e-6 : 5.12e-6));
      run.finish("all", rows);
    }
    assertThat(ReadmeTable.replaced(README, root))
        .containsOnlyOnce("Slower than a rival")
        .contains("in 1 of 5 comparisons; ")
        .contains(": insert 1,024 unique longs, 0.50 of HPPC.");
  }

  @Test
  void aReadmeWithoutAPlaceIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReadmeTable.replaced("no place", root))
        .withMessageContaining("performance");
  }
}

package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareTest {

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int compare(String... arguments) {
    return Compare.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }

  @Test
  void refusesTargetsThatThereAreNot() {
    String fresh = folder.resolve("fresh").toString();
    assertThat(compare("--targets", "jvm,metal", "--out", fresh)).isEqualTo(2);
    assertThat(err.toString()).contains("'metal'").contains("jvm, cpu, nvcc, opencl, ptx, cuda");
    assertThat(folder.resolve("fresh")).doesNotExist();
  }

  @Test
  void refusesBooksThatThereAreNot() {
    assertThat(compare("--quick", "--targets", "nvcc", "--books", "nonsense", "--out", "" + folder))
        .isEqualTo(2);
    assertThat(err.toString()).contains("nonsense");
  }

  @Test
  void namesTheJobsWhereAPatternFitsNone() {
    String fresh = folder.resolve("fresh").toString();
    assertThat(compare("--quick", "--targets", "jvm", "--only", "^words-cost", "--out", fresh))
        .isEqualTo(2);
    assertThat(err.toString()).contains("'^words-cost'").contains(", words-count-1,");
  }

  /** One rival prints what Gyre prints, and the other one does not. */
  @Test
  void runsTheOneBillionRowChallengeBesideOtherPrograms() throws IOException {
    Path rows = folder.resolve("rows.txt");
    Path _ = Files.writeString(rows, "B;-0.1\nA b;10.0\nB;0.2\nB;0.0\n");
    Path results = folder.resolve("run");
    String same = "same=test -s {} && echo '{A b=10.0/10.0/10.0, B=-0.1/0.0/0.2}'";
    assertThat(
            compare(
                "--measurements",
                "" + rows,
                "--rival-command",
                same,
                "--rival-command",
                "other=echo '{A b=10.0/10.0/10.1, B=-0.1/0.0/0.2}'",
                "--rival-command",
                "broken=echo no result",
                "--out",
                "" + results))
        .isZero();
    RunFile run = RunFile.open(results);
    assertThat(run.rows())
        .extracting(row -> row.implementation() + " " + row.isMarked("disagrees"))
        .containsExactly("gyre-group false", "same false", "other true");
    assertThat(Files.readString(results.resolve("report.html"))).contains("no result");
  }

  @Test
  void refusesRivalsWithoutMeasurements() throws IOException {
    String fresh = folder.resolve("fresh").toString();
    assertThat(compare("--rival-command", "a=b", "--out", fresh)).isEqualTo(2);
    assertThat(err.toString()).contains("--measurements FILE");
    assertThat(compare("--measurements", fresh + "/no.txt", "--out", fresh)).isEqualTo(2);
    assertThat(err.toString()).contains("gyre measurements");
    Path rows = Files.createFile(folder.resolve("rows.txt"));
    assertThat(compare("--measurements", "" + rows, "--only", "map", "--out", fresh)).isEqualTo(2);
    assertThat(err.toString()).contains("without --quick");
    assertThat(folder.resolve("fresh")).doesNotExist();
  }

  @Test
  void readsTheNamesOfColumnsOnlyOnce() {
    assertThat(GroupPlan.challenge(List.of("station;a;b;c", "station;1;2;3", "A;4;5;6", "rows=2")))
        .isEqualTo("{A=4/5/6, station=1/2/3}");
    assertThat(GroupPlan.challenge(List.of("nothing"))).isNull();
  }

  @Test
  void keepsResultsThatAreThere() {
    RunFile _ = RunFile.begin(folder, Map.of());
    assertThat(compare("--out", folder.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("--resume");
  }

  @Test
  void goesOnWithNothingWhereNothingIs() {
    assertThat(compare("--resume", "--out", folder.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("no results");
  }

  @Test
  void goesOnWithNothingOfAnotherCommit() {
    RunFile _ = RunFile.begin(folder, Map.of("commit", "another"));
    assertThat(compare("--resume", "--out", folder.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("commit 'another'").contains("--out");
  }

  @Test
  void drawsAgainFromTheTable() throws IOException {
    RunFile run = RunFile.begin(folder, Map.of("processor", "P", "cores", "2"));
    run.finish("all", Rows.all());
    assertThat(compare("--redraw", "--out", folder.toString())).isZero();
    assertThat(Files.readString(folder.resolve("report.html"))).contains("ConcurrentHashMap");
    assertThat(out.toString()).contains("report.html");
  }

  @Test
  void anOldBuildMustBeThere() throws IOException {
    String fresh = folder.resolve("fresh").toString();
    assertThat(compare("--quick", "--old", folder.toString(), "--out", fresh)).isEqualTo(1);
    assertThat(err.toString()).contains("no jar of Gyre");
    Path _ = Files.writeString(folder.resolve("gyre-structures-1.jar"), "");
    assertThat(Launching.older(folder))
        .startsWith(folder.resolve("gyre-structures-1.jar").toString())
        .endsWith(System.getProperty("java.class.path"));
  }

  /** A run that goes on does what it began, whatever the command says now. */
  @Test
  void goesOnWithTheOptionsThatItBeganWith() throws IOException {
    String folderName = folder.resolve("out").toString();
    assertThat(compare("--quick", "--targets", "ptx", "--out", folderName)).isZero();
    assertThat(compare("--resume", "--targets", "opencl", "--out", folderName)).isZero();
    assertThat(RunFile.open(folder.resolve("out")).options())
        .containsExactly("--quick", "--targets", "ptx");
    assertThat(Files.readString(folder.resolve("out/report.html")))
        .contains("<li>ptx: no TornadoVM SDK", "<li>opencl: not asked for");
  }

  /** The file of the text has another name in each run. */
  @Test
  void jobsOnDevicesHaveTheSameNamesInEveryRun() {
    assertThat(
            DevicePlan.id(
                Target.PTX, "words", "text=a-b/c.txt", "name=books", "repeat=1", "cold=3"))
        .isEqualTo("ptx-words-books-1");
  }

  /** A machine without any of what was asked for has a report that says so. */
  @Test
  void aMachineWithoutDevicesHasAReport() throws IOException {
    int code =
        compare("--quick", "--targets", "opencl,ptx", "--out", folder.resolve("out").toString());
    assertThat(code).isZero();
    assertThat(Files.readString(folder.resolve("out/report.html")))
        .contains("<li>opencl: no TornadoVM SDK")
        .contains("<li>cpu: not asked for");
  }
}

package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunnerTest {

  @TempDir private Path folder;
  private final StringWriter printed = new StringWriter();
  private int reports;

  /** A case whose forks take some times, the last of which stays. */
  private static final class Fake implements Job.Case {
    private final String name;
    private final List<Double> seconds;
    private int forks;

    Fake(String name, Double... seconds) {
      this.name = name;
      this.seconds = List.of(seconds);
    }

    @Override
    public List<Row> fork() throws IOException {
      double next = seconds.get(Math.min(forks++, seconds.size() - 1));
      if (next < 0) {
        throw new IOException("it broke", new IOException("all that it printed"));
      }
      return List.of(Rows.insert(name, 1, 1000, next));
    }
  }

  private static Job job(String id, double seconds, Job.Case... cases) {
    return new Job(id, "job " + id, List.of(cases), 2, 5, seconds);
  }

  private RunFile run(RunFile file, double seconds, Job... jobs) {
    new Runner(file, new PrintWriter(printed, true), false, seconds, _ -> reports++)
        .run(List.of(jobs));
    return file;
  }

  private RunFile begin() {
    return RunFile.begin(folder.resolve("out"), Map.of("commit", "abc"));
  }

  private static List<String> implementations(RunFile file) {
    return file.rows().stream().map(Row::implementation).toList();
  }

  @Test
  void aCaseIsRepeatedUntilItsMedianIsSteady() {
    Fake steady = new Fake("steady", 1.0);
    Fake late = new Fake("late", 2.0, 1.0);
    Fake never = new Fake("never", 1.0, 2.0, 4.0, 8.0, 16.0);
    RunFile file = run(begin(), Double.POSITIVE_INFINITY, job("one", 1, steady, late, never));
    assertThat(steady.forks).isEqualTo(2);
    assertThat(late.forks).isEqualTo(4);
    assertThat(never.forks).isEqualTo(5);
    assertThat(file.rows().get(0).marks()).doesNotContain("unsteady");
    assertThat(file.rows().get(2).marks()).contains("unsteady", "spread");
  }

  @Test
  void keepsTheRowsOfAllJobs() throws IOException {
    RunFile _ =
        run(
            begin(),
            Double.POSITIVE_INFINITY,
            job("one", 1, new Fake("gyre-reference", 1.0)),
            job("two", 1, new Fake("HPPC", 1.0)));
    RunFile read = RunFile.open(folder.resolve("out"));
    assertThat(implementations(read)).containsExactly("gyre-reference", "HPPC");
    assertThat(read.rows().getFirst().version()).isEqualTo("abc");
    assertThat(read.rows().getLast().version()).matches("[0-9.]+");
    assertThat(Files.readAllLines(folder.resolve("out/results.csv")).getFirst())
        .isEqualTo(String.join(",", Row.COLUMNS));
    assertThat(printed.toString()).contains("1/2").contains("left").contains("job two");
    // Before the first job, too: a run may be interrupted there.
    assertThat(reports).isEqualTo(4);
    assertThat(read.jobsDone()).isEqualTo(read.jobs()).isEqualTo(2);
  }

  /** What had failed is done again, and nothing else. */
  @Test
  void goesOnWhereItStopped() throws IOException {
    Fake first = new Fake("one", 1.0);
    RunFile file =
        run(
            begin(),
            Double.POSITIVE_INFINITY,
            job("one", 1, first),
            job("two", 1, new Fake("two", -1.0)));
    assertThat(file.notes()).containsExactly("job two: it broke");
    assertThat(Files.readString(folder.resolve("out").resolve(Runner.LOG)))
        .contains("job two", "all that it printed");
    RunFile again = RunFile.open(folder.resolve("out"));
    assertThat(again.jobsDone()).isEqualTo(1);
    again.forgetNotes();
    int before = first.forks;
    run(again, Double.POSITIVE_INFINITY, job("one", 1, first), job("two", 1, new Fake("two", 1.0)));
    assertThat(first.forks).isEqualTo(before);
    assertThat(implementations(again)).containsExactly("one", "two");
    assertThat(again.notes()).isEmpty();
  }

  @Test
  void beginsNoJobThatCannotEndInTime() {
    Fake late = new Fake("late", 1.0);
    RunFile file =
        run(begin(), 60, job("short", 1, new Fake("short", 1.0)), job("long", 1e6, late));
    assertThat(late.forks).isZero();
    assertThat(file.notes()).containsExactly("1 jobs were not begun: they could not end in time");
    assertThat(file.jobsDone()).isEqualTo(1);
    assertThat(file.jobs()).isEqualTo(2);
  }

  /** Forks beyond the least ones give way to the jobs behind. */
  @Test
  void repeatsNothingAtTheCostOfLaterJobs() {
    Fake never = new Fake("never", 1.0, 2.0, 4.0, 8.0, 16.0);
    Fake last = new Fake("last", 1.0);
    RunFile _ = run(begin(), 60, job("unsteady", 1e-9, never), job("last", 70, last));
    assertThat(never.forks).isEqualTo(2);
  }

  @Test
  void casesThatTwoJobsMeasureMustAgree() {
    RunFile agreeing =
        run(
            begin(),
            Double.POSITIVE_INFINITY,
            // Within the spread, or within what steady means.
            job("one", 1, new Fake("HPPC", 1.0, 1.09), new Fake("JCTools", 1.0)),
            job("two", 1, new Fake("HPPC", 1.08), new Fake("JCTools", 1.04)));
    assertThat(agreeing.rows()).noneMatch(row -> row.marks().contains("disagrees"));
    RunFile differing =
        run(
            RunFile.begin(folder.resolve("other"), Map.of()),
            Double.POSITIVE_INFINITY,
            job("one", 1, new Fake("HPPC", 1.0)),
            job("two", 1, new Fake("HPPC", 1.5)));
    assertThat(differing.rows()).hasSize(2).allMatch(row -> row.marks().contains("disagrees"));
    assertThat(differing.fact("repeated")).isEqualTo("1 cases measured twice, 1 disagree");
  }

  @Test
  void anOldAndANewBuildHaveAnInterval() {
    List<Job.Case> cases = new ArrayList<>();
    for (String build : List.of("old", "new")) {
      double seconds = build.equals("old") ? 1.0 : 1.25;
      cases.add(
          () -> List.of(Rows.insert("gyre-reference", 1, 1000, seconds).and("build=" + build)));
    }
    RunFile file =
        run(begin(), Double.POSITIVE_INFINITY, job("pair", 1, cases.toArray(Job.Case[]::new)));
    List<Row> slower = Comparison.slowerThanOld(file.rows());
    assertThat(slower).singleElement().extracting(row -> row.param("ratio")).isEqualTo("0.8000");
    assertThat(Comparison.line(slower.getFirst())).contains("insert 1,000", "0.8000");
    assertThat(file.rows().getFirst().version()).isEqualTo("old");
  }

  private static Job.Case program(String script, double limit) {
    return new ProgramCase(List.of("/bin/sh", "-c", script), Path.of("."), limit, row -> row);
  }

  @Test
  void programsAreReadAndEnded() {
    String row = "map-insert,talk (C++),cpu,P,10,80,1,type=int,0.002,0.001,0.003,5000,keys/s";
    long start = System.nanoTime();
    RunFile file =
        run(
            begin(),
            Double.POSITIVE_INFINITY,
            job("prints", 1, program("echo benchmark; echo '" + row + "'", 60)),
            job("hangs", 1, program("sleep 60 & wait", 0.3)),
            job("fails", 1, program("echo 'some Exception: why'; exit 3", 60)),
            job("absent", 1, new ProgramCase(List.of("" + folder), folder, 1, each -> each)));
    assertThat(System.nanoTime() - start).isLessThan(40_000_000_000L);
    assertThat(file.rows()).singleElement().extracting(Row::unit).isEqualTo("keys/s");
    assertThat(file.notes())
        .hasSize(3)
        .contains("job fails: it ended with 3: some Exception: why")
        .anyMatch(note -> note.startsWith("job hangs: it took longer"));
  }
}

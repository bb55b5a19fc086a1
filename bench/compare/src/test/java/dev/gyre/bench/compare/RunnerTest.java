package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.bench.measure.Row;
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

  private static Job job(String id, String script, double limit) {
    return new Job(id, "job " + id, List.of("/bin/sh", "-c", script), 1, limit, row -> row);
  }

  private static Job echo(String id, Path marker) {
    String row = Rows.insert(id, 1, 1000, 1e-3).line();
    return job(id, "echo '" + row + "'; echo ran >> '" + marker + "'", 10);
  }

  private void run(RunFile file, Job... jobs) {
    new Runner(file, folder, new PrintWriter(printed, true), false).run(List.of(jobs));
  }

  private static List<String> implementations(RunFile file) {
    return file.rows().stream().map(Row::implementation).toList();
  }

  @Test
  void keepsTheRowsOfAllJobs() throws IOException {
    Path marker = folder.resolve("marker");
    RunFile file = RunFile.begin(folder.resolve("out"), Map.of("commit", "abc"));
    run(file, echo("one", marker), echo("two", marker));
    assertThat(implementations(RunFile.open(folder.resolve("out")))).containsExactly("one", "two");
    assertThat(Files.readAllLines(folder.resolve("out/results.csv")).getFirst())
        .isEqualTo(
            "benchmark,implementation,target,device,n,bytes,threads,params,seconds_median,"
                + "seconds_min,seconds_max,throughput,unit,commit");
    assertThat(printed.toString()).contains("1/2").contains("left").contains("job two");
  }

  /** Without a failure nothing would be left to do; with one, that job and no other. */
  @Test
  void goesOnWhereItStopped() throws IOException {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    Path out = folder.resolve("out");
    run(RunFile.begin(out, Map.of()), echo("one", first), job("two", "exit 3", 10));
    RunFile again = RunFile.open(out);
    assertThat(again.isDone("one")).isTrue();
    assertThat(again.isDone("two")).isFalse();
    assertThat(again.notes()).singleElement().asString().contains("job two").contains("3");
    List<Job> left = new ArrayList<>(List.of(echo("one", first), echo("two", second)));
    left.removeIf(job -> again.isDone(job.id()));
    again.forgetNotes();
    run(again, left.toArray(Job[]::new));
    assertThat(implementations(RunFile.open(out))).containsExactly("one", "two");
    assertThat(Files.readAllLines(first)).hasSize(1);
    assertThat(Files.readString(out.resolve("run.properties")))
        .contains("complete=true")
        .doesNotContain("done.");
  }

  @Test
  void aJobThatHangsIsEnded() {
    RunFile file = RunFile.begin(folder.resolve("out"), Map.of());
    long start = System.nanoTime();
    run(file, job("hangs", "sleep 60 & wait", 0.3), echo("next", folder.resolve("marker")));
    assertThat(System.nanoTime() - start).isLessThan(30_000_000_000L);
    assertThat(implementations(file)).containsExactly("next");
    assertThat(file.notes()).singleElement().asString().contains("took longer");
  }

  @Test
  void whatIsNotThereIsALine() {
    RunFile file = RunFile.begin(folder.resolve("out"), Map.of());
    Job absent =
        new Job("absent", "absent", List.of(folder.resolve("none").toString()), 1, 1, row -> row);
    run(file, absent);
    assertThat(file.notes()).singleElement().asString().startsWith("absent: ");
  }
}

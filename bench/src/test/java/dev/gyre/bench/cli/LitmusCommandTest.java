package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.Target;
import dev.gyre.progress.DeviceDescription;
import dev.gyre.progress.litmus.LitmusResult;
import dev.gyre.progress.litmus.LitmusTest;
import dev.gyre.progress.probe.ProgressResult;
import dev.gyre.progress.probe.ProgressResult.Outcome;
import dev.gyre.progress.probe.ProgressTest;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LitmusCommandTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return Gyre.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  @Tag("slow")
  @Test
  void printsATableAndWritesFiles() throws IOException {
    Path csv = folder.resolve("litmus.csv");
    Path json = folder.resolve("litmus.json");
    int code =
        run(
            "litmus",
            "--no-progress",
            "--seconds=0.2",
            "--only=seq_cst",
            "--csv=" + csv,
            "--json=" + json);
    assertThat(code).as(err.toString()).isEqualTo(Gyre.OK);
    assertThat(out.toString())
        .contains("| store buffering | seq_cst | device | forbidden |")
        .containsPattern("tests=44 runs=\\d+ failed=0 unseen=0 refused=0 target=jvm seconds=");
    assertThat(Files.readAllLines(csv)).hasSize(45);
    assertThat(Files.readString(json))
        .contains("\"target\": \"jvm\"", "\"test\": \"independent reads\"");
  }

  @Test
  void rowsAreThereBeforeTheTestsAfterThem() {
    List<String> written = new ArrayList<>();
    Writer noting =
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) {
            out.write(text, from, length);
          }

          @Override
          public void flush() {
            written.add(out.toString());
          }

          @Override
          public void close() {}
        };
    // As main has it: buffered, and not flushed by itself.
    PrintWriter buffered = new PrintWriter(new BufferedWriter(noting, 1 << 20));
    String[] args = {"litmus", "--no-progress", "--seconds=0.1", "--only=test and set"};
    assertThat(Gyre.run(buffered, new PrintWriter(err, true), args)).isEqualTo(Gyre.OK);
    List<Long> rows = written.stream().map(w -> w.lines().filter(this::isRow).count()).toList();
    assertThat(rows).startsWith(0L, 1L, 2L, 3L, 4L, 5L, 6L);
  }

  private boolean isRow(String line) {
    return line.startsWith("| test and set |");
  }

  @Test
  void quietIsOneLineWhereNothingFails() {
    int code = run("litmus", "--quiet", "--no-progress", "--seconds=0.1", "--only=seq_cst");
    assertThat(code).as(err.toString()).isEqualTo(Gyre.OK);
    assertThat(out.toString().lines()).hasSize(1);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void eachTestThatFailsIsNamedAndNoOther() {
    List<LitmusTest> tests = LitmusTest.all();
    LitmusTest forbidden = first(tests, LitmusTest.Expectation.FORBIDDEN);
    LitmusTest control = first(tests, LitmusTest.Expectation.MUST_SHOW);
    LitmusTest weakened = first(tests, LitmusTest.Expectation.MAY_SHOW);
    List<LitmusResult> results =
        List.of(
            new LitmusResult(forbidden, Map.of("1,1", 999L, "1,0", 1L), 1, Optional.empty()),
            new LitmusResult(control, Map.of(), 1, Optional.empty()),
            new LitmusResult(weakened, Map.of(), 1, Optional.empty()));
    List<ProgressResult> progress =
        List.of(
            new ProgressResult(ProgressTest.LOCK_IN_BLOCK, Outcome.ENDED, 64, 0, 1, ""),
            new ProgressResult(ProgressTest.LOCK_ACROSS_BLOCKS, Outcome.BROKEN, 64, 0, 1, ""),
            new ProgressResult(
                ProgressTest.MEET_BLOCKS_THAT_FIT, Outcome.FAILED, 64, 0, 1, "no memory"));
    int code =
        new LitmusReport(DeviceDescription.of(Target.JVM), results, progress, 6)
            .print(new PrintWriter(out, true), new PrintWriter(err, true));
    assertThat(code).isEqualTo(Gyre.FAILED);
    assertThat(out.toString().lines()).hasSize(1);
    assertThat(out.toString()).contains("tests=6 runs=1000 failed=4 unseen=1 refused=0 target=jvm");
    String named = "gyre litmus: failed: ";
    assertThat(err.toString().lines())
        .containsExactly(
            named + forbidden.label() + ": FORBIDDEN OUTCOME SEEN (1 weak of 1,000 runs)",
            named + control.label() + ": CONTROL SHOWED NOTHING (0 weak of 0 runs)",
            named + ProgressTest.LOCK_ACROSS_BLOCKS.label() + ": LOCK BROKEN",
            named + ProgressTest.MEET_BLOCKS_THAT_FIT.label() + ": FAILED: no memory");
  }

  private static LitmusTest first(List<LitmusTest> tests, LitmusTest.Expectation expectation) {
    return tests.stream().filter(t -> t.expectation() == expectation).findFirst().orElseThrow();
  }

  @Test
  void badUsageIsRefusedInOneLine() {
    assertThat(run("litmus", "--seconds=0")).isEqualTo(Gyre.BAD_USAGE);
    assertThat(run("litmus", "--only=nothing")).isEqualTo(Gyre.BAD_USAGE);
    assertThat(run("litmus", "--target=vulkan")).isEqualTo(Gyre.BAD_USAGE);
    assertThat(err.toString().lines()).hasSize(3).allMatch(l -> l.startsWith("gyre litmus: --"));
  }

  @Test
  void aTargetThatIsNotThereIsAnError() {
    assertThat(run("litmus", "--target=ptx")).isEqualTo(Gyre.BAD_USAGE);
    assertThat(err.toString()).contains("target ptx cannot be used");
  }

  @Test
  void devicesSayWhatTheyGuaranteeAndStructuresWhatTheyNeed() {
    assertThat(run("devices")).as(err.toString()).isEqualTo(Gyre.OK);
    assertThat(out.toString())
        .containsPattern("jvm .*concurrent +concurrent\\R +driver .*; declared: ")
        .containsPattern("\\Rparallel\\R +[\\s\\S]*\\bLongLongMap\\b")
        .doesNotContain("deadlock-free");
    assertThat(out.toString().lines()).allMatch(l -> l.length() <= DevicesCommand.COLUMNS);
  }

  @Test
  void devicesListEachOperationIfAsked() {
    assertThat(run("devices", "--operations")).as(err.toString()).isEqualTo(Gyre.OK);
    assertThat(out.toString())
        .containsPattern("LongLongMap.insert +deadlock-free +deadlock-free +parallel")
        .containsPattern("WordTrie.add +deadlock-free +deadlock-free +parallel")
        .containsPattern("TextLongMap.insert +deadlock-free")
        .containsPattern("TextLongMap.get +lock-free +deadlock-free +parallel")
        .containsPattern("Latch.await +starvation-free")
        .containsPattern("Barrier.arrive +wait-free")
        .containsPattern("FairSemaphore.acquire +starvation-free");
    assertThat(out.toString().lines()).allMatch(l -> l.length() <= DevicesCommand.COLUMNS);
  }

  @Test
  void devicesAsJson() {
    assertThat(run("devices", "--json", "--target=jvm", "--target=ptx")).isEqualTo(Gyre.OK);
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst())
        .startsWith("{\"target\": \"jvm\", \"index\": 0, \"device\": \"Java ")
        .contains(", \"withinBlocks\": \"concurrent\", ")
        .endsWith("\"}");
    assertThat(lines.getLast()).startsWith("{\"target\": \"ptx\", \"problem\": \"");
  }

  @Test
  @Timeout(60)
  void aFileThatCannotBeWrittenIsRefusedBeforeTheRun() {
    for (String option : List.of("--csv=", "--json=")) {
      assertThat(run("litmus", "--seconds=86400", option + folder.resolve("none/file")))
          .isEqualTo(Gyre.BAD_USAGE);
    }
    assertThat(err.toString()).contains("its folder does not exist");
  }

  @Test
  void outputThatIsLostIsNoSuccess() {
    Writer full =
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("No space left on device");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    PrintWriter errors = new PrintWriter(err, true);
    CommandLine gyre = new CommandLine(new Gyre());
    assertThat(Gyre.runToEnd(gyre, new PrintWriter(full), errors, "devices"))
        .isEqualTo(Gyre.FAILED);
    assertThat(err.toString()).contains("standard output cannot be written");
    assertThat(Gyre.runToEnd(gyre, new PrintWriter(out), errors, "devices")).isEqualTo(Gyre.OK);
    assertThat(out.toString()).contains("jvm");
  }
}

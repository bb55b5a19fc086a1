package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LitmusCommandTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return Gyre.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

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
        .containsPattern("tests=18 runs=\\d+ failed=0 unseen=0 refused=0 target=jvm seconds=");
    assertThat(Files.readAllLines(csv)).hasSize(19);
    assertThat(Files.readString(json))
        .contains("\"target\": \"jvm\"", "\"test\": \"independent reads\"");
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
    assertThat(run("litmus", "--target=ptx")).isEqualTo(Gyre.FAILED);
    assertThat(err.toString()).contains("target ptx cannot be used");
  }

  @Test
  void devicesSayWhatTheyGuaranteeAndStructuresWhatTheyNeed() {
    assertThat(run("devices")).as(err.toString()).isEqualTo(Gyre.OK);
    assertThat(out.toString())
        .containsPattern("jvm .*concurrent .*concurrent .*declared")
        .containsPattern("LongLongMap +insert +deadlock-free +parallel")
        .containsPattern("WordTrie +add +deadlock-free +parallel")
        .containsPattern("TextLongMap +insert +deadlock-free")
        .containsPattern("Latch +await +starvation-free")
        .containsPattern("Barrier +arrive +wait-free")
        .containsPattern("FairSemaphore +acquire +starvation-free");
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
    assertThat(Gyre.runToEnd(new PrintWriter(full), errors, "devices")).isEqualTo(Gyre.FAILED);
    assertThat(err.toString()).contains("standard output cannot be written");
    assertThat(Gyre.runToEnd(new PrintWriter(out), errors, "devices")).isEqualTo(Gyre.OK);
    assertThat(out.toString()).contains("jvm");
  }
}

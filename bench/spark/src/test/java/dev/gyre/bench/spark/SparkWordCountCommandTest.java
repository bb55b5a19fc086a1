package dev.gyre.bench.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.bench.cli.Gyre;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on Spark says what {@code gyre wordcount} says. */
class SparkWordCountCommandTest {

  private record Outcome(int code, String out, String err) {
    /** The last line without what differs: where, and how long. */
    String numbers() {
      return out.lines().toList().getLast().replaceAll(" target=.*", "");
    }
  }

  @TempDir private Path folder;

  private static Outcome run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Gyre.run(
            SparkGyre.commands(), new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new Outcome(code, out.toString(), err.toString());
  }

  private Path text(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  @Test
  void csvTableAndLastLineAreThoseOfWordcount() throws IOException {
    text("books/a[1]{b}*.txt", "The whale, the \u00c9t\u00e9\rof  whales\r\n");
    text("books/deep/b c.txt", "whale");
    String books = folder.resolve("books").toString();
    for (String alphabet : List.of("ascii", "unicode")) {
      Path csv = folder.resolve("csv");
      Path plain = folder.resolve("plain");
      Outcome spark =
          run(
              "spark-wordcount",
              "--master",
              "local[2]",
              "--alphabet",
              alphabet,
              "--memory",
              "256m",
              "--csv",
              csv.toString(),
              books);
      assertThat(spark.err()).isEmpty();
      Outcome same =
          run("wordcount", "--target", "jvm", "--alphabet", alphabet, "--csv", plain + "", books);
      assertThat(spark.code()).isZero();
      assertThat(spark.out()).contains(" target=spark seconds=");
      assertThat(spark.numbers()).isEqualTo(same.numbers());
      assertThat(spark.out().lines().limit(4).toList())
          .isEqualTo(same.out().lines().limit(4).toList());
      assertThat(csv).hasSameBinaryContentAs(plain);
    }
  }

  @Test
  void badUsageAndBadInputAreSaidInOneLine() throws IOException {
    String file = text("a.txt", "a").toString();
    assertBad("nonexistent.txt: no such file or folder", "nonexistent.txt");
    assertBad("no such file or folder", "file:///nonexistent.txt");
    assertBad("--master: Spark knows none such as 'nowhere'", "--master", "nowhere", file);
    assertBad("--memory: 'much' is no size", "--memory", "much", file);
    assertBad("--alphabet: no such alphabet", "--alphabet", "runes", file);
    assertBad("Missing required parameter");
  }

  private static void assertBad(String message, String... args) {
    String[] all = new String[args.length + 3];
    all[0] = "spark-wordcount";
    all[1] = "--quiet";
    all[2] = "--top=1";
    System.arraycopy(args, 0, all, 3, args.length);
    Outcome outcome = run(all);
    assertThat(outcome.err().lines()).singleElement().asString().contains(message);
    assertThat(outcome.code()).isEqualTo(Gyre.BAD_USAGE);
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void aTaskWithoutMemoryIsSaidInOneLine() throws IOException {
    String file = text("a.txt", "whale".repeat(100_000)).toString();
    Outcome outcome = run("spark-wordcount", "--master", "local[2]", "--memory", "64m", file);
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .contains("gyre spark-wordcount: ", "spark.memory.offHeap.size");
    assertThat(outcome.code()).isEqualTo(Gyre.FAILED);
  }
}

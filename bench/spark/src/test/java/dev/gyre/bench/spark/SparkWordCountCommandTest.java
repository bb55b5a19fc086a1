package dev.gyre.bench.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.bench.cli.Gyre;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
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
        Gyre.run(SparkGyre.program(), new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new Outcome(code, out.toString(), err.toString());
  }

  private Path text(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /** {@code scripts/gyre} prints it where Spark has not been downloaded. */
  @Test
  void helpNeedsNoSpark() throws IOException {
    assertThat(run("spark-wordcount", "--help").out())
        .isEqualTo(Files.readString(Path.of("usage.txt")));
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

  private Path gzip(String name, String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, packed.toByteArray());
  }

  private static Outcome count(String... names) {
    String[] all = new String[names.length + 3];
    all[0] = "spark-wordcount";
    all[1] = "--master=local[2]";
    all[2] = "--memory=256m";
    System.arraycopy(names, 0, all, 3, names.length);
    return run(all);
  }

  @Test
  void gzipIsReadWhateverItsName() throws IOException {
    gzip("packed/a.gz", "The whale, the sea\r\nof whales");
    Path members = gzip("packed/b,{c}", "whale\n");
    Path plain = text("packed/c.txt", "the end\n");
    try (OutputStream more = Files.newOutputStream(members, StandardOpenOption.APPEND)) {
      more.write(Files.readAllBytes(folder.resolve("packed/a.gz")));
    }
    String packed = folder.resolve("packed").toString();
    Outcome spark = count(packed);
    assertThat(spark.code()).as(spark.err()).isZero();
    assertThat(spark.numbers()).isEqualTo(run("wordcount", "--target", "jvm", packed).numbers());
    Outcome byScheme = count("file://" + packed + "/a.gz", "file://" + plain);
    assertThat(byScheme.numbers()).startsWith("words=8 ").endsWith(" bytes=37");
  }

  @Test
  void whatIsTruncatedOrAnArchiveIsNamed() throws IOException {
    Path packed = gzip("a.gz", "The whale and the sea");
    byte[] bytes = Files.readAllBytes(packed);
    Files.write(packed, Arrays.copyOf(bytes, bytes.length - 9));
    assertBadInput(count(packed.toString()), packed + ": truncated gzip");
    bytes[bytes.length - 5] ^= 1;
    Files.write(packed, bytes);
    assertBadInput(count(packed.toString()), packed + ": corrupted gzip");
    assertBadInput(count(text("b.gz", "plain").toString()), "b.gz: not gzip");
    Path archive = text("c.zip", "PK\003\004");
    assertBadInput(count(archive.toString()), archive + ": a zip archive");
    assertBadInput(count("file://" + archive), archive + ": a zip archive");
    Path wide = Files.write(folder.resolve("d"), "a".getBytes(StandardCharsets.UTF_16));
    assertBadInput(count(wide.toString()), wide + ": UTF-16");
  }

  private static void assertBadInput(Outcome outcome, String message) {
    assertThat(outcome.err().lines()).singleElement().asString().contains(message);
    assertThat(outcome.code()).isEqualTo(Gyre.BAD_USAGE);
    assertThat(outcome.out()).isEmpty();
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

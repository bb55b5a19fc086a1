package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class WordCountCommandTest {

  @TempDir private Path folder;

  /** What a command printed, and its exit code. */
  private record Outcome(int code, List<String> out, List<String> err) {
    String lastLine() {
      return out.getLast();
    }
  }

  private static Outcome run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Gyre.run(new PrintWriter(out), new PrintWriter(err), arguments);
    return new Outcome(code, out.toString().lines().toList(), err.toString().lines().toList());
  }

  private Path file(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertBadInput(Outcome outcome, String... parts) {
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).hasSize(1);
    assertThat(outcome.err().getFirst()).contains(parts);
  }

  @Test
  void printsTheTopWordsAndTheLastLine() {
    Path text = file("text", "To be, or not to be: that is the question.");
    Outcome outcome = run("wordcount", text.toString(), "--top", "2");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .startsWith(
            "rank  word  count     share",
            "   1  be        2  20.000 %",
            "   2  to        2  20.000 %");
    assertThat(outcome.lastLine())
        .matches("words=10 distinct=8 nodes=\\d+ bytes=42 target=jvm seconds=\\d+\\.\\d{3}");
  }

  @Test
  void withoutFilesCountsTheSample() {
    Outcome outcome = run("wordcount");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).hasSize(1 + 10 + 1);
    assertThat(outcome.lastLine()).startsWith("words=").contains("bytes=1048576");
    assertThat(stable(run("wordcount").lastLine())).isEqualTo(stable(outcome.lastLine()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2", "7", "1000"})
  void anyNumberOfThreadsGivesTheSame(String threads) {
    assertThat(stable(run("wordcount", "--quiet", "--threads", threads).lastLine()))
        .isEqualTo(stable(run("wordcount", "--quiet").lastLine()));
  }

  @Test
  void quietPrintsTheLastLineOnly() {
    assertThat(run("wordcount", "--quiet").out()).hasSize(1);
    assertThat(run("wordcount", "--top", "0").out()).hasSize(1);
  }

  @Test
  void csvHasEveryWordInByteOrder() throws IOException {
    Path text = file("text", "b a B ab a-b");
    Path csv = folder.resolve("out.csv");
    assertThat(run("wordcount", text.toString(), "--csv", csv.toString()).code()).isZero();
    assertThat(Files.readString(csv)).isEqualTo("word,count\na,2\nab,1\nb,3\n");
    // No half-written file is left beside it.
    try (var files = Files.list(folder)) {
      assertThat(files.map(f -> f.getFileName().toString())).containsOnly("text", "out.csv");
    }
  }

  @Test
  void aFolderStandsForItsFiles() {
    file("b", "two");
    file("a", "one");
    assertThat(run("wordcount", "--quiet", folder.toString()).lastLine())
        .startsWith("words=2 distinct=2");
  }

  @Test
  void aNameThatBeginsWithAnAtSignIsThatOfAText() {
    Path options = file("options", "--quiet");
    assertBadInput(run("wordcount", "--", "@" + options), "@" + options, "no such file or folder");
  }

  @Test
  void oddInputIsInput() throws IOException {
    Path binary = folder.resolve("binary");
    byte[] bytes = new byte[512];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    Files.write(binary, bytes);
    assertThat(run("wordcount", "--quiet", binary.toString()).lastLine())
        .startsWith("words=4 distinct=1 nodes=27 bytes=512");
    assertThat(run("wordcount", "--quiet", file("empty", "").toString()).lastLine())
        .startsWith("words=0 distinct=0 nodes=1 bytes=0");
    assertThat(run("wordcount", "--quiet", file("unfinished", "no newline").toString()).lastLine())
        .startsWith("words=2 distinct=2");
  }

  @Tag("slow")
  @Test
  void aSparseFileLongerThanAnIntIsInput() throws IOException {
    Path sparse = folder.resolve("sparse");
    try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
      file.setLength(3L << 30);
      file.seek((3L << 30) - 4);
      file.write("last".getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(run("wordcount", "--quiet", sparse.toString()).lastLine())
        .startsWith("words=1 distinct=1 nodes=5 bytes=" + (3L << 30));
  }

  @Test
  void badFilesAreOneClearLine() throws IOException {
    assertBadInput(run("wordcount", folder.resolve("none").toString()), "none", "no such file");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertBadInput(run("wordcount", empty.toString()), "empty", "without files");
    Path text = file("text", "words");
    assertBadInput(
        run("wordcount", text.toString(), "--csv", folder.resolve("x/y.csv").toString()),
        "y.csv",
        "folder does not exist");
    assertBadInput(run("wordcount", text.toString(), "--csv", folder.toString()), "is a folder");
  }

  @Test
  void anUnreadableFileIsOneClearLine() {
    Path secret = file("secret", "words");
    assumeTrue(secret.toFile().setReadable(false), "skipped: permissions cannot be changed");
    assumeTrue(!Files.isReadable(secret), "skipped: this user may read everything");
    assertBadInput(run("wordcount", secret.toString()), "secret", "permission denied");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1048577", "99999999999", "many"})
  void badThreadCountsAreOneClearLine(String threads) {
    assertBadInput(run("wordcount", "--threads", threads), "--threads");
  }

  @Test
  void badOptionsAreOneClearLine() {
    assertBadInput(run("wordcount", "--target", "metal"), "'metal'", "jvm, opencl, ptx, cuda");
    assertBadInput(run("wordcount", "--top", "-1"), "--top");
    assertBadInput(run("wordcount", "--unknown"), "--unknown");
    assertBadInput(run("unknown"), "unknown");
  }

  @Test
  void verboseSaysWhichTargetWasChosenAndWhy() {
    assertThat(run("wordcount", "--verbose", "--quiet").err())
        .singleElement()
        .asString()
        .matches("target [a-z]+, chosen since .+");
    assertThat(run("wordcount", "--quiet").err()).isEmpty();
  }

  @Test
  void aTargetThatCannotBeUsedIsAnError() {
    for (String target : List.of("opencl", "ptx", "cuda")) {
      assertBadInput(run("wordcount", "--target", target), target);
      assertBadInput(run("litmus", "--target", target), target);
    }
  }

  @Test
  void anOutputIsWrittenWhereItsNameLeads() throws IOException {
    Path text = file("text", "a b");
    Path csv = Files.writeString(folder.resolve("out.csv"), "before");
    Files.setPosixFilePermissions(csv, PosixFilePermissions.fromString("rw-------"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), csv);
    assertThat(run("wordcount", text.toString(), "--csv", link.toString()).code()).isZero();
    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(csv)).isEqualTo("word,count\na,1\nb,1\n");
    assertThat(Files.getPosixFilePermissions(csv))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void twoOutputsToOneFileAreRefused() throws IOException {
    String text = file("text", "a b").toString();
    String file = folder.resolve("x.svg").toString();
    assertBadInput(run("wordcount", text, "--csv", file, "--plot", file), "--csv", "--plot");
    String link = Files.createSymbolicLink(folder.resolve("l.svg"), Path.of("x.svg")).toString();
    assertBadInput(run("wordcount", text, "--csv", file, "--plot", link), "--csv", "--plot");
    assertBadInput(run("litmus", "--csv", file, "--json", link), "--csv", "--json");
    assertThat(folder.resolve("x.svg")).doesNotExist();
  }

  @Test
  void whatIsCountedIsNotWrittenOver() throws IOException {
    Path books = Files.createDirectory(folder.resolve("books"));
    Path text = Files.writeString(books.resolve("a.svg"), "a b");
    String link = Files.createSymbolicLink(folder.resolve("link"), text).toString();
    String file = text.toString();
    for (String output : List.of(file, link, books.resolve("../books/a.svg").toString())) {
      assertBadInput(run("wordcount", file, "--csv", output), "--csv", "a.svg");
      assertBadInput(run("wordcount", books.toString(), "--csv", output), "--csv", "a.svg");
    }
    assertBadInput(run("wordcount", link, "--plot", file), "--plot", "link");
    assertBadInput(run("wordcount", "--stopwords", file, "--csv", link), "--csv", "a.svg");
    assertThat(Files.readString(text)).isEqualTo("a b");
  }

  private static String stable(String lastLine) {
    return lastLine.replaceFirst(" seconds=.*", "");
  }
}

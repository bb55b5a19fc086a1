package dev.gyre.bench.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class MapCommandTest {

  @TempDir private Path folder;

  /** What a command printed, and its exit code. */
  private record Outcome(int code, List<String> out, List<String> err) {}

  private Outcome run(Path load, Path keys, String... more) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> arguments =
        new java.util.ArrayList<>(
            List.of("map", load.toString(), "--lookup", keys.toString(), "--out"));
    arguments.add(folder.resolve("found.csv").toString());
    arguments.addAll(List.of(more));
    int code =
        Gyre.run(new PrintWriter(out), new PrintWriter(err), arguments.toArray(String[]::new));
    return new Outcome(code, out.toString().lines().toList(), err.toString().lines().toList());
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private List<String> found() throws IOException {
    return Files.readAllLines(folder.resolve("found.csv"));
  }

  private void assertBad(Outcome outcome, String... parts) throws IOException {
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).hasSize(1);
    assertThat(outcome.err().getFirst()).contains(parts);
    // Nothing half-written, and nothing left over.
    try (var files = Files.list(folder)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .allMatch(name -> name.equals("load.csv") || name.equals("keys.csv"));
    }
  }

  @Test
  void looksUpInTheOrderAsked() throws IOException {
    Outcome outcome =
        run(
            file("load.csv", "key,value\n7,70\n-3,30\n7,71\n9223372036854775807,0\n"),
            file("keys.csv", "key\n-3\n8\n7\n7\n9223372036854775807\n"));
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
    assertThat(found())
        .containsExactly("key,value", "-3,30", "8,", "7,70", "7,70", "9223372036854775807,0");
    assertThat(outcome.out().getLast())
        .matches("rows=4 distinct=3 asked=5 found=4 target=jvm seconds=\\d+\\.\\d{3}");
  }

  @Test
  void readsWhatSpreadsheetsWrite() throws IOException {
    Outcome outcome =
        run(
            file(
                "load.csv",
                "\ufeff\"value\",note,\"key\"\r\n\r\n1,\"a, \"\"quoted\"\"\r\nnote\",\"x, y\"\r\n"
                    + "\r\n2,,\"line\r\nend\"\r\n3,,\"\"\r\n4,,\"x, y\""),
            file("keys.csv", "\ufeffkey\r\n\"line\r\nend\"\r\n\r\n\"x, y\"\r\n\"\"\r\nz\r\n"),
            "--keys",
            "text");
    assertThat(outcome.err()).isEmpty();
    assertThat(Files.readString(folder.resolve("found.csv")))
        .isEqualTo("key,value\n\"line\r\nend\",2\n\"x, y\",1\n\"\",3\nz,\n");
  }

  @Test
  void columnsThatAreNotUsedMayHaveAnyNames() throws IOException {
    Outcome outcome =
        run(
            file("load.csv", "note,key,,note,value,\n1,7,2,3,70,4\n"),
            file("keys.csv", "value,key,value\n,7,\n"));
    assertThat(outcome.err()).isEmpty();
    assertThat(found()).containsExactly("key,value", "7,70");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {";|;", "tab|\t", "`\\t`|`\t`", "` `|` `"})
  void fieldsMayBeSeparatedByOtherCharacters(String option, String separator) throws IOException {
    String between = separator == null || option.equals("tab") ? "\t" : separator;
    Outcome outcome =
        run(
            file("load.csv", "key*value*note\n1,5*10*x\n\"a*b\"*20*\n".replace("*", between)),
            file("keys.csv", "note*key\n*1,5\n*\"a*b\"\n".replace("*", between)),
            "--keys",
            "text",
            "--separator",
            option);
    assertThat(outcome.err()).isEmpty();
    assertThat(found())
        .containsExactly(
            "key*value".replace("*", between),
            "1,5*10".replace("*", between),
            "\"a*b\"*20".replace("*", between));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ab", "ä", "\"", "\n", "\r"})
  void separatorsThatSeparateNothing(String separator) throws IOException {
    Path load = file("load.csv", "key,value\n");
    assertBad(run(load, load, "--separator", separator), "--separator");
  }

  @Test
  void standardInputIsReadOnce() throws IOException {
    assertBad(run(Path.of("-"), Path.of("-")), "can be read once");
  }

  @Test
  void textThatIsNoneIsFoundInWhatCannotBeReadTwice() throws Exception {
    Path pipe = folder.resolve("load.csv");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
    byte[] text = "key,value\n1,2\n3,?\n".getBytes(StandardCharsets.US_ASCII);
    text[16] = (byte) 0xff;
    Thread writer =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    Files.write(pipe, text);
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
    assertBad(run(pipe, file("keys.csv", "key\n")), "load.csv", "line 3", "not a number");
    writer.join();
  }

  @Test
  void joinsTwoFilesAsAMapOfTheLibraryDoes() throws IOException {
    SplittableRandom random = new SplittableRandom(4);
    Map<String, String> expected = new HashMap<>();
    StringBuilder load = new StringBuilder("key,value\n");
    for (int i = 0; i < 200_000; i++) {
      String key = Long.toString(random.nextInt(150_000) * 1_000_003L);
      expected.putIfAbsent(key, String.valueOf(i));
      load.append(key).append(',').append(i).append('\n');
    }
    StringBuilder keys = new StringBuilder("customer,key\n");
    StringBuilder joined = new StringBuilder("key,value\n");
    for (int i = 0; i < 100_000; i++) {
      String key = Long.toString(random.nextInt(200_000) * 1_000_003L);
      keys.append("c").append(i).append(',').append(key).append('\n');
      joined.append(key).append(',').append(expected.getOrDefault(key, "")).append('\n');
    }
    Path loadFile = file("load.csv", load.toString());
    Path keyFile = file("keys.csv", keys.toString());
    for (String type : List.of("long", "text")) {
      Outcome outcome = run(loadFile, keyFile, "--keys", type);
      assertThat(outcome.code()).isZero();
      assertThat(outcome.out().getLast())
          .startsWith("rows=200000 distinct=" + expected.size() + " asked=100000 found=");
      assertThat(Files.readString(folder.resolve("found.csv"))).isEqualTo(joined.toString());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "key,value\\n1,2\\n\\n3,x\\n | line 4 | not a number",
        "key,value\\n1,2\\n3\\n | line 3 | too few",
        "key,value\\n1,2\\n3,1,234\\n | line 3 | more fields than the 2 columns",
        "key,value\\n"
            + "1,2\\n"
            + "3.5,1\\n"
            + " | line 3, column 1: | : not an integer from -2^63 to 2^63 - 1: \"3.5\"",
        "key,value\\n1,99999999999999999999\\n | line 2 | : not an integer",
        "key,val\\n1,2\\n | | no column \"value\"",
        "key,value\\n"
            + "1,2\\n"
            + "\"3,4\\n"
            + " | line 3 | a field that begins with a quote does not end with one",
        "key,value,key\\n1,2,3\\n | | more than one column \"key\"",
      })
  void namesTheLineThatCannotBeRead(String text, String line, String what) throws IOException {
    Path load = file("load.csv", text.replace("\\n", "\n"));
    Path keys = file("keys.csv", "key\n1\n");
    Outcome outcome = run(load, keys);
    assertBad(outcome, "load.csv", Objects.requireNonNullElse(line, ""), what);
    assertThat(outcome.err().getFirst()).doesNotContain("CSVFormat", "Exception", "apache");
  }

  @ParameterizedTest
  @ValueSource(strings = {"long", "text"})
  void anUnreadableRowAmongThoseLookedUpLeavesNoOutput(String type) throws IOException {
    Path load = file("load.csv", "key,value\n1,2\n");
    Path keys = file("keys.csv", "key\n1\n2\n3,4\n");
    assertBad(run(load, keys, "--keys", type), "keys.csv", "line 4", "more fields");
  }

  @Test
  void textsAreComparedAsBytesAndNullIsNotFound() throws IOException {
    Files.write(
        folder.resolve("load.csv"), "key,value\n\u00e9,1\n,2\n3,\n\"\",4\n".getBytes(ISO_8859_1));
    Files.write(
        folder.resolve("keys.csv"), "note,key\nx,\u00e9\nx,\nx,3\nx,\"\"\n".getBytes(ISO_8859_1));
    Outcome outcome = run(folder.resolve("load.csv"), folder.resolve("keys.csv"), "--keys", "text");
    assertThat(Files.readString(folder.resolve("found.csv"), ISO_8859_1))
        .isEqualTo("key,value\n\u00e9,1\n,\n3,\n\"\",4\n");
    assertThat(outcome.out().getLast()).startsWith("rows=4 distinct=3 asked=4 found=3 ");
    outcome = run(file("load.csv", "key,value\n,1\n2,3\n"), file("keys.csv", "key,x\n,1\n2,1\n"));
    assertThat(found()).containsExactly("key,value", ",", "2,3");
    assertThat(outcome.out().getLast()).startsWith("rows=2 distinct=1 asked=2 found=1 ");
  }

  @Test
  void filesThatAreNotThere() throws IOException {
    Path load = file("load.csv", "key,value\n");
    assertBad(run(folder.resolve("none.csv"), load), "none.csv", "no such file");
    assertBad(run(load, folder.resolve("none.csv")), "none.csv", "no such file");
    assertBad(run(folder.resolve("none"), load), "none", "no such file or folder");
    assertBad(run(file("load.csv", ""), load), "load.csv", "empty");
    assertBad(run(load, load, "--out"), "--out");
    assertBad(run(load, load, "--target", "moon"), "--target");
    assertBad(run(load, load, "--keys", "float"), "--keys");
  }

  @Test
  void whatIsReadIsNotWrittenOver() throws IOException {
    String load = file("load.csv", "key,value\n1,2\n").toString();
    String keys = file("keys.csv", "key\n1\n").toString();
    for (String out : List.of(load, keys)) {
      StringWriter printed = new StringWriter();
      PrintWriter to = new PrintWriter(printed);
      assertThat(Gyre.run(to, to, "map", load, "--lookup", keys, "--out", out)).isEqualTo(2);
      assertThat(printed.toString().lines()).singleElement().asString().contains("--out", out);
    }
    assertThat(folder.resolve("load.csv")).hasContent("key,value\n1,2\n");
    assertThat(folder.resolve("keys.csv")).hasContent("key\n1\n");
  }

  @Test
  void noRows() throws IOException {
    Path empty = file("load.csv", "key,value\n");
    assertThat(run(empty, empty).code()).isZero();
    assertThat(found()).containsExactly("key,value");
  }

  @Test
  void anyNumberOfThreadsFindsTheSame() throws IOException {
    StringBuilder load = new StringBuilder("key,value\n");
    for (int i = 0; i < 100_000; i++) {
      load.append(i).append(',').append(-i).append('\n');
    }
    Path table = file("load.csv", load.toString());
    for (String threads : List.of("1", "3")) {
      Outcome outcome = run(table, table, "--threads", threads);
      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.out().getLast()).contains("distinct=100000", "found=100000");
      assertThat(Files.readString(folder.resolve("found.csv"))).isEqualTo(load.toString());
    }
  }

  @Test
  void badThreadCountsAreOneClearLine() throws IOException {
    Path load = file("load.csv", "key,value\n");
    for (String threads : List.of("0", "-1", "16385", "many")) {
      assertBad(run(load, load, "--threads", threads), "--threads");
    }
  }

  @Test
  void quietDoesNotSayWhichTargetWasChosen() throws IOException {
    Path load = file("load.csv", "key,value\n1,2\n");
    assertThat(run(load, load, "--target", "auto").err())
        .singleElement()
        .asString()
        .startsWith("target jvm, chosen since");
    Outcome quiet = run(load, load, "--target", "auto", "--quiet");
    assertThat(quiet.err()).isEmpty();
    assertThat(quiet.out()).hasSize(1);
  }

  @Test
  void aTargetIsChosenByTheNumberOfKeys() throws IOException {
    Path load = file("load.csv", "key,value\n" + "1,2\n".repeat(30_000));
    assertThat(run(load, load, "--verbose").err())
        .singleElement()
        .asString()
        .matches(
            "target jvm, chosen since 59,\\d{3} keys are less than the 67,108,864 from which a"
                + " device pays");
  }
}

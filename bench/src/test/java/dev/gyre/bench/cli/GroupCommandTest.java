package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.generators.Measurements;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class GroupCommandTest {

  private static final int ROWS = 100_000;
  private static final List<String> CHALLENGE =
      List.of(
          "--separator",
          ";",
          "--quote",
          "none",
          "--columns",
          "station,temperature",
          "--by",
          "station",
          "--agg",
          "min(temperature),round(mean(temperature),1),max(temperature),count");

  @TempDir private Path folder;

  /** What a command printed, and its exit code. */
  private record Outcome(int code, List<String> out, List<String> err) {}

  private static Outcome run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Gyre.run(new PrintWriter(out), new PrintWriter(err), arguments);
    return new Outcome(code, out.toString().lines().toList(), err.toString().lines().toList());
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  /** Groups a text, and returns the lines of the result. */
  private List<String> group(String text, String... options) throws IOException {
    Path out = folder.resolve("out.csv");
    Outcome outcome = run(arguments(List.of(file("in.csv", text).toString()), out, options));
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
    return Files.readAllLines(out);
  }

  private static String[] arguments(List<String> files, Path out, String... options) {
    List<String> arguments = new ArrayList<>(List.of("group"));
    arguments.addAll(files);
    arguments.addAll(List.of("--out", out.toString()));
    arguments.addAll(List.of(options));
    return arguments.toArray(String[]::new);
  }

  private void assertBad(String text, String message, String... options) throws IOException {
    Path out = folder.resolve("out.csv");
    Outcome outcome = run(arguments(List.of(file("in.csv", text).toString()), out, options));
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).singleElement().asString().contains(message);
    assertThat(outcome.code()).isEqualTo(2);
    try (var files = Files.list(folder)) {
      assertThat(files.map(each -> each.getFileName().toString())).containsExactly("in.csv");
    }
  }

  @Test
  void aggregatesExactly() throws IOException {
    assertThat(
            group(
                "k,x,y\na,1,0.1\nb,,2\na,2,0.25\na,4,-10\nb,9007199254740993,3e2\n",
                "--by",
                "k",
                "--agg",
                "count, count(x),sum(x),round(mean(x),2),sum(y),min(y),max(y),mean(x),distinct(y)"))
        .containsExactly(
            "k,count,count(x),sum(x),\"round(mean(x),2)\",sum(y),min(y),max(y),mean(x),distinct(y)",
            "a,3,3,7,2.33,-9.65,-10,0.25,2.3333333333333335,3",
            "b,2,1,9007199254740993,9007199254740993.00,302,2,300,9007199254740992,2");
  }

  @Test
  void namesOfColumnsMayBeginOrEndWithSpaces() throws IOException {
    assertBad("k,x\na,1\n", "no column \" x\" among [k, x]", "--by", "k", "--agg", "sum( x)");
    String[] options = {"--by", " k", "--agg", "sum( x ), round(mean( x ),1),max(y)"};
    assertThat(group(" k, x ,y\na,1,2\n", options))
        .containsExactly(" k,sum( x ),\"round(mean( x ),1)\",max(y)", "a,1,1.0,2");
  }

  @Test
  void aFifthDistinctIsRefused() throws IOException {
    String text = "k,a,b,c,d,e\n1,1,1,1,1,1\n";
    String four = "distinct(a),distinct(b),distinct(c),distinct(d)";
    assertThat(group(text, "--by", "k", "--agg", four)).endsWith("1,1,1,1,1");
    Files.delete(folder.resolve("out.csv"));
    String message = "distinct values of 4 columns at most are counted";
    assertBad(text, message, "--by", "k", "--agg", four + ",distinct(e)");
  }

  @Test
  void targetsAreNamed() throws IOException {
    String file = file("in.csv", "k,x\na,1\n").toString();
    List<String> rest = List.of("--by", "k", "--agg", "sum(x)", "--quote", "none", "--target");
    Path out = folder.resolve("out.csv");
    Outcome jvm = run(arguments(List.of(file), out, with(rest, "jvm")));
    assertThat(Files.readAllLines(out)).containsExactly("k,sum(x)", "a,1");
    assertThat(jvm.out()).singleElement().asString().contains("rows=1 groups=1", "target=jvm");
    Outcome unknown = run(arguments(List.of(file), out, with(rest, "gpu")));
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err().getFirst()).contains("--target");
    Outcome stream = run(arguments(List.of("-"), out, with(rest, "cuda")));
    assertThat(stream.code()).isEqualTo(2);
    assertThat(stream.err().getFirst()).contains("a device groups regular files");
  }

  private static String[] with(List<String> options, String last) {
    List<String> all = new ArrayList<>(options);
    all.add(last);
    return all.toArray(String[]::new);
  }

  @Test
  void digitsCountWithThoseOfTheLongestFraction() throws IOException {
    String[] options = {"--by", "k", "--agg", "sum(x)"};
    assertThat(group("k,x\na,9999999999999999\na,0.25\n", options))
        .containsExactly("k,sum(x)", "a,9999999999999999.25");
    // Doubles, whose digits end here.
    assertThat(group("k,x\na,99999999999999999\na,0.25\n", options))
        .containsExactly("k,sum(x)", "a,100000000000000000");
  }

  @Test
  void numbersArePlainDecimals() throws IOException {
    assertThat(
            group(
                "k,x\na,1e7\nb,1e-7\nc,123456789012345678901234567890\nd,nan\ne,-inf\n",
                "--by",
                "k",
                "--agg",
                "sum(x),round(max(x),1)"))
        .containsExactly(
            "k,sum(x),\"round(max(x),1)\"",
            "a,10000000,10000000.0",
            "b,0.0000001,0.0",
            "c,123456789012345680000000000000,123456789012345677877719597056.0",
            "d,NaN,NaN",
            "e,-Infinity,-Infinity");
    assertThat(group("k,x\na,1.50\nb,2\n", "--by", "k", "--agg", "sum(x)"))
        .containsExactly("k,sum(x)", "a,1.50", "b,2.00");
  }

  @Test
  void roundsHalfUpTowardsPositive() throws IOException {
    assertThat(
            group(
                "k,x\na,-0.15\nb,0.15\nc,-0.25\nd,0.05\nd,0.06\ne,-0.04\n",
                "--by",
                "k",
                "--agg",
                "round(mean(x),1)"))
        .containsExactly("k,\"round(mean(x),1)\"", "a,-0.1", "b,0.2", "c,-0.2", "d,0.1", "e,0.0");
  }

  @Test
  void keysAreTextsInTheOrderOfTheirBytes() throws IOException {
    String text =
        "k,l,x\n"
            + "b,1,1\n"
            + "B,1,1\n"
            + "\"a,\"\"b\"\"\",1,1\n"
            + ",1,1\n"
            + "\"\",1,1\n"
            + "ä,1,1\n"
            + "07,1,1\n"
            + "7,1,1\n"
            + "b,2,1\n"
            + "b,1,1\n";
    assertThat(group(text, "--by", "k,l", "--agg", "count"))
        .containsExactly(
            "k,l,count",
            "\"\",1,1",
            "07,1,1",
            "7,1,1",
            "B,1,1",
            "\"a,\"\"b\"\"\",1,1",
            "b,1,2",
            "b,2,1",
            "ä,1,1",
            ",1,1");
    assertThat(group(text, "--by", "k", "--agg", "sum(x)", "--sort", "count").subList(0, 3))
        .containsExactly("k,sum(x)", "b,3", "\"\",1");
    assertThat(group(text, "--by", "x", "--agg", "sum(x)")).containsExactly("x,sum(x)", "1,10");
  }

  @Test
  void keysWithoutQuotesAreWrittenAsTheyWereRead() throws IOException {
    String[] options = {"--separator", ";", "--quote", "none", "--by", "k", "--agg", "sum(x)"};
    String text = "k;x\n\"\";1\n\"a\rb\r;2\n";
    Path out = folder.resolve("out.csv");
    Path in = file("in.csv", text);
    assertThat(run(arguments(List.of(in.toString()), out, options)).err()).isEmpty();
    assertThat(Files.readString(out)).isEqualTo(text.replace("x", "sum(x)"));
    assertThat(group("k\n7\n", "--by", "k", "--agg", "round(sum(k),1)", "--quote", "none"))
        .containsExactly("k,\"round(sum(k),1)\"", "7,7.0");
  }

  @Test
  void namesMayHaveSeveralLines() throws IOException {
    assertThat(group("k,\"x\ny\"\na,2\na,3\n", "--by", "k", "--agg", "round(sum(x\ny),1)"))
        .containsExactly("k,\"round(sum(x", "y),1)\"", "a,5.0");
  }

  @Test
  void writesJson() throws IOException {
    String text = "k,x\n\"a\"\"\nb\",1.5\n,nan\n";
    assertThat(String.join("\n", group(text, "--by", "k", "--agg", "count,max(x)", "--json")))
        .isEqualTo(
            """
            [
            {"k": "a\\"\\u000ab", "count": 1, "max(x)": 1.5},
            {"k": null, "count": 1, "max(x)": "NaN"}
            ]\
            """);
    assertThat(group("k,x\n", "--by", "k", "--agg", "count", "--json")).containsExactly("[", "]");
  }

  @Test
  void jsonRefusesKeysThatAreNotUtf8() throws IOException {
    byte[] text = "k,count\n\u00e8,1\n\u00e9,1\n".getBytes(StandardCharsets.ISO_8859_1);
    Path in = Files.write(folder.resolve("in.csv"), text);
    Path out = folder.resolve("out.csv");
    String[] options = {"--by", "k", "--agg", "count", "--json"};
    Outcome outcome = run(arguments(List.of(in.toString()), out, options));
    assertThat(outcome.err())
        .containsExactly(
            "gyre group: key \"\ufffd\" of column \"k\": not valid UTF-8, which JSON requires; CSV"
                + " keeps it: omit --json");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(out).doesNotExist();
    assertThat(run(arguments(List.of(in.toString()), out, Arrays.copyOf(options, 4))).code())
        .isZero();
    assertThat(out).hasBinaryContent(text);
    // The character that stands for such bytes may be in a text.
    assertThat(group("k\n\ufffd\n", options)).contains("{\"k\": \"\ufffd\", \"count\": 1}");
  }

  @Test
  void nullsAreSkipped() throws IOException {
    assertThat(
            group(
                "k,x\na,\na,\n,5\n", "--by", "k", "--agg", "count,count(x),sum(x),mean(x),min(x)"))
        .containsExactly("k,count,count(x),sum(x),mean(x),min(x)", "a,2,0,,,", ",1,1,5,5,5");
  }

  @Test
  void readsFilesFoldersAndGzip() throws IOException {
    Path inputs = Files.createDirectory(folder.resolve("inputs"));
    Files.writeString(inputs.resolve("1.csv"), "x,k\r\n1,a\r\n");
    try (OutputStream gzip =
        new GZIPOutputStream(Files.newOutputStream(inputs.resolve("2.csv.gz")))) {
      gzip.write("k,x\na,2.5\n".getBytes(StandardCharsets.UTF_8));
    }
    Path out = folder.resolve("out.csv");
    Outcome outcome =
        run(arguments(List.of(inputs.toString()), out, "--by", "k", "--agg", "sum(x)"));
    assertThat(Files.readAllLines(out)).containsExactly("k,sum(x)", "a,3.5");
    assertThat(outcome.out())
        .singleElement()
        .asString()
        .matches("rows=2 groups=1 bytes=\\d+ target=jvm seconds=\\d+\\.\\d{3}");
  }

  @Test
  void readsStandardInputOnce() throws IOException {
    Path out = folder.resolve("out.csv");
    InputStream before = System.in;
    try {
      String text = "k,x\n" + "a,1.5\n".repeat(300_000);
      System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
      Outcome outcome = run(arguments(List.of("-"), out, "--by", "k", "--agg", "sum(x)"));
      assertThat(outcome.err()).isEmpty();
      assertThat(Files.readAllLines(out)).containsExactly("k,sum(x)", "a,450000.0");
      String late = text + "a,2.25\n";
      System.setIn(new ByteArrayInputStream(late.getBytes(StandardCharsets.UTF_8)));
      outcome = run(arguments(List.of("-"), out, "--by", "k", "--agg", "sum(x)"));
      assertThat(outcome.code()).isEqualTo(2);
      assertThat(outcome.err())
          .singleElement()
          .asString()
          .contains("standard input: line 300002, column 2:")
          .contains("it cannot be read again: give --type x=2");
      System.setIn(new ByteArrayInputStream(late.getBytes(StandardCharsets.UTF_8)));
      outcome = run(arguments(List.of("-"), out, "--by", "k", "--agg", "sum(x)", "--type", "x=2"));
      assertThat(outcome.err()).isEmpty();
      assertThat(Files.readAllLines(out)).containsExactly("k,sum(x)", "a,450002.25");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void filesAreReadAgainIfALaterNumberNeedsIt() throws IOException {
    String text = "k,x\n" + "a,1.5\n".repeat(300_000);
    assertThat(group(text + "a,2.25\n", "--by", "k", "--agg", "sum(x)"))
        .containsExactly("k,sum(x)", "a,450002.25");
    assertThat(group(text + "a,1e3\n", "--by", "k", "--agg", "sum(x)"))
        .containsExactly("k,sum(x)", "a,451000");
  }

  @Test
  void saysWhatIsBad() throws IOException {
    String[] sum = {"--by", "k", "--agg", "sum(x)"};
    assertBad("k,x\na,1\na,one\n", "in.csv: line 3, column 2: not a number: \"one\"", sum);
    assertBad("k,y\na,1\n", "no column \"x\" among [k, y]", sum);
    assertBad("", "empty", sum);
    assertBad("k,x\n\"a,1\n", "line 2: a field that begins with a quote", sum);
    assertBad("k,x\n", "'avg(x)' is none of count", "--by", "k", "--agg", "avg(x)");
    assertBad("k,x\n", "'round(count,1)' is none of", "--by", "k", "--agg", "round(count,1)");
    assertBad("k,x\n", "given twice", "--by", "k", "--agg", "count,count");
    assertBad("k,x\n", "twice", "--by", "k,k", "--agg", "count");
    String both = "both name a column of the output %s: rename that of the input";
    assertBad("k,count\n", both.formatted("count"), "--by", "k,count", "--agg", "sum(x),count");
    assertBad("sum(x),x\n", both.formatted("sum(x)"), "--by", "sum(x)", "--agg", "sum(x)");
    assertBad("k,x\n", "--type x=a: not double", "--by", "k", "--agg", "sum(x)", "--type", "x=a");
    assertBad(
        "k,x\n",
        "no expression needs the column k",
        "--by",
        "k",
        "--agg",
        "sum(x)",
        "--type",
        "k=1");
    assertBad("k,x\n", "one character", "--by", "k", "--agg", "count", "--separator", "ab");
    assertBad("k,x\n", "--columns: columns are", "--by", "k", "--agg", "count", "--columns", "k,k");
  }

  @Test
  void aSumThatFitsNoLongLeavesTheOldFile() throws IOException {
    Path out = file("out.csv", "old");
    Path in = file("in.csv", "k,$x\na,9223372036854775807\na,1\nb,1\n");
    Outcome outcome =
        run(arguments(List.of(in.toString()), out, "--by", "k", "--agg", "count,sum($x)"));
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err()).singleElement().asString().contains("sum($x) of a group");
    assertThat(out).hasContent("old");
    List<CsvColumn> columns = List.of(CsvColumn.text("k"), CsvColumn.decimal("$x", 0));
    assertThat(GroupSink.withName("integer overflow", columns)).isEqualTo("integer overflow");
  }

  @Test
  void agreesWithASlowReferenceOnMeasurements() throws IOException {
    for (Measurements generated :
        List.of(
            Measurements.ofStations(3, Measurements.STATIONS),
            Measurements.ofAnyNames(4, 10_000))) {
      byte[] bytes = new byte[ROWS * Measurements.MAX_ROW_BYTES];
      int end = generated.write(0, ROWS, bytes, 0);
      Path in = Files.write(folder.resolve("in.txt"), Arrays.copyOf(bytes, end));
      Path out = folder.resolve("out.txt");
      Outcome outcome =
          run(arguments(List.of(in.toString()), out, CHALLENGE.toArray(String[]::new)));
      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.out().getLast()).startsWith("rows=" + ROWS + " ");
      assertThat(Files.readAllLines(out)).isEqualTo(reference(in));
    }
  }

  /** Groups lines of a station and a number, by a HashMap and decimals of any size. */
  private static List<String> reference(Path in) throws IOException {
    Map<String, List<BigDecimal>> groups = new HashMap<>();
    for (String line : Files.readAllLines(in)) {
      int at = line.indexOf(';');
      groups
          .computeIfAbsent(line.substring(0, at), _ -> new ArrayList<>())
          .add(new BigDecimal(line.substring(at + 1)));
    }
    List<String> lines = new ArrayList<>();
    lines.add("station;min(temperature);round(mean(temperature),1);max(temperature);count");
    groups.keySet().stream()
        .sorted(
            Comparator.comparing(
                name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned))
        .forEach(
            name -> {
              List<BigDecimal> all = Objects.requireNonNull(groups.get(name));
              BigDecimal sum = all.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
              // Half up towards positive: the floor of ten times the mean and a half.
              BigDecimal twice = sum.multiply(BigDecimal.valueOf(20));
              BigDecimal count = BigDecimal.valueOf(all.size());
              BigDecimal mean =
                  twice
                      .add(count)
                      .divide(count.multiply(BigDecimal.TWO), 0, RoundingMode.FLOOR)
                      .movePointLeft(1)
                      .setScale(1);
              lines.add(
                  String.join(
                      ";",
                      name,
                      all.stream().min(Comparator.naturalOrder()).orElseThrow().toPlainString(),
                      mean.toPlainString(),
                      all.stream().max(Comparator.naturalOrder()).orElseThrow().toPlainString(),
                      Integer.toString(all.size())));
            });
    return lines;
  }

  @Test
  void generatesTheSameMeasurementsAsTheCommand() throws IOException {
    Path out = folder.resolve("m.txt");
    Outcome outcome =
        run("measurements", "--rows", "70000", "--seed", "9", "--out", out.toString());
    assertThat(outcome.code()).isZero();
    byte[] bytes = new byte[70_000 * Measurements.MAX_ROW_BYTES];
    int end = Measurements.ofStations(9, Measurements.STATIONS).write(0, 70_000, bytes, 0);
    assertThat(Files.readAllBytes(out)).isEqualTo(Arrays.copyOf(bytes, end));
    assertThat(run("measurements", "--stations", "0").code()).isEqualTo(2);
    assertThat(run("measurements", "--rows", "-1").code()).isEqualTo(2);
  }
}

package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class JoinCommandTest {

  private static final String PEOPLE =
      "id,name,city\n1,Ann,\n2,Bob,\"Oslo,\nN\"\n,Nil,x\n2,Bea,Bonn\n";
  private static final String ORDERS = "who,name,sum\n2,pen,5\n3,ink,1\n,cap,2\n2,\"\",7\n";

  @TempDir private Path folder;

  /** What a command printed, and its exit code. */
  private record Outcome(int code, List<String> out, List<String> err) {}

  /** Whether the right file is packed by gzip, so that its size is not known. */
  private boolean packed;

  private Path right(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("right.csv"), text);
    if (packed) {
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
      }
    }
    return file;
  }

  private Outcome run(String left, String right, String... options) throws IOException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "join",
                Files.writeString(folder.resolve("left.csv"), left).toString(),
                right(right).toString(),
                "--out",
                folder.resolve("out.csv").toString()));
    arguments.addAll(List.of(options));
    int code =
        Gyre.run(new PrintWriter(out), new PrintWriter(err), arguments.toArray(String[]::new));
    return new Outcome(code, out.toString().lines().toList(), err.toString().lines().toList());
  }

  private String join(String left, String right, String... options) throws IOException {
    Outcome outcome = run(left, right, options);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .singleElement()
        .asString()
        .matches("left=\\d+ right=\\d+ rows=\\d+ target=jvm seconds=\\d+\\.\\d{3}");
    return Files.readString(folder.resolve("out.csv"));
  }

  @Test
  void joinsAsSqlDoes() throws IOException {
    String names = "id,name,city,right.name,sum\n";
    String bob = "2,Bob,\"Oslo,\nN\",pen,5\n2,Bob,\"Oslo,\nN\",\"\",7\n";
    String bea = "2,Bea,Bonn,pen,5\n2,Bea,Bonn,\"\",7\n";
    String unmatched = "3,,,ink,1\n,,,cap,2\n";
    assertThat(join(PEOPLE, ORDERS, "--on", "id=who")).isEqualTo(names + bob + bea);
    String left = names + "1,Ann,,,\n" + bob + ",Nil,x,,\n" + bea;
    assertThat(join(PEOPLE, ORDERS, "--on", "id=who", "--how", "left")).isEqualTo(left);
    assertThat(join(PEOPLE, ORDERS, "--on", "id=who", "--how", "right"))
        .isEqualTo(names + bob + bea + unmatched);
    assertThat(join(PEOPLE, ORDERS, "--on", "id=who", "--how", "OUTER"))
        .isEqualTo(left + unmatched);
  }

  @Test
  void aNullInAnOnlyColumnIsNoEmptyLine() throws IOException {
    String[] select = {"--on", "id=who", "--how", "left", "--select", "sum"};
    assertThat(join(PEOPLE, ORDERS, select)).isEqualTo("sum\n\"\"\n5\n7\n\"\"\n5\n7\n");
    assertThat(join("id\n1\n", "who,a,b\n", "--on", "id=who", "--how", "left", "--select", "a,b"))
        .isEqualTo("a,b\n,\n");
  }

  @Test
  void streamsARightFileOfUnknownSize() throws IOException {
    packed = true;
    String inner =
        "id,name,city,right.name,sum\n"
            + "2,Bob,\"Oslo,\nN\",pen,5\n2,Bea,Bonn,pen,5\n"
            + "2,Bob,\"Oslo,\nN\",\"\",7\n2,Bea,Bonn,\"\",7\n";
    assertThat(join(PEOPLE, ORDERS, "--on", "id=who")).isEqualTo(inner);
    assertThat(join(PEOPLE, ORDERS, "--on", "id=who", "--how", "left"))
        .isEqualTo(inner + "1,Ann,,,\n,Nil,x,,\n");
    String right =
        "id,name,city,right.name,sum\n"
            + "2,Bob,\"Oslo,\nN\",pen,5\n2,Bea,Bonn,pen,5\n"
            + "3,,,ink,1\n,,,cap,2\n"
            + "2,Bob,\"Oslo,\nN\",\"\",7\n2,Bea,Bonn,\"\",7\n";
    assertThat(join(PEOPLE, ORDERS, "--on", "id=who", "--how", "right")).isEqualTo(right);
    assertThat(join(PEOPLE, ORDERS, "--on", "id=who", "--how", "OUTER"))
        .isEqualTo(right + "1,Ann,,,\n,Nil,x,,\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void selectsColumns(boolean ofUnknownSize) throws IOException {
    packed = ofUnknownSize;
    String bob = "pen,Bob,\"Oslo,\nN\",2\n";
    assertThat(
            join(PEOPLE, ORDERS, "--on", "id=who", "--select", "sum,right.name,name,left.city,who"))
        .isEqualTo(
            "sum,right.name,name,left.city,who\n5,"
                + bob
                + (packed
                    ? "5,pen,Bea,Bonn,2\n7,\"\",Bob,\"Oslo,\nN\",2\n"
                    : "7,\"\",Bob,\"Oslo,\nN\",2\n5,pen,Bea,Bonn,2\n")
                + "7,\"\",Bea,Bonn,2\n");
    assertThat(
            join(PEOPLE, ORDERS, "--on", "id=who", "--select", "id,who,sum", "--how", "outer")
                .lines())
        .contains("1,,", "3,3,1", ",,2", ",,")
        .hasSize(9);
  }

  /** Without --select, a name is that of a column, whatever it begins with. */
  @Test
  void namesMayLookLikeThoseOfTheOtherFile() throws IOException {
    assertThat(join("id,x,right.y\n1,2,3\n", "id,x,left.x\n1,4,5\n", "--on", "id"))
        .isEqualTo("id,x,right.y,right.x,left.x\n1,2,3,4,5\n");
  }

  /** Rows of megabytes must not wait for thousands of others. */
  @Test
  void wideRowsAreWrittenSoon() throws IOException {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    String wide = "w".repeat(1 << 14);
    long before = threads.getTotalThreadAllocatedBytes();
    Outcome outcome = run("id,w\n1," + wide + "\n", "id\n" + "1\n".repeat(4000), "--on", "id");
    assertThat(threads.getTotalThreadAllocatedBytes() - before).isLessThan(1 << 25);
    assertThat(outcome.code()).isZero();
    assertThat(Files.size(folder.resolve("out.csv"))).isEqualTo(5 + 4000L * (wide.length() + 3));
  }

  @Test
  void joinsOnSeveralColumns() throws IOException {
    assertThat(
            join(
                "a;b;x\n1;2;p\n1;3;q\n12;;r\n",
                "b;a;y\n2;1;s\n3;1;t\n;12;u\n1;2;v\n",
                "--on",
                "a,b",
                "--separator",
                ";"))
        .isEqualTo("a;b;x;y\n1;2;p;s\n1;3;q;t\n");
  }

  @Test
  void filesOfAFolderMayHaveTheirColumnsInAnyOrder() throws IOException {
    Path many = Files.createDirectory(folder.resolve("many"));
    Path _ = Files.writeString(many.resolve("1.csv"), "id,name,age\n1,Ann,30\n");
    Path _ = Files.writeString(many.resolve("2.csv"), "age,id,more,name\n40,2,x,Bob\n");
    Path towns = Files.writeString(folder.resolve("towns.csv"), "id,town\n2,Oslo\n1,Bonn\n");
    assertThat(joined(many.toString(), towns.toString()))
        .isEqualTo("id,name,age,town\n1,Ann,30,Bonn\n2,Bob,40,Oslo\n");
    assertThat(joined(towns.toString(), many.toString()))
        .isEqualTo("id,town,name,age\n2,Oslo,Bob,40\n1,Bonn,Ann,30\n");
  }

  private String joined(String left, String right) throws IOException {
    Path out = folder.resolve("out.csv");
    StringWriter err = new StringWriter();
    int code =
        Gyre.run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err),
            "join",
            left,
            right,
            "--on",
            "id",
            "--out",
            out.toString());
    assertThat(err.toString()).isEmpty();
    assertThat(code).isZero();
    return Files.readString(out);
  }

  @Test
  void emptyFilesHaveNames() throws IOException {
    assertThat(join("a,x\n", "a,y\n1,2\n", "--on", "a")).isEqualTo("a,x,y\n");
    assertThat(join("a,x\n", "a,y\n1,2\n", "--on", "a", "--how", "right"))
        .isEqualTo("a,x,y\n1,,2\n");
    assertThat(join("a,x\n1,2\n", "a,y\n", "--on", "a", "--how", "outer"))
        .isEqualTo("a,x,y\n1,2,\n");
  }

  /** Both sides have many chunks, and some blocks of rows have a large result. */
  @ParameterizedTest
  @CsvSource({"1,false", "3,false", "1,true", "3,true"})
  void agreesWithNestedLoopsOnManyRows(int threads, boolean ofUnknownSize) throws IOException {
    packed = ofUnknownSize;
    SplittableRandom random = new SplittableRandom(5);
    List<Integer> leftKeys = new ArrayList<>();
    StringBuilder left = new StringBuilder("k,l\n");
    String padding = "p".repeat(100);
    for (int i = 0; i < 25_000; i++) {
      leftKeys.add(random.nextInt(30_000));
      left.append(leftKeys.getLast()).append(',').append(padding).append(i).append('\n');
    }
    List<Integer> rightKeys = new ArrayList<>();
    StringBuilder right = new StringBuilder("r,k\n");
    for (int i = 0; i < 40_000; i++) {
      rightKeys.add(random.nextInt(40_000));
      right.append(padding).append(i).append(',').append(rightKeys.getLast()).append('\n');
    }
    StringBuilder expected = new StringBuilder("k,l,r\n");
    List<Integer> outerKeys = packed ? rightKeys : leftKeys;
    List<Integer> innerKeys = packed ? leftKeys : rightKeys;
    List<List<Integer>> rowsOfKeys = new ArrayList<>();
    for (int key = 0; key < 40_000; key++) {
      rowsOfKeys.add(new ArrayList<>());
    }
    for (int i = 0; i < innerKeys.size(); i++) {
      rowsOfKeys.get(innerKeys.get(i)).add(i);
    }
    boolean[] matched = new boolean[innerKeys.size()];
    for (int i = 0; i < outerKeys.size(); i++) {
      int key = outerKeys.get(i);
      for (int row : rowsOfKeys.get(key)) {
        matched[row] = true;
        expected.append(
            "%d,%s%d,%s%d\n".formatted(key, padding, packed ? row : i, padding, packed ? i : row));
      }
      if (rowsOfKeys.get(key).isEmpty()) {
        expected.append((packed ? "%d,,%s%d\n" : "%d,%s%d,\n").formatted(key, padding, i));
      }
    }
    for (int i = 0; i < matched.length; i++) {
      if (!matched[i]) {
        expected.append(
            (packed ? "%d,%s%d,\n" : "%d,,%s%d\n").formatted(innerKeys.get(i), padding, i));
      }
    }
    String joined =
        join(
            left.toString(),
            right.toString(),
            "--on",
            "k",
            "--how",
            "outer",
            "--threads",
            Integer.toString(threads));
    assertThat(joined.equals(expected.toString())).isTrue();
  }

  @Test
  void saysWhatIsBadAndWritesNothing() throws IOException {
    for (String[] bad :
        new String[][] {
          {"a,x\n", "b,y\n", "no column \"a\" among [b, y]", "a"},
          {"b,x\n", "a,y\n", "no column \"a\" among [b, x]", "a"},
          {"a,x\n1,2,3\n", "a,y\n", "left.csv: line 2: more fields", "a"},
          {"a,x\n", "a,y\n1,2\n3\n", "right.csv: line 3: 1 fields, too few", "a"},
          {"a,x\n", "a,y\n", "--on needs different columns", "a,a=x"},
          {"a,x\n", "a,y\n", "--on needs different columns", "a="},
          {"a,x\n", "a,y\n", "no column \"z\" among [a, x] of LEFT", "a", "--select", "x,z"},
          {"a,x\n", "a,y\n", "--select needs different columns: [x, x]", "a", "--select", "x,x"},
          {"a,x,right.x\n", "a,x\n", "the output would have two columns \"right.x\"", "a"},
        }) {
      String[] more = Arrays.copyOfRange(bad, 2, bad.length);
      more[0] = "--on";
      Outcome outcome = run(bad[0], bad[1], more);
      assertThat(outcome.out()).isEmpty();
      assertThat(outcome.err()).singleElement().asString().contains(bad[2]);
      assertThat(outcome.code()).isEqualTo(2);
      try (var files = Files.list(folder)) {
        assertThat(files.map(each -> each.getFileName().toString()))
            .containsExactlyInAnyOrder("left.csv", "right.csv");
      }
    }
  }
}

package dev.gyre.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.QuoteMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class CsvScannerTest {

  private static final int MOST_CHUNK_BYTES = 64;
  private static final int RANDOM_TEXTS = 8;
  private static final List<String> PYTHON = List.of("python3", "-c");

  /** Prints the fields of each record in hexadecimal digits; empty lines have no record. */
  private static final String PROGRAM =
      """
      import csv, sys
      for name in sys.argv[2:]:
          with open(name, newline='', encoding='utf-8') as file:
              none = sys.argv[1] == 'none'
              for row in csv.reader(file, quoting=csv.QUOTE_NONE if none else csv.QUOTE_MINIMAL):
                  if row:
                      print(' '.join('x' + field.encode().hex() for field in row))
          print('end')
      """;

  /** Texts, and what Python 3.11 reads from them. */
  private static final Map<String, List<List<String>>> TABLE =
      Map.ofEntries(
          Map.entry("a,b\n", List.of(List.of("a", "b"))),
          Map.entry("a,b", List.of(List.of("a", "b"))),
          Map.entry("a,b\r\nc,d\r\n", List.of(List.of("a", "b"), List.of("c", "d"))),
          Map.entry("\"ab\"c,d\n", List.of(List.of("abc", "d"))),
          Map.entry("a\"b,c\n", List.of(List.of("a\"b", "c"))),
          Map.entry("a\",\"b\n\"c\n", List.of(List.of("a\"", "b\nc"))),
          Map.entry("x,\"a\"\"b\"\r\ny,z", List.of(List.of("x", "a\"b"), List.of("y", "z"))),
          Map.entry("x,\"\"\"\"\n", List.of(List.of("x", "\""))),
          Map.entry("x,\"\"\n,\n", List.of(List.of("x", ""), List.of("", ""))),
          Map.entry("x,\"a\"\"\"", List.of(List.of("x", "a\""))),
          Map.entry("\"a\" ,b\n", List.of(List.of("a ", "b"))),
          Map.entry("\"a\" \",b\n", List.of(List.of("a \"", "b"))),
          Map.entry("\n\na,b\n\n", List.of(List.of("a", "b"))),
          Map.entry("x,\r\n\r\ny,\n", List.of(List.of("x", ""), List.of("y", ""))),
          Map.entry("\"a\r\nb\",\"\n\"\n", List.of(List.of("a\r\nb", "\n"))),
          Map.entry("\"a,\n\"\"b\",\"\"\"\"\"c\"\n", List.of(List.of("a,\n\"b", "\"\"c"))),
          Map.entry("ä,ö€\n", List.of(List.of("ä", "ö€"))));

  @TempDir private Path folder;

  /** Rows of all chunks, in their order; fields are strings, or null. */
  private static final class Rows implements CsvScanner.Sink {
    private final Map<Long, List<List<@Nullable String>>> all;
    private List<List<@Nullable String>> chunk = new ArrayList<>();

    Rows(Map<Long, List<List<@Nullable String>>> all) {
      this.all = all;
    }

    @Override
    public void take(CsvRows rows) {
      for (int row = 0; row < rows.count(); row++) {
        List<@Nullable String> fields = new ArrayList<>();
        for (int i = 0; i < rows.columns().size(); i++) {
          long[] valid = rows.valid(i);
          boolean isNull = valid != null && (valid[row >> 6] & (1L << row)) == 0;
          fields.add(isNull ? null : field(rows, i, row));
        }
        chunk.add(fields);
      }
    }

    private static String field(CsvRows rows, int column, int row) {
      return switch (rows.columns().get(column).type()) {
        case TEXT -> {
          MemorySegment text =
              rows.bytes().asSlice(rows.offsets(column)[row], rows.lengths(column)[row]);
          yield new String(text.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        }
        case DECIMAL -> Long.toString(rows.decimals(column)[row]);
        case DOUBLE -> Double.toString(rows.doubles(column)[row]);
      };
    }

    @Override
    public void endChunk(long number) {
      assertThat(all.put(number, chunk)).isNull();
      chunk = new ArrayList<>();
    }
  }

  private static List<List<@Nullable String>> scan(CsvScanner scanner, List<CsvColumn> columns) {
    Map<Long, List<List<@Nullable String>>> all = new ConcurrentSkipListMap<>();
    long _ = scanner.scan(_ -> columns, () -> new Rows(all));
    return all.values().stream().flatMap(List::stream).toList();
  }

  private static List<List<@Nullable String>> scan(
      String text, CsvFormat format, CsvColumn... columns) {
    return scan(CsvScanner.of(memory(text), format), List.of(columns));
  }

  private static TextSource memory(String text) {
    return TextSource.ofMemory(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** A stream that delivers a few bytes at a time. */
  private static TextSource stream(String text) {
    InputStream bytes =
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
          @Override
          public synchronized int read(byte[] to, int at, int most) {
            return super.read(to, at, Math.min(most, 7));
          }
        };
    return TextSource.ofStream("stream", bytes);
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "c" + i).toList();
  }

  private static List<List<String>> withoutNulls(List<List<@Nullable String>> rows) {
    return rows.stream()
        .map(row -> row.stream().map(field -> field == null ? "" : field).toList())
        .toList();
  }

  /** Scans a text in chunks of 1 to 64 bytes, from memory, a file and a stream. */
  private void assertRecords(String text, CsvFormat format, List<List<String>> expected)
      throws IOException {
    assertRecords(text, format, expected, CsvScannerTest::withoutNulls);
  }

  private <F extends @Nullable String> void assertRecords(
      String text,
      CsvFormat format,
      List<List<F>> expected,
      Function<List<List<@Nullable String>>, List<List<F>>> seen)
      throws IOException {
    Path file = Files.writeString(folder.resolve("text.csv"), text);
    int columns = expected.isEmpty() ? 1 : expected.getFirst().size();
    CsvFormat named = format.named(names(columns));
    List<CsvColumn> wanted = names(columns).stream().map(CsvColumn::text).toList();
    for (int chunk = 1; chunk <= MOST_CHUNK_BYTES; chunk++) {
      for (TextSource source :
          List.of(memory(text), stream(text), TextSource.ofFiles(List.of(file)))) {
        CsvScanner scanner = CsvScanner.of(source, named).threads(1 + chunk % 3).chunkBytes(chunk);
        // A record per assertion, so that a failure shows one.
        assertThat(seen.apply(scan(scanner, wanted)))
            .as("chunks of %d bytes of %s: %s", chunk, source.names(), text)
            .zipSatisfy(expected, (row, wish) -> assertThat(row).isEqualTo(wish));
      }
    }
  }

  private List<List<List<String>>> python(String quotes, List<String> texts)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(PYTHON);
    command.addAll(List.of(PROGRAM, quotes));
    for (int i = 0; i < texts.size(); i++) {
      command.add(Files.writeString(folder.resolve("p" + i), texts.get(i)).toString());
    }
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<List<List<String>>> all = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (String line :
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList()) {
      if (line.equals("end")) {
        all.add(rows);
        rows = new ArrayList<>();
      } else {
        rows.add(
            List.of(line.split(" ")).stream()
                .map(
                    hex ->
                        new String(
                            HexFormat.of().parseHex(hex.substring(1)), StandardCharsets.UTF_8))
                .toList());
      }
    }
    assertThat(process.waitFor()).isZero();
    return all;
  }

  private static boolean hasPython() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "--version").redirectErrorStream(true).start().waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns records of three fields, quoted or not, with all that CSV allows and more.
   *
   * @param tails whether text may follow a closing quote
   */
  private static String randomText(SplittableRandom random, boolean quotes, boolean tails) {
    StringBuilder text = new StringBuilder();
    String end = random.nextBoolean() ? "\n" : "\r\n";
    int records = 1 + random.nextInt(12);
    for (int record = 0; record < records; record++) {
      for (int field = 0; field < 3; field++) {
        text.append(field == 0 ? "" : ",").append(randomField(random, quotes, tails));
      }
      text.append(record == records - 1 && random.nextBoolean() ? "" : end);
      text.append(random.nextInt(8) == 0 && text.toString().endsWith(end) ? end : "");
    }
    return text.toString();
  }

  private static String randomField(SplittableRandom random, boolean quotes, boolean tails) {
    StringBuilder plain = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      plain.append(
          List.of("a", "bc", "€", " ", "\"")
              .get(random.nextInt(plain.isEmpty() && quotes ? 4 : 5)));
    }
    if (!quotes || random.nextInt(3) == 0) {
      return plain.toString();
    }
    StringBuilder inside = new StringBuilder("\"");
    for (int i = random.nextInt(20); i > 0; i--) {
      inside.append(
          List.of("x", "yz", "ü", ",", "\n", "\r\n", "\"\"", "\"\",\"\"").get(random.nextInt(8)));
    }
    boolean tail = random.nextInt(5) == 0 && tails;
    return inside.append('"').append(tail ? plain : "").toString();
  }

  @Test
  void readsWhatPythonReadsAtEveryChunkSize() throws IOException {
    for (Map.Entry<String, List<List<String>>> entry : TABLE.entrySet()) {
      assertRecords(entry.getKey(), CsvFormat.RFC4180, entry.getValue());
    }
  }

  @Tag("slow")
  @Test
  void agreesWithPythonOnRandomTexts() throws IOException, InterruptedException {
    assumeTrue(hasPython(), "python3 is missing");
    SplittableRandom random = new SplittableRandom(56);
    for (boolean quotes : new boolean[] {true, false}) {
      List<String> texts = new ArrayList<>(quotes ? TABLE.keySet() : List.of("a,b\n"));
      int known = texts.size();
      for (int i = 0; i < RANDOM_TEXTS; i++) {
        texts.add(randomText(random, quotes, true));
      }
      List<List<List<String>>> expected = python(quotes ? "minimal" : "none", texts);
      CsvFormat format =
          quotes ? CsvFormat.RFC4180 : CsvFormat.RFC4180.quotedBy(CsvFormat.NO_QUOTE);
      for (int i = 0; i < texts.size(); i++) {
        if (quotes && i < known) {
          assertThat(expected.get(i)).isEqualTo(TABLE.get(texts.get(i)));
        } else {
          assertRecords(texts.get(i), format, expected.get(i));
        }
      }
    }
  }

  /** Commons CSV refuses text behind a closing quote, which Python and the scanner accept. */
  @Test
  void agreesWithCommonsCsvOnRandomTexts() throws IOException {
    CSVFormat commons =
        CSVFormat.RFC4180
            .builder()
            .setIgnoreEmptyLines(true)
            .setNullString("")
            .setQuoteMode(QuoteMode.ALL_NON_NULL)
            .get();
    SplittableRandom random = new SplittableRandom(57);
    int nulls = 0;
    for (int i = 0; i < RANDOM_TEXTS; i++) {
      String text = randomText(random, true, false);
      List<List<@Nullable String>> expected = new ArrayList<>();
      for (CSVRecord record : CSVParser.parse(text, commons)) {
        expected.add(Arrays.asList(record.values()));
      }
      nulls += (int) expected.stream().flatMap(List::stream).filter(Objects::isNull).count();
      assertRecords(text, CsvFormat.RFC4180, expected, rows -> rows);
    }
    assertThat(nulls).isPositive();
  }

  @Test
  void emptyFieldsWithoutQuotesAreNull() {
    CsvFormat format = CsvFormat.RFC4180;
    assertThat(scan("a,b\n,\"\"\n\"\",\n1,2\n", format, CsvColumn.text("a"), CsvColumn.text("b")))
        .containsExactly(Arrays.asList(null, ""), Arrays.asList("", null), List.of("1", "2"));
    assertThat(
            scan(
                "x,n,d\na,,\nb,5,2.5\nc,,", format, CsvColumn.decimal("n", 0), CsvColumn.real("d")))
        .containsExactly(Arrays.asList(null, null), List.of("5", "2.5"), Arrays.asList(null, null));
  }

  @Test
  void aRecordMayBeMuchLongerThanAChunk() {
    String field = "x".repeat(1 << 16);
    CsvScanner scanner = CsvScanner.of(memory("a,b\n" + field + ",1\ny,2\n"), CsvFormat.RFC4180);
    for (int chunkBytes : List.of(1 << 4, 1 << 10, 1 << 15)) {
      assertThat(
              scan(
                  scanner.chunkBytes(chunkBytes),
                  List.of(CsvColumn.text("a"), CsvColumn.text("b"))))
          .containsExactly(List.of(field, "1"), List.of("y", "2"));
    }
  }

  @Test
  void manyRowsFillManyBlocks() {
    StringBuilder text = new StringBuilder("n,t\n");
    List<List<String>> expected = new ArrayList<>();
    for (int i = 0; i < 3 * CsvRows.MAX_ROWS + 5; i++) {
      boolean isNull = i % 7 == 0;
      text.append(isNull ? "" : i).append(',').append("t".repeat(i % 30)).append('\n');
      expected.add(
          Arrays.asList(
              isNull ? null : Integer.toString(i), i % 30 == 0 ? null : "t".repeat(i % 30)));
    }
    for (long chunk : new long[] {100, 1 << 12, 1 << 20}) {
      CsvScanner scanner =
          CsvScanner.of(memory(text.toString()), CsvFormat.RFC4180).chunkBytes(chunk);
      assertThat(scan(scanner, List.of(CsvColumn.decimal("n", 0), CsvColumn.text("t"))))
          .isEqualTo(expected);
    }
  }

  /** Most records have all fields and no quotes; others come after any number of them. */
  @Test
  void findsFieldsOfOtherRecordsAmongRegularOnes() {
    SplittableRandom random = new SplittableRandom(11);
    for (int fields : new int[] {1, 2, 3, 20}) {
      StringBuilder text = new StringBuilder();
      List<List<@Nullable String>> expected = new ArrayList<>();
      int others = random.nextInt(2, 600);
      for (int i = 0; i < 5_000; i++) {
        boolean isOther = random.nextInt(others) == 0;
        List<@Nullable String> row = new ArrayList<>();
        for (int field = 0; field < fields; field++) {
          int length = random.nextInt(isOther ? 300 : 12);
          String plain = field == 1 ? "" + length : "t".repeat(length);
          boolean isQuoted = isOther && field != 1 && random.nextBoolean();
          row.add(isQuoted ? plain + ",\r\n\"" : plain.isEmpty() ? null : plain);
          text.append(field == 0 ? "" : ",");
          text.append(isQuoted ? "\"" + plain + ",\r\n\"\"\"" : plain);
        }
        text.append(random.nextInt(isOther ? 2 : 500) == 0 ? "\r\n" : "\n");
        text.append(random.nextInt(300) == 0 ? "\r\n\n" : "");
        if (fields > 1 || row.getFirst() != null) {
          row.add(row.getFirst());
          expected.add(row);
        }
      }
      List<CsvColumn> columns = new ArrayList<>();
      names(fields).forEach(name -> columns.add(CsvColumn.text(name)));
      if (fields > 1) {
        columns.set(1, CsvColumn.decimal("c1", 0));
      }
      // A field may be wanted twice.
      columns.add(CsvColumn.text("c0"));
      for (long chunk : new long[] {1 << 10, 1 << 22}) {
        CsvFormat format = CsvFormat.RFC4180.named(names(fields));
        assertThat(scan(CsvScanner.of(memory(text.toString()), format).chunkBytes(chunk), columns))
            .as("%d fields, chunks of %d bytes", fields, chunk)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void reportsARecordWithAnotherNumberOfFieldsAfterManyRegularOnes() {
    for (int rows : new int[] {1, 400, 1023, 1024, 1025, 3000}) {
      for (String other : List.of("1,2,3,4", "1,2", "1,\"2", "1,2,x")) {
        CsvFormat format =
            other.contains("\"")
                ? CsvFormat.RFC4180
                : CsvFormat.RFC4180.quotedBy(CsvFormat.NO_QUOTE);
        String text = "a,b,c\n" + "1,2,3\n".repeat(rows) + other + "\n" + "1,2,3\n".repeat(9);
        assertThatThrownBy(() -> scan(text, format, CsvColumn.text("a"), CsvColumn.decimal("c", 0)))
            .isInstanceOf(BadInputException.class)
            .hasMessageContaining("line " + (rows + 2));
      }
    }
  }

  @Test
  void readsDecimalsExactly() {
    List<String> numbers =
        List.of(
            "0",
            "-0",
            "7",
            "-7",
            "+7",
            "1.5",
            "-1.5",
            ".5",
            "-.25",
            "3.",
            "12.3",
            "-99.9",
            "123456",
            "1234567",
            "12345678",
            "123456.78",
            "-123456789.01",
            "00012.50",
            "999999999999999.999",
            "-999999999999999.999",
            "0000000000000000000000.125",
            "\"-4.5\"");
    String text = "x\n" + String.join("\r\n", numbers) + "\n";
    List<String> expected =
        numbers.stream()
            .map(number -> new BigDecimal(number.replace("\"", "")))
            .map(number -> number.movePointRight(3).toBigIntegerExact().toString())
            .toList();
    assertThat(scan(text, CsvFormat.RFC4180, CsvColumn.decimal("x", 3)))
        .isEqualTo(expected.stream().map(List::of).toList());
    assertThat(
            scan(
                "x,y\n9223372036854775807,a\n-9223372036854775808,b\n",
                CsvFormat.RFC4180,
                CsvColumn.decimal("x", 0)))
        .containsExactly(List.of("9223372036854775807"), List.of("-9223372036854775808"));
  }

  @Test
  void readsRandomDecimalsAsBigDecimalDoes() {
    SplittableRandom random = new SplittableRandom(7);
    for (int scale : new int[] {0, 1, 2, 5, 6, 7, 8, 9, 18}) {
      StringBuilder text = new StringBuilder();
      List<List<String>> expected = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        long unscaled = random.nextLong(-999_999_999_999_999_999L, 1_000_000_000_000_000_000L);
        unscaled >>= random.nextInt(60);
        int digits = random.nextInt(scale + 1);
        BigDecimal value = BigDecimal.valueOf(unscaled, scale).setScale(digits, RoundingMode.DOWN);
        text.append(value.toPlainString()).append(random.nextBoolean() ? ";\n" : ";z\r\n");
        expected.add(List.of(value.movePointRight(scale).toBigIntegerExact().toString()));
      }
      CsvFormat format = new CsvFormat(';', CsvFormat.NO_QUOTE, List.of("x", "y"));
      assertThat(scan(text.toString(), format, CsvColumn.decimal("x", scale))).isEqualTo(expected);
    }
  }

  @Test
  void readsDoublesAsJavaDoes() {
    List<String> numbers =
        List.of(
            "1",
            "-1.5",
            "1e3",
            "-2.5E-7",
            "0.1",
            "123456789012345678901234567890",
            "-0",
            "9007199254740993",
            "1.7976931348623157e308",
            "4.9e-324",
            "0.30000000000000004",
            ".5");
    assertThat(scan("x\n" + String.join("\n", numbers), CsvFormat.RFC4180, CsvColumn.real("x")))
        .isEqualTo(
            numbers.stream().map(n -> List.of(Double.toString(Double.parseDouble(n)))).toList());
    assertThat(scan("x\nNaN\n-inf\nInfinity\nnan", CsvFormat.RFC4180, CsvColumn.real("x")))
        .containsExactly(List.of("NaN"), List.of("-Infinity"), List.of("Infinity"), List.of("NaN"));
  }

  @Test
  void namesTheTypeThatAFieldNeeds() {
    Map<String, CsvColumn> needed =
        Map.of(
            "1.25", CsvColumn.decimal("x", 2),
            "1e3", CsvColumn.real("x"),
            "nan", CsvColumn.real("x"),
            "99999999999999999999", CsvColumn.real("x"),
            "9223372036854775808", CsvColumn.real("x"),
            "-9223372036854775809", CsvColumn.real("x"),
            "1.1234567890123456789", CsvColumn.real("x"),
            "0.123456789012345678", CsvColumn.decimal("x", 18));
    needed.forEach(
        (number, column) ->
            assertThatThrownBy(
                    () ->
                        scan(
                            "x\n1\n" + number + "\n", CsvFormat.RFC4180, CsvColumn.decimal("x", 0)))
                .isInstanceOfSatisfying(
                    CsvTypeException.class,
                    e -> {
                      assertThat(e.needed()).isEqualTo(column);
                      assertThat(e.column()).isZero();
                      assertThat(e)
                          .hasMessageContaining("memory: line 3, column 1: ")
                          .hasMessageContaining(number);
                    }));
    assertThatThrownBy(
            () -> scan("x\n1234567890123456\n", CsvFormat.RFC4180, CsvColumn.decimal("x", 3)))
        .isInstanceOfSatisfying(
            CsvTypeException.class, e -> assertThat(e.needed()).isEqualTo(CsvColumn.real("x")));
  }

  @Test
  void reportsLineAndColumnOfWhatIsBad() {
    Map<String, String> bad =
        Map.of(
            "x,y\n1,2\n\n\"\n\n\",1\n1,a b\n", "line 7, column 2: not a number: \"a b\"",
            "x,y\n1,2\n1,-\n", "line 3, column 2: not a number: \"-\"",
            "x,y\n1,1.2.3\n", "line 2, column 2: not a number: \"1.2.3\"",
            "x,y\n1,1e\n", "line 2, column 2: not a number: \"1e\"",
            "x,y\n1,\"\"\n", "line 2, column 2: not a number: \"\"",
            "x,y\n1,1\r2\n", "line 2, column 2: not a number: \"1 2\"",
            "x,y\n1,2,3\n", "line 2: more fields than the 2 columns",
            "x,y\n1,2\n1\n", "line 3: 1 fields, too few",
            "x,y\n1,2\n\"a\"\"\n\n", "line 3: a field that begins with a quote",
            "z\n", "no column \"y\" among [z]");
    bad.forEach(
        (text, message) -> {
          for (long chunk : new long[] {1, 5, 1000}) {
            for (TextSource source : List.of(memory(text), stream(text))) {
              CsvScanner scanner =
                  CsvScanner.of(source, CsvFormat.RFC4180).chunkBytes(chunk).threads(2);
              assertThatThrownBy(() -> scan(scanner, List.of(CsvColumn.decimal("y", 0))))
                  .as(text)
                  .isInstanceOf(BadInputException.class)
                  .hasMessageContaining(source.names().getFirst() + ": ")
                  .hasMessageContaining(message);
            }
          }
        });
  }

  /** A text whose lines end with CR alone is one line, whatever its size. */
  @Test
  void messagesHaveOneLineOfLimitedSize() {
    String noLines = "x,z\r" + "1,2\r".repeat(100_000);
    for (String text : List.of(noLines, "y\r,z,y\r\n", "\"a\nb\"\n")) {
      for (TextSource source : List.of(memory(text), stream(text))) {
        CsvScanner scanner = CsvScanner.of(source, CsvFormat.RFC4180);
        String wanted = text.startsWith("y") ? "z" : "y";
        assertThatThrownBy(
                () -> scan(scanner, List.of(CsvColumn.text(wanted), CsvColumn.text("q"))))
            .isInstanceOfSatisfying(
                BadInputException.class,
                e ->
                    assertThat(e.getMessage())
                        .hasSizeLessThan(1_200)
                        .doesNotContainPattern("\\p{Cntrl}"));
      }
    }
  }

  @Test
  void reportsTheFirstErrorWhateverThreadsDo() {
    String text = "x\n" + "1\n".repeat(5_000) + "first\n" + "bad\n".repeat(5_000);
    for (int i = 0; i < 50; i++) {
      CsvScanner scanner = CsvScanner.of(memory(text), CsvFormat.RFC4180).chunkBytes(64).threads(4);
      assertThatThrownBy(() -> scan(scanner, List.of(CsvColumn.decimal("x", 0))))
          .hasMessage("memory: line 5002, column 1: not a number: \"first\"");
    }
  }

  @Test
  void readsSeveralFilesByTheirOwnNames() throws IOException {
    Path first = Files.writeString(folder.resolve("1.csv"), "\ufeff\"a\",b\n1,2\n");
    Path second = folder.resolve("2.csv.gz");
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(second))) {
      gzip.write("\n\r\nb,c,\"a\"\r\n3,x,4".getBytes(StandardCharsets.UTF_8));
    }
    Path third = Files.writeString(folder.resolve("3.csv"), "b,a");
    TextSource source = TextSource.ofFiles(List.of(first, second, third, first));
    assertThat(
            scan(
                CsvScanner.of(source, CsvFormat.RFC4180).chunkBytes(3).threads(3),
                List.of(CsvColumn.text("a"), CsvColumn.decimal("b", 0), CsvColumn.decimal("a", 1))))
        .containsExactly(List.of("1", "2", "10"), List.of("4", "3", "40"), List.of("1", "2", "10"));
    Path empty = Files.writeString(folder.resolve("4.csv"), "\n");
    assertThatThrownBy(
            () ->
                scan(
                    CsvScanner.of(TextSource.ofFiles(List.of(first, empty)), CsvFormat.RFC4180),
                    List.of(CsvColumn.text("a"))))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("4.csv: empty");
  }

  @Test
  void allBytesAreCountedWhateverTheSource() throws IOException {
    for (String text : List.of("x\n1\n2\n", "x\n1\n2", "\ufeffx\n1\n", "x\n", "\n\nx\n\n1\n\n")) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      Path file = Files.write(folder.resolve("bytes.csv"), bytes);
      for (TextSource source :
          List.of(
              memory(text),
              TextSource.ofFiles(List.of(file)),
              TextSource.ofStream("stream", new ByteArrayInputStream(bytes)))) {
        long counted =
            CsvScanner.of(source, CsvFormat.RFC4180)
                .chunkBytes(3)
                .scan(_ -> List.of(CsvColumn.text("x")), () -> _ -> {});
        assertThat(counted).as(text).isEqualTo(bytes.length);
      }
    }
  }

  @Test
  void aFailingSinkEndsTheScan() {
    String text = "x\n" + "1\n".repeat(10_000);
    CsvScanner scanner = CsvScanner.of(memory(text), CsvFormat.RFC4180).chunkBytes(16).threads(3);
    assertThatThrownBy(
            () ->
                scanner.scan(
                    _ -> List.of(CsvColumn.text("x")),
                    () ->
                        _ -> {
                          throw new IllegalStateException("full");
                        }))
        .hasMessage("full");
  }

  /** A program in which not all threads can be started: stacks take what memory there is. */
  static final class FewThreads {
    private FewThreads() {}

    static void main() {
      CsvScanner scanner =
          CsvScanner.of(memory("x\n" + "1\n".repeat(10_000)), CsvFormat.RFC4180)
              .chunkBytes(16)
              .threads(64);
      String end = "no error";
      try {
        long _ =
            scanner.scan(
                _ -> List.of(CsvColumn.text("x")),
                () -> _ -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1)));
      } catch (OutOfMemoryError e) {
        end = String.valueOf(e.getMessage());
      }
      long left =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().startsWith("gyre-csv-"))
              .count();
      System.out.println(end + ", threads: " + left);
    }
  }

  @Test
  void aThreadThatCannotStartEndsTheScan() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
    ProcessBuilder bash =
        new ProcessBuilder(
            "/bin/bash",
            "-c",
            "ulimit -v 4000000 && exec \"$0\" -Xss256m -Xmx64m -XX:+UseSerialGC"
                + " -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=32m"
                + " -XX:CompressedClassSpaceSize=64m \"$1\"",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            FewThreads.class.getName());
    bash.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    bash.environment().put("MALLOC_ARENA_MAX", "1");
    Process process = bash.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(err).isZero();
    assertThat(out).contains("unable to create native thread").contains(", threads: 0");
  }

  @Timeout(60)
  @Test
  void anErrorEndsAThreadThatWaitsForAStream() throws IOException {
    Pipe pipe = Pipe.open();
    try (Pipe.SinkChannel sink = pipe.sink()) {
      int _ = sink.write(ByteBuffer.wrap("x\n1\n1\n1\n1\n".getBytes(StandardCharsets.UTF_8)));
      CsvScanner scanner =
          CsvScanner.of(TextSource.ofChannel("pipe", pipe.source()), CsvFormat.RFC4180)
              .chunkBytes(8)
              .threads(2);
      assertThatThrownBy(
              () ->
                  scanner.scan(
                      _ -> List.of(CsvColumn.text("x")),
                      () ->
                          _ -> {
                            // Meanwhile the other thread begins to wait.
                            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
                            throw new IllegalStateException("full");
                          }))
          .hasMessage("full");
    }
  }

  @Test
  void aSinkThatInterruptsItsThreadEndsTheScan() {
    String text = "x\n" + "1\n".repeat(10_000);
    CsvScanner scanner = CsvScanner.of(memory(text), CsvFormat.RFC4180).chunkBytes(16).threads(3);
    assertThatThrownBy(
            () ->
                scanner.scan(
                    _ -> List.of(CsvColumn.text("x")),
                    () -> _ -> Thread.currentThread().interrupt()))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void refusesFormatsThatAreAmbiguous() {
    for (char bad : new char[] {'\n', '\r', 'é', '"', 0}) {
      assertThatThrownBy(() -> CsvFormat.RFC4180.separatedBy(bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> CsvFormat.RFC4180.named(List.of("a", "a")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

package dev.gyre.structures.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.CsvRows;
import dev.gyre.datasets.CsvScanner;
import dev.gyre.datasets.CsvTypeException;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that a device groups, beside a model that keeps all values of each group. */
@ConformanceSuite
class GroupTextTest {

  private static final int SCALE = 4;

  private static final CsvFormat FORMAT =
      new CsvFormat(';', CsvFormat.NO_QUOTE, List.of("name", "t"));

  private static final List<CsvColumn> COLUMNS =
      List.of(CsvColumn.text("name"), CsvColumn.decimal("t", SCALE));

  private static @Nullable Launcher own;

  @BeforeAll
  static void open() {
    own = TargetUnderTest.device() == null ? JvmLauncher.ofWorkers(2) : null;
  }

  @AfterAll
  static void close() {
    if (own != null) {
      own.close();
    }
  }

  @BeforeEach
  void isNoGroup() {
    TargetUnderTest.assumeAlone();
  }

  private static Launcher launcher() {
    Launcher device = TargetUnderTest.device();
    return device == null ? Objects.requireNonNull(own) : device;
  }

  /** Texts and numbers of a row as they are; null is an empty field. */
  private record Input(@Nullable String key, @Nullable String number) {
    @Override
    public String toString() {
      return (key == null ? "" : key) + ";" + (number == null ? "" : number);
    }
  }

  private static GroupBy groups() {
    return GroupBy.on("name").count().count("t").sum("t").min("t").max("t").mean("t");
  }

  private static CsvScanner.Sink sink(GroupBy groups, List<CsvColumn> columns) {
    Batch batch = new Batch(0);
    return rows -> {
      Batch _ = batch.rows(rows.count());
      for (int i = 0; i < columns.size(); i++) {
        add(batch, rows, i, columns.get(i));
      }
      groups.add(batch);
    };
  }

  private static void add(Batch batch, CsvRows rows, int index, CsvColumn column) {
    Batch _ =
        column.type() == CsvColumn.Type.TEXT
            ? batch.texts(column.name(), rows.bytes(), rows.offsets(index), rows.lengths(index))
            : batch.decimals(column.name(), rows.decimals(index), column.scale());
    Batch _ = batch.valid(column.name(), rows.valid(index));
  }

  private static GroupText text(
      GroupBy groups, CsvFormat format, List<CsvColumn> columns, long sample, long piece) {
    return new GroupText(
            launcher(),
            groups,
            format,
            columns,
            i -> columns.get(i).name(),
            () -> sink(groups, columns))
        .sizes(sample, piece);
  }

  private static Map<String, String> read(Groups result) {
    Map<String, String> all = new TreeMap<>();
    for (long row = 0; row < result.rows(); row++) {
      long at = row;
      GroupColumn key = result.column("name");
      String values =
          List.of("count", "count(t)", "sum(t)", "min(t)", "max(t)", "mean(t)").stream()
              .map(result::column)
              .map(
                  c ->
                      c.isNull(at)
                          ? "null"
                          : c.decimal(at, c.type() == GroupColumn.Type.LONG ? 0 : SCALE))
              .map(Object::toString)
              .collect(Collectors.joining(" "));
      all.put(key.isNull(row) ? "null" : "'" + key.text(row) + "'", values);
    }
    return all;
  }

  /** Returns what the model says of rows. */
  private static Map<String, String> model(List<Input> rows) {
    Map<String, List<Input>> byKey =
        rows.stream()
            .collect(Collectors.groupingBy(r -> r.key() == null ? "null" : "'" + r.key() + "'"));
    Map<String, String> all = new TreeMap<>();
    byKey.forEach(
        (key, of) -> {
          List<BigDecimal> numbers =
              of.stream()
                  .filter(r -> r.number() != null)
                  .map(r -> new BigDecimal(r.number()).setScale(SCALE))
                  .sorted()
                  .toList();
          String values = "null null null null";
          if (!numbers.isEmpty()) {
            BigDecimal sum = numbers.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
            BigDecimal half = new BigDecimal("0.00005");
            BigDecimal mean =
                sum.divide(BigDecimal.valueOf(numbers.size()), 40, RoundingMode.FLOOR)
                    .add(half)
                    .setScale(SCALE, RoundingMode.FLOOR);
            values =
                "%s %s %s %s"
                    .formatted(sum, numbers.getFirst(), numbers.getLast(), mean.toPlainString());
          }
          all.put(key, of.size() + " " + numbers.size() + " " + values);
        });
    return all;
  }

  private static MemorySegment bytes(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(List<Input> rows, String lineEnd) {
    return rows.stream().map(r -> r + lineEnd).collect(Collectors.joining());
  }

  private static void check(List<Input> rows, String text, long sample, long piece) {
    check(rows, text, FORMAT, sample, piece);
  }

  private static void check(
      List<Input> rows, String text, CsvFormat format, long sample, long piece) {
    try (GroupBy groups = groups();
        GroupText all = text(groups, format, COLUMNS, sample, piece)) {
      long read = all.add(TextSource.ofMemory(bytes(text)), ByteProgress.NONE);
      assertThat(read).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
      try (Groups result = groups.result()) {
        assertThat(read(result)).isEqualTo(model(rows));
      }
    }
  }

  /** Numbers of many forms. */
  private static String number(Random random) {
    long digits = 1;
    for (int i = random.nextInt(14); i > 0; i--) {
      digits *= 10;
    }
    int scale = random.nextInt(SCALE + 1);
    BigDecimal value = BigDecimal.valueOf(random.nextLong(-digits, digits + 1), scale);
    String text = value.toPlainString();
    return switch (random.nextInt(12)) {
      case 0 -> text.startsWith("-") ? text : "+" + text;
      case 1 -> text.contains(".") ? text : text + ".";
      case 2 -> text.replaceFirst("^(-?)0[.]", "$1.");
      default -> text;
    };
  }

  private static String key(Random random, int keys) {
    int number = random.nextInt(random.nextInt(1, keys + 1));
    Random ofKey = new Random(number);
    int length = ofKey.nextInt(20) == 0 ? ofKey.nextInt(300) : ofKey.nextInt(14);
    StringBuilder key = new StringBuilder("k" + number);
    for (int i = 0; i < length; i++) {
      key.appendCodePoint(List.of(65, 0x7f, 0xe9, 0x20ac, 0x1f40b, 34).get(ofKey.nextInt(6)));
    }
    return key.toString();
  }

  private static List<Input> rows(long seed, int count, int keys) {
    Random random = new Random(seed);
    return IntStream.range(0, count)
        .mapToObj(
            _ ->
                new Input(
                    random.nextInt(50) == 0 ? null : key(random, keys),
                    random.nextInt(50) == 0 ? null : number(random)))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void groupsAreThoseOfTheModel(long seed) {
    List<Input> rows = rows(seed, 20_000, seed % 2 == 0 ? 40 : 3_000);
    String text = text(rows, seed % 3 == 0 ? "\r\n" : "\n");
    check(rows, text, 1 << 10, 1 << 14);
    check(rows, text.stripTrailing(), 1 << 14, 1 << 20);
  }

  @Test
  void manyKeysAreKnownAfterTheSample() {
    Random random = new Random(9);
    List<Input> rows =
        IntStream.range(0, 60_000)
            .mapToObj(i -> new Input("station" + i % 20_000, "" + (random.nextInt(1999) - 999)))
            .toList();
    String text = text(rows, "\n");
    check(rows, text, text.length() / 2, 1 << 20);
    check(rows, text, 1 << 10, 1 << 18);
  }

  @Test
  void piecesMayEndAnywhere() {
    List<Input> rows = rows(77, 24, 5);
    String text = text(rows, "\n") + "\n\r\n" + new Input("last", "7");
    List<Input> all = new ArrayList<>(rows);
    all.add(new Input("last", "7"));
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    for (int piece = 1; piece <= length; piece += piece < 40 ? 1 : 17) {
      check(all, text, length / 3, piece);
    }
  }

  @Test
  void namesAndMarkAreNoRows() {
    List<Input> rows = rows(5, 300, 5);
    CsvFormat named = new CsvFormat(';', CsvFormat.NO_QUOTE, null);
    check(rows, "\ufeff\n\nname;t\n" + text(rows, "\n"), named, 1 << 10, 1 << 10);
    check(rows, "\ufeff" + text(rows, "\n"), FORMAT, 1 << 10, 1 << 10);
    check(List.of(), "name;t", named, 1 << 10, 1 << 10);
    check(List.of(), "", FORMAT, 1 << 10, 1 << 10);
    check(List.of(new Input("a", "1")), "a;1", FORMAT, 1 << 10, 1 << 10);
  }

  @Test
  void namesMayBeginWithAnyByte() {
    List<CsvColumn> columns = List.of(CsvColumn.text("город"));
    CsvFormat format = new CsvFormat('\t', CsvFormat.NO_QUOTE, null);
    try (GroupBy groups = GroupBy.on("город").count();
        GroupText text = text(groups, format, columns, 1 << 10, 1 << 10)) {
      MemorySegment rows = bytes("город\tт\nКиев\t1.5\nКиев\t2.5\n");
      long _ = text.add(TextSource.ofMemory(rows), ByteProgress.NONE);
      try (Groups result = groups.result()) {
        assertThat(result.column("count").getLong(0)).isEqualTo(2);
      }
    }
  }

  /** Sums beyond 64 bits have exact means; values are too large for the sums of a block. */
  @Test
  void largeNumbersAreExact() {
    String large = "99999999999999.9999";
    List<Input> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      rows.add(new Input("a", large));
      rows.add(new Input("b", "-" + large));
      rows.add(new Input("c", i % 2 == 0 ? large : "-" + large));
    }
    try (GroupBy groups = GroupBy.on("name").mean("t").min("t").max("t");
        GroupText text = text(groups, FORMAT, COLUMNS, 1 << 10, 1 << 10)) {
      long _ = text.add(TextSource.ofMemory(bytes(text(rows, "\n"))), ByteProgress.NONE);
      assertThat(text.rows()).isEqualTo(rows.size());
      try (Groups result = groups.result();
          RowNumbers order = result.order(Groups.By.ascending("name"))) {
        GroupColumn means = result.column("mean(t)");
        assertThat(means.decimal(order.get(0), SCALE)).isEqualTo(large);
        assertThat(means.decimal(order.get(1), SCALE)).isEqualTo("-" + large);
        assertThat(means.decimal(order.get(2), SCALE)).isEqualTo("0.0000");
        assertThat(result.column("min(t)").decimal(order.get(2), SCALE)).isEqualTo("-" + large);
      }
    }
    try (GroupBy groups = groups();
        GroupText text = text(groups, FORMAT, COLUMNS, 1 << 10, 1 << 10)) {
      long _ = text.add(TextSource.ofMemory(bytes(text(rows, "\n"))), ByteProgress.NONE);
      assertThatThrownBy(groups::result).isInstanceOf(ArithmeticException.class);
    }
  }

  @Test
  void severalColumnsAreAggregatedInAnyOrder() {
    List<CsvColumn> columns =
        List.of(CsvColumn.text("k"), CsvColumn.decimal("z", 1), CsvColumn.decimal("a", 0));
    CsvFormat format =
        new CsvFormat(',', CsvFormat.NO_QUOTE, List.of("x", "a", "k", "skipped", "z"));
    Random random = new Random(3);
    StringBuilder text = new StringBuilder();
    long[] sums = new long[2];
    for (int i = 0; i < 1_000; i++) {
      int a = random.nextInt(100_000);
      int z = random.nextInt(-500, 500);
      sums[0] += a;
      sums[1] += z;
      text.append("%d,%d,key,?,%s\n".formatted(i, a, BigDecimal.valueOf(z, 1)));
    }
    try (GroupBy groups = GroupBy.on("k").sum("a").sum("z").count("k");
        GroupText all = text(groups, format, columns, 100, 1_000)) {
      long _ = all.add(TextSource.ofMemory(bytes(text.toString())), ByteProgress.NONE);
      assertThat(all.rows()).isEqualTo(1_000);
      try (Groups result = groups.result()) {
        assertThat(result.rows()).isEqualTo(1);
        assertThat(result.column("sum(a)").getLong(0)).isEqualTo(sums[0]);
        assertThat(result.column("sum(z)").getLong(0)).isEqualTo(sums[1]);
        assertThat(result.column("count(k)").getLong(0)).isEqualTo(1_000);
      }
    }
  }

  @Test
  void severalTextsAddUp() {
    List<Input> one = rows(31, 3_000, 50);
    List<Input> two = rows(32, 3_000, 90);
    List<Input> both = new ArrayList<>(one);
    both.addAll(two);
    byte[] text = text(two, "\n").getBytes(StandardCharsets.UTF_8);
    try (GroupBy groups = groups();
        GroupText all = text(groups, FORMAT, COLUMNS, 1 << 12, 1 << 13);
        Memory memory = pinned(text.length + 100)) {
      long _ = all.add(TextSource.ofMemory(bytes(text(one, "\n"))), ByteProgress.NONE);
      MemorySegment.copy(MemorySegment.ofArray(text), 0, memory.segment(), 0, text.length);
      assertThat(all.add(memory, text.length)).isEqualTo(text.length);
      try (Groups result = groups.result()) {
        assertThat(read(result)).isEqualTo(model(both));
      }
    }
  }

  private static Memory pinned(long bytes) {
    try {
      return launcher().memory(MemoryKind.PINNED, bytes);
    } catch (MemoryKindException e) {
      return Memory.ofBytes(bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "1e", "--1", "1.2.3", "1 ", "12;3", "", "-"})
  void errorsAreThoseOfTheScanner(String number, @TempDir Path folder) {
    String line = number.isEmpty() ? "only a key" : "key;" + number;
    String good = "key;1.5\n".repeat(500);
    Path file = folder.resolve("bad.txt");
    write(file, good + line + "\n" + good);
    TextSource source = TextSource.ofFiles(List.of(file));
    assertThatThrownBy(() -> CsvScanner.of(source, FORMAT).scan(_ -> COLUMNS, () -> _ -> {}))
        .isInstanceOfSatisfying(
            BadInputException.class,
            expected -> {
              for (long sample : new long[] {100, 1 << 20}) {
                try (GroupBy groups = groups();
                    GroupText text = text(groups, FORMAT, COLUMNS, sample, 1 << 10)) {
                  assertThatThrownBy(() -> text.add(source, ByteProgress.NONE))
                      .isInstanceOf(BadInputException.class)
                      .hasMessage(expected.getMessage())
                      .hasMessageContaining("line 501");
                }
              }
            });
  }

  @Test
  void otherTypesAreReported() {
    String good = "key;1.5\n".repeat(500);
    for (String number : List.of("1.23456", "1e3", "1234567890123456789")) {
      try (GroupBy groups = groups();
          GroupText text = text(groups, FORMAT, COLUMNS, 100, 1 << 10)) {
        String all = good + "key;" + number + "\n";
        assertThatThrownBy(() -> text.add(TextSource.ofMemory(bytes(all)), ByteProgress.NONE))
            .isInstanceOfSatisfying(
                CsvTypeException.class, e -> assertThat(e.column()).isEqualTo(1));
      }
    }
  }

  @Test
  void whatADeviceCannotDoIsRefused(@TempDir Path folder) {
    try (GroupBy groups = groups()) {
      refused(groups, CsvFormat.RFC4180, COLUMNS, "quoted");
      refused(groups, FORMAT, List.of(CsvColumn.text("name"), CsvColumn.real("t")), "column t");
      refused(groups, FORMAT, List.of(CsvColumn.text("name")), "missing");
      refused(groups.distinct("t"), FORMAT, COLUMNS, "distinct");
    }
    try (GroupBy groups = GroupBy.on("name").count()) {
      refused(groups, FORMAT, COLUMNS, "no aggregate");
    }
    try (GroupBy groups = GroupBy.on("name", "t").count()) {
      refused(groups, FORMAT, List.of(CsvColumn.text("name"), CsvColumn.text("t")), "one column");
    }
    try (GroupBy groups = groups();
        GroupText text = text(groups, FORMAT, COLUMNS, 100, 100)) {
      TextSource stream = TextSource.ofStream("stream", new ByteArrayInputStream(new byte[0]));
      assertThatThrownBy(() -> text.add(stream, ByteProgress.NONE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("stream");
    }
    assertThat(folder).isEmptyDirectory();
  }

  private static void refused(
      GroupBy groups, CsvFormat format, List<CsvColumn> columns, String why) {
    assertThatThrownBy(() -> text(groups, format, columns, 100, 100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

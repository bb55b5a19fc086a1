package dev.gyre.structures.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryRange;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.FailingAllocations;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.Others;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.arrow.ArrowColumns;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Columns.ColumnType;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of columns that a device groups, beside the JVM and a model. */
@ConformanceSuite
class GroupColumnsTest {

  private static final int SLOTS = 1 << 12;
  private static final int PIECE = 1 << 12;

  private static final List<Long> LONGS =
      List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 31, -(1L << 31), (1L << 32) - 1);

  private static final List<Double> DOUBLES =
      List.of(
          0.0,
          -0.0,
          Double.NaN,
          Double.longBitsToDouble(0xfff8_0000_0000_0001L),
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY,
          Double.MIN_VALUE,
          1.5);

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

  private static GroupColumns device(GroupBy groups) {
    return new GroupColumns(launcher(), groups, SLOTS, PIECE);
  }

  private static GroupBy groups(String... keys) {
    return GroupBy.on(keys).count().count("v").min("v").max("v").mean("v").min("w").sum("w");
  }

  /** Random elements: some are special, and few values are frequent. */
  private static Columns column(ColumnType type, Random random, int rows, int distinct) {
    long base = random.nextLong();
    long[] longs = new long[rows];
    double[] doubles = new double[rows];
    for (int i = 0; i < rows; i++) {
      int number = random.nextInt(random.nextInt(1, distinct + 1));
      int special = number % 32;
      longs[i] = special < LONGS.size() ? LONGS.get(special) : base * (number | 1);
      // Sums of these are exact.
      doubles[i] = number % 4096 / 4.0 - 100;
    }
    return switch (type) {
      case INT -> Columns.ints(Arrays.stream(longs).mapToInt(i -> (int) i).toArray());
      case LONG -> Columns.longs(longs);
      case FLOAT -> {
        float[] floats = new float[rows];
        for (int i = 0; i < rows; i++) {
          floats[i] = (float) doubles[i];
        }
        yield Columns.floats(floats);
      }
      case DOUBLE -> Columns.doubles(doubles);
    };
  }

  private static long[] bits(Random random) {
    return random.longs(400).map(bits -> bits | bits << 7).toArray();
  }

  private static long bits(GroupColumn column, long row) {
    return column.type() == GroupColumn.Type.DOUBLE
        ? Double.doubleToRawLongBits(column.getDouble(row))
        : column.getLong(row);
  }

  private static String text(GroupColumn column, long row) {
    return switch (column.type()) {
      case TEXT -> Arrays.toString(column.bytes(row).toArray(ValueLayout.JAVA_BYTE));
      case MEAN -> "" + column.decimal(row, 3);
      default -> "" + bits(column, row);
    };
  }

  /** Returns all values, by the bits of the keys. */
  private static Map<String, String> read(Groups result, int keys) {
    Map<String, String> all = new TreeMap<>();
    for (long row = 0; row < result.rows(); row++) {
      List<String> texts = new ArrayList<>();
      for (GroupColumn column : result.columns()) {
        texts.add(column.isNull(row) ? "null" : text(column, row));
      }
      String key = String.join(" ", texts.subList(0, keys));
      assertThat(all.put(key, String.join(" ", texts.subList(keys, texts.size())))).isNull();
    }
    return all;
  }

  private static void checkLikeJvm(List<Batch> batches, int slots, int piece, String... keys) {
    try (GroupBy expected = groups(keys);
        GroupBy actual = groups(keys);
        GroupColumns device = new GroupColumns(launcher(), actual, slots, piece)) {
      for (Batch batch : batches) {
        expected.add(batch);
        device.add(batch);
      }
      assertThat(device.rows()).isEqualTo(batches.stream().mapToLong(Batch::rows).sum());
      try (Groups one = expected.result();
          Groups two = actual.result()) {
        assertThat(read(two, keys.length)).isEqualTo(read(one, keys.length));
      }
    }
  }

  private static Batch batch(ColumnType key, ColumnType value, Random random, int distinct) {
    int rows = random.nextInt(20_000);
    return new Batch(rows)
        .numbers("k", column(key, random, rows, distinct))
        .numbers("l", column(key == ColumnType.INT ? value : key, random, rows, 3))
        .numbers("v", column(value, random, rows, 5000))
        .numbers("w", column(ColumnType.INT, random, rows, 100));
  }

  @ParameterizedTest
  @EnumSource(ColumnType.class)
  void groupsAreThoseOfTheJvm(ColumnType type) {
    for (ColumnType value : ColumnType.values()) {
      Random random = new Random((type + " " + value).hashCode());
      List<Batch> batches =
          IntStream.range(0, 3).mapToObj(_ -> batch(type, value, random, 3000)).toList();
      batches.getLast().valid("k", bits(random)).valid("v", bits(random));
      checkLikeJvm(batches, SLOTS, PIECE, "k");
      checkLikeJvm(batches, SLOTS, PIECE, "k", "l");
    }
  }

  /** The table is full again and again, and rows are launched again. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 100})
  void smallTablesGrow(int slots) {
    Random random = new Random(slots);
    List<Batch> batches =
        List.of(
            batch(ColumnType.LONG, ColumnType.LONG, random, 3),
            batch(ColumnType.LONG, ColumnType.LONG, random, 20_000));
    checkLikeJvm(batches, slots, PIECE, "k");
    checkLikeJvm(batches, slots, PIECE, "l", "k");
  }

  @Test
  void piecesMayHaveAnySize() {
    Batch batch = batch(ColumnType.DOUBLE, ColumnType.FLOAT, new Random(5), 50).rows(20);
    for (int piece = 1; piece <= 21; piece++) {
      checkLikeJvm(List.of(batch, batch), SLOTS, piece, "k");
      checkLikeJvm(List.of(batch), SLOTS, piece, "k", "l");
    }
    checkLikeJvm(List.of(batch.rows(0)), SLOTS, PIECE, "k");
  }

  /** The JVM is not asked. */
  @Test
  void longsOfTheWholeRangeAreExact() {
    int rows = 30_000;
    Random random = new Random(77);
    long[] keys = random.longs(rows, -3, 30).toArray();
    long[] values =
        column(ColumnType.LONG, random, rows, 400).segment(0).toArray(ValueLayout.JAVA_LONG);
    Map<Long, List<Long>> model = new HashMap<>();
    for (int i = 0; i < rows; i++) {
      model.computeIfAbsent(keys[i], _ -> new ArrayList<>()).add(values[i]);
    }
    try (GroupBy groups = GroupBy.on("k").count().mean("v").min("v").max("v");
        GroupColumns device = device(groups)) {
      device.add(new Batch(rows).numbers("k", Columns.longs(keys)).decimals("v", values, 0));
      try (Groups result = groups.result()) {
        assertThat(result.rows()).isEqualTo(model.size());
        for (long row = 0; row < result.rows(); row++) {
          List<Long> of = Objects.requireNonNull(model.get(result.column("k").getLong(row)));
          BigInteger sum =
              of.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
          String mean =
              new BigDecimal(sum)
                  .divide(BigDecimal.valueOf(of.size()), 40, RoundingMode.FLOOR)
                  .add(new BigDecimal("0.5"))
                  .setScale(0, RoundingMode.FLOOR)
                  .toPlainString();
          assertThat(result.column("count").getLong(row)).isEqualTo(of.size());
          assertThat(result.column("mean(v)").decimal(row, 0)).isEqualTo(mean);
          assertThat(result.column("min(v)").getLong(row))
              .isEqualTo(of.stream().min(Long::compare).get());
          assertThat(result.column("max(v)").getLong(row))
              .isEqualTo(of.stream().max(Long::compare).get());
        }
      }
    }
  }

  /** A sum that overflows on the way and then fits is no error. */
  @Test
  void onlyFinalSumsOverflow() {
    long[] values = {Long.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE, 2};
    Batch batch =
        new Batch(5).numbers("k", Columns.ints(new int[5])).numbers("v", Columns.longs(values));
    try (GroupBy groups = GroupBy.on("k").sum("v");
        GroupColumns device = device(groups)) {
      device.add(batch);
      try (Groups result = groups.result()) {
        assertThat(result.column("sum(v)").getLong(0)).isEqualTo(0);
      }
      device.add(batch.rows(1));
      try (Groups result = groups.result()) {
        assertThat(result.column("sum(v)").getLong(0)).isEqualTo(Long.MAX_VALUE);
      }
      device.add(batch.rows(1));
      assertThatThrownBy(groups::result).isInstanceOf(ArithmeticException.class);
    }
  }

  @Test
  void specialDoublesAreThoseOfTheJvm() {
    int rows = 4_000;
    Random random = new Random(3);
    double[] keys = random.ints(rows, 0, 8).mapToDouble(DOUBLES::get).toArray();
    double[] values = random.ints(rows, 0, 8).mapToDouble(DOUBLES::get).toArray();
    float[] floats = new float[rows];
    for (int i = 0; i < rows; i++) {
      floats[i] = (float) keys[i];
    }
    double[] last = {-0.0, -0.0};
    List<Batch> batches =
        List.of(
            new Batch(rows)
                .numbers("k", Columns.doubles(keys))
                .numbers("v", Columns.doubles(values)),
            new Batch(rows)
                .numbers("k", Columns.floats(floats))
                .numbers("v", Columns.doubles(values)),
            new Batch(2)
                .numbers("k", Columns.doubles(new double[] {77, 78}))
                .numbers("v", Columns.doubles(last)));
    try (GroupBy expected = GroupBy.on("k").count().min("v").max("v").sum("v");
        GroupBy actual = GroupBy.on("k").count().min("v").max("v").sum("v");
        GroupColumns device = device(actual)) {
      for (Batch batch : batches) {
        expected.add(batch);
        device.add(batch);
      }
      try (Groups one = expected.result();
          Groups two = actual.result()) {
        assertThat(read(two, 1)).isEqualTo(read(one, 1));
      }
    }
  }

  /** The error of a sum is within the bound that GroupBy promises. */
  @Test
  void sumsOfDoublesAreWithinTheBound() {
    int rows = 50_000;
    Random random = new Random(8);
    double[] values =
        random.doubles(rows).map(x -> (x - 0.5) * Math.pow(10, random.nextInt(12))).toArray();
    BigDecimal sum = BigDecimal.ZERO;
    BigDecimal absolute = BigDecimal.ZERO;
    for (double value : values) {
      sum = sum.add(new BigDecimal(value));
      absolute = absolute.add(new BigDecimal(value).abs());
    }
    BigDecimal bound = absolute.multiply(new BigDecimal(rows * 0x1.0p-53));
    try (GroupBy groups = GroupBy.on("k").sum("v");
        GroupColumns device = device(groups)) {
      device.add(
          new Batch(rows)
              .numbers("k", Columns.ints(new int[rows]))
              .numbers("v", Columns.doubles(values)));
      try (Groups result = groups.result()) {
        BigDecimal found = new BigDecimal(result.column("sum(v)").getDouble(0));
        assertThat(found.subtract(sum).abs()).isLessThanOrEqualTo(bound);
      }
    }
  }

  /** Columns are where they are: in arrays, in segments at any address, and in pinned memory. */
  @Test
  void columnsMayBeAnywhere() {
    int rows = 40_000;
    long[] keys = new Random(4).longs(rows, 0, 500).toArray();
    int[] values = new Random(5).ints(rows).toArray();
    try (Arena arena = Arena.ofShared();
        Memory memory = pinned(rows * 8L);
        GroupBy expected = GroupBy.on("k").sum("v").count();
        GroupBy actual = GroupBy.on("k").sum("v").count();
        GroupColumns device = device(actual)) {
      MemorySegment odd = arena.allocate(rows * 4L + 1, 8).asSlice(1);
      MemorySegment.copy(MemorySegment.ofArray(values), 0, odd, 0, rows * 4L);
      MemorySegment.copy(MemorySegment.ofArray(keys), 0, memory.segment(), 0, rows * 8L);
      Batch arrays =
          new Batch(rows).numbers("k", Columns.longs(keys)).numbers("v", Columns.ints(values));
      Batch others =
          new Batch(rows)
              .numbers("k", Columns.of(ColumnType.LONG, memory, rows))
              .numbers("v", Columns.of(ColumnType.INT, odd));
      Batch part =
          new Batch(rows - 777)
              .numbers("k", Columns.of(ColumnType.LONG, memory, rows).part(777, rows - 777))
              .numbers("v", Columns.of(ColumnType.INT, odd).part(777, rows - 777));
      for (Batch batch : List.of(arrays, others, part)) {
        expected.add(batch);
        device.add(batch);
      }
      try (Groups one = expected.result();
          Groups two = actual.result()) {
        assertThat(read(two, 1)).isEqualTo(read(one, 1));
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

  /** Also nulls and texts of other libraries. */
  @ParameterizedTest
  @ValueSource(strings = {"k", "t", "t k"})
  void columnsOfOtherLibrariesAreRead(String columns) {
    String[] keys = columns.split(" ");
    Random random = new Random(12);
    int rows = 1_000;
    List<@Nullable String> texts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      texts.add(random.nextInt(9) == 0 ? null : "a text number " + random.nextInt(99));
    }
    Batch batch =
        batch(ColumnType.LONG, ColumnType.DOUBLE, random, 900)
            .rows(rows)
            .texts("t", texts)
            .valid("k", bits(random))
            .valid("v", bits(random));
    try (Arena arena = Arena.ofShared();
        GroupBy made = GroupBy.on("k", "t").sum("v").count();
        GroupBy expected = GroupBy.on(keys).sum("sum(v)").count("sum(v)").max("count");
        GroupBy actual = GroupBy.on(keys).sum("sum(v)").count("sum(v)").max("count");
        GroupColumns device = new GroupColumns(launcher(), actual, SLOTS, 300)) {
      made.add(batch);
      // An ArrowArray and an ArrowSchema.
      long array = arena.allocate(80, 8).address();
      long schema = arena.allocate(72, 8).address();
      try (Groups result = made.result()) {
        result.exportTo(array, schema);
      }
      try (ArrowColumns imported = ArrowColumns.importFrom(array, schema)) {
        expected.add(Batch.of(imported));
        device.add(Batch.of(imported));
        assertThat(device.rows()).isEqualTo(imported.rows());
      }
      try (Groups one = expected.result();
          Groups two = actual.result()) {
        assertThat(read(two, keys.length)).isEqualTo(read(one, keys.length));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"k", "t", "k t"})
  void memoryThatIsMissingIsReported(String columns) throws Exception {
    String[] columnNames = columns.split(" ");
    long[] keys = LongStream.range(0, 200).toArray();
    Batch batch =
        new Batch(keys.length)
            .numbers("k", Columns.longs(keys))
            .texts("t", LongStream.of(keys).<@Nullable String>mapToObj(i -> "key " + i).toList())
            .numbers("v", Columns.longs(keys.clone()))
            .valid("v", bits(new Random(2)));
    int failures =
        FailingAllocations.ofAll(
            () -> {
              try (GroupBy groups = GroupBy.on(columnNames).sum("v");
                  GroupColumns device = new GroupColumns(launcher(), groups, 100, PIECE)) {
                device.add(batch);
                try (Groups result = groups.result()) {
                  assertThat(result.rows()).isEqualTo(keys.length);
                }
              } catch (LaunchException e) {
                // Of the memory that blocks share on the JVM.
                throw e.getCause() instanceof MemoryExhaustedException cause ? cause : e;
              }
            });
    assertThat(failures).isGreaterThan(4);
  }

  /** Keys alone, and counts of texts, of which the device reads only which are null. */
  @Test
  void countsNeedNoValues() {
    Batch batch =
        new Batch(5)
            .numbers("k", Columns.longs(new long[] {3, 0, 3, -1, 3}))
            .texts("t", List.of("a", "b", "c", "d", "e"));
    try (GroupBy groups = GroupBy.on("k").count("t");
        GroupBy keys = GroupBy.on("k");
        GroupColumns device = device(groups);
        GroupColumns deviceOfKeys = device(keys)) {
      device.add(batch);
      deviceOfKeys.add(batch);
      try (Groups result = groups.result();
          Groups resultOfKeys = keys.result()) {
        assertThat(read(result, 1)).isEqualTo(Map.of("3", "3", "0", "1", "-1", "1"));
        assertThat(read(resultOfKeys, 1)).isEqualTo(Map.of("3", "", "0", "", "-1", ""));
      }
    }
  }

  /** Nulls of one batch only; bits that are all set are no nulls. */
  @Test
  void nullsAreSkippedAndCounted() {
    long[] keys = {1, 2, 1};
    Batch batch =
        new Batch(3).numbers("k", Columns.longs(keys)).numbers("v", Columns.longs(keys.clone()));
    try (GroupBy groups = GroupBy.on("k").count().count("v").sum("v");
        GroupColumns device = device(groups)) {
      device.add(batch.valid("v", new long[] {7}));
      device.add(batch.valid("v", new long[] {5}));
      device.add(batch.valid("v", null).valid("k", new long[] {6}));
      device.add(batch.valid("v", new long[] {0}).valid("k", new long[] {0}));
      assertThat(device.rows()).isEqualTo(12);
      assertThat(sums(groups)).isEqualTo(Map.of("1", "5 5 5", "2", "3 2 4", "null", "4 1 1"));
    }
  }

  /** Random columns with nulls and texts, beside a model that knows neither JVM nor device. */
  @ParameterizedTest
  @ValueSource(strings = {"k", "l", "t", "k l", "l k", "t k", "l t", "t u", "k l v", "t k u l"})
  void groupsAreThoseOfTheModel(String columns) {
    String[] keys = columns.split(" ");
    for (int seed = 0; seed < 2; seed++) {
      Random random = new Random(columns.hashCode() + seed);
      int slots = 1 << random.nextInt(14);
      int piece = random.nextInt(1, 2_000);
      RowModel model = new RowModel(keys);
      try (GroupBy groups = RowModel.groups(keys);
          GroupColumns device = new GroupColumns(launcher(), groups, slots, piece)) {
        for (int step = 0; step < 6; step++) {
          switch (random.nextInt(5)) {
            case 0 -> groups.add(model.add(random));
            case 1 -> model.check(groups);
            default -> device.add(model.add(random));
          }
        }
        model.check(groups);
      }
    }
  }

  /** More rows than are numbered at a time, a frequent key, and texts of all lengths. */
  @Test
  void manyTextsAreNumbered() {
    int rows = 1_200_000;
    Random random = new Random(9);
    byte[] bytes = new byte[1 << 10];
    random.nextBytes(bytes);
    long[] offsets = new long[rows];
    int[] lengths = new int[rows];
    long[] numbers = new long[rows];
    for (int i = 0; i < rows; i++) {
      int key = random.nextInt(4) == 0 ? random.nextInt(60_000) : random.nextInt(3);
      offsets[i] = key % 900;
      lengths[i] = key / 900 % 100;
      numbers[i] = key;
    }
    Batch batch =
        new Batch(rows)
            .texts("t", MemorySegment.ofArray(bytes), offsets, lengths)
            .numbers("n", Columns.longs(numbers));
    for (String[] keys : new String[][] {{"t"}, {"n", "t"}}) {
      try (GroupBy expected = GroupBy.on(keys).count().sum("n");
          GroupBy actual = GroupBy.on(keys).count().sum("n");
          GroupColumns device = new GroupColumns(launcher(), actual, 1 << 14, 1 << 20)) {
        expected.add(batch);
        device.add(batch);
        device.add(batch.rows(1_000));
        expected.add(batch);
        batch.rows(rows);
        try (Groups one = expected.result();
            Groups two = actual.result()) {
          assertThat(read(two, keys.length)).isEqualTo(read(one, keys.length));
        }
      }
    }
  }

  /**
   * Copies memories to the host whenever they are read, also if no kernel has run since: what the
   * host has changed meanwhile is lost.
   */
  private static final class CopyingLauncher extends ForwardingLauncher {

    private final Map<Memory, byte[]> onDevice = new HashMap<>();
    private final Set<Memory> read = new HashSet<>();
    private int readsLeft = Integer.MAX_VALUE;

    CopyingLauncher() {
      super(launcher());
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      onDevice.clear();
      return super.start(kernel, shape, mode);
    }

    @Override
    public void clear(Memory... memories) {
      onDevice.keySet().removeAll(Set.of(memories));
      super.clear(memories);
    }

    @Override
    public void readBack(MemoryRange... ranges) {
      if (readsLeft-- == 0) {
        throw new MemoryExhaustedException("as asked", 1, null);
      }
      super.readBack(ranges);
      for (MemoryRange range : ranges) {
        Memory memory = range.memory();
        MemorySegment onHost = memory.segment();
        byte[] bytes = onDevice.computeIfAbsent(memory, _ -> onHost.toArray(ValueLayout.JAVA_BYTE));
        MemorySegment.copy(bytes, 0, onHost, ValueLayout.JAVA_BYTE, 0, bytes.length);
        read.add(memory);
      }
    }
  }

  /** If memory does not suffice, groups that were not taken stay on the device. */
  @ParameterizedTest
  @ValueSource(strings = {"k", "t", "l k"})
  void groupsStayIfMemoryDoesNotSuffice(String columns) throws Exception {
    String[] keys = columns.split(" ");
    RowModel model = new RowModel(keys);
    int failures = 0;
    try (GroupBy groups = RowModel.groups(keys);
        GroupColumns device = new GroupColumns(new CopyingLauncher(), groups, 1 << 16, PIECE)) {
      for (int round = 0; round < 2; round++) {
        Random random = new Random(round);
        for (int i = 0; i < 8; i++) {
          device.add(model.add(random));
        }
        int[] rest = {0};
        failures +=
            FailingAllocations.ofCallsUntilDone(
                () -> groups.result().close(),
                () -> {
                  if (rest[0]++ % 3 == 0) {
                    device.add(model.add(random));
                  }
                });
        model.check(groups);
      }
    }
    assertThat(failures).isGreaterThan(4);
  }

  /** If groups cannot be read, the next result reads all of them. */
  @Test
  void readsThatFailedAreRepeated() {
    RowModel model = new RowModel("k");
    CopyingLauncher launcher = new CopyingLauncher();
    try (GroupBy groups = RowModel.groups("k");
        GroupColumns device = new GroupColumns(launcher, groups, 1 << 16, PIECE)) {
      Random random = new Random(21);
      // With nulls in all columns, whose counts are read, too.
      for (int i = 0; i < 20; i++) {
        device.add(model.add(random));
      }
      launcher.read.clear();
      model.check(groups);
      Set<Memory> all = Set.copyOf(launcher.read);
      assertThat(all).hasSizeGreaterThan(2);
      int failures = 0;
      for (boolean fails = true; fails; failures += fails ? 1 : 0) {
        device.add(model.add(random));
        launcher.readsLeft = failures;
        try {
          groups.result().close();
          fails = false;
        } catch (MemoryExhaustedException e) {
          launcher.read.clear();
          model.check(groups);
          assertThat(launcher.read).isEqualTo(all);
        }
      }
      assertThat(failures).isPositive();
    }
  }

  /** Rows of the JVM and of a device are in one result, also before the device is closed. */
  @Test
  void resultsHaveAllRows() {
    Batch batch =
        new Batch(2)
            .numbers("k", Columns.longs(new long[] {1, 2}))
            .numbers("v", Columns.longs(new long[] {10, 20}));
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    try (GroupBy groups = GroupBy.on("k").sum("v");
        GroupBy merged = GroupBy.on("k").sum("v")) {
      try (GroupColumns device = device(groups)) {
        device.add(batch);
        groups.add(batch);
        assertThat(sums(groups)).isEqualTo(Map.of("1", "20", "2", "40"));
        assertThat(sums(groups)).isEqualTo(Map.of("1", "20", "2", "40"));
        device.add(batch);
        groups.save(saved);
        device.add(batch);
        merged.merge(groups);
        device.add(batch);
      }
      assertThat(sums(groups)).isEqualTo(Map.of("1", "50", "2", "100"));
      assertThat(sums(merged)).isEqualTo(Map.of("1", "40", "2", "80"));
      try (GroupBy loaded = GroupBy.load(MemorySegment.ofArray(saved.toByteArray()))) {
        assertThat(sums(loaded)).isEqualTo(Map.of("1", "30", "2", "60"));
      }
    }
  }

  private static Map<String, String> sums(GroupBy groups) {
    try (Groups result = groups.result()) {
      return read(result, 1);
    }
  }

  /** Several devices add to the same groups, each from its own thread. */
  @Test
  void severalDevicesGroupTogether() {
    int rows = 30_000;
    long[] keys = new Random(6).longs(rows, 0, 9_000).toArray();
    Batch batch =
        new Batch(rows).numbers("k", Columns.longs(keys)).numbers("v", Columns.longs(keys.clone()));
    try (Launcher all = TargetUnderTest.group();
        GroupBy expected = GroupBy.on("k").count().sum("v");
        GroupBy actual = GroupBy.on("k").count().sum("v")) {
      assertThatThrownBy(() -> new GroupColumns(all, actual))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("parts()");
      List<GroupColumns> devices =
          all.parts().stream().map(part -> new GroupColumns(part, actual, 100, PIECE)).toList();
      // One after another: some drivers cannot compile a kernel twice at the same time.
      devices.forEach(device -> device.add(batch));
      List<CompletableFuture<Void>> threads =
          devices.stream()
              .map(
                  device ->
                      Others.start(
                          () -> {
                            try (device) {
                              device.add(batch);
                              device.add(batch);
                            }
                          }))
              .toList();
      threads.forEach(CompletableFuture::join);
      for (int i = 0; i < 3 * devices.size(); i++) {
        expected.add(batch);
      }
      assertThat(sums(actual)).isEqualTo(sums(expected));
      assertThat(devices.stream().mapToLong(GroupColumns::rows).sum()).isEqualTo(6L * rows);
    }
  }

  /** Without memory for a larger table, the host takes the groups more often. */
  @Test
  void aDeviceWithLittleMemoryGroupsAll() {
    int rows = 20_000;
    long[] keys = LongStream.range(0, rows).map(i -> i % 9_999 * 31).toArray();
    Batch batch =
        new Batch(rows).numbers("k", Columns.longs(keys)).numbers("v", Columns.longs(keys.clone()));
    try (Launcher little = TargetUnderTest.openLimited(0, 1 << 20);
        GroupBy expected = GroupBy.on("k").count().sum("v");
        GroupBy actual = GroupBy.on("k").count().sum("v");
        GroupColumns device = new GroupColumns(little, actual, 1 << 10, PIECE)) {
      device.add(batch);
      expected.add(batch);
      assertThat(sums(actual)).isEqualTo(sums(expected));
    }
  }

  @Test
  void whatADeviceCannotDoIsRefused() {
    Batch batch =
        new Batch(1)
            .texts("t", List.of("x"))
            .numbers("a", Columns.ints(new int[1]))
            .numbers("b", Columns.ints(new int[1]));
    refused(GroupBy.on("a").distinct("b"), batch, "distinct values: use GroupBy.add");
    refused(GroupBy.on("a").sum("x"), batch, "no column x");
    refused(GroupBy.on("a").sum("t"), batch, "needs numbers");
    try (GroupBy groups = GroupBy.on("a").count();
        GroupColumns device = device(groups)) {
      device.add(batch);
      Batch other = new Batch(1).numbers("a", Columns.doubles(new double[1]));
      assertThatThrownBy(() -> device.add(other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the column a is");
      device.add(batch);
      assertThat(sums(groups)).isEqualTo(Map.of("0", "2"));
      GroupColumns closed = device(groups);
      closed.add(batch);
      closed.close();
      closed.close();
      assertThatThrownBy(() -> closed.add(batch)).isInstanceOf(ClosedException.class);
      assertThat(sums(groups)).isEqualTo(Map.of("0", "3"));
    }
  }

  private static void refused(GroupBy groups, Batch batch, String why) {
    try (groups;
        GroupColumns device = device(groups)) {
      assertThatThrownBy(() -> device.add(batch))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(why);
      assertThat(device.rows()).isEqualTo(0);
    }
  }

  /** After a failure no result may lack rows. */
  @Test
  void aFailureMakesTheGroupsUnusable() {
    Batch batch =
        new Batch(1_000)
            .numbers("k", Columns.longs(new long[1_000]))
            .numbers("v", Columns.longs(new long[1_000]));
    try (Launcher none = TargetUnderTest.openLimited(0, 100);
        GroupBy groups = GroupBy.on("k").sum("v");
        GroupColumns device = new GroupColumns(none, groups, SLOTS, PIECE)) {
      assertThatThrownBy(() -> device.add(batch)).isInstanceOf(RuntimeException.class);
      assertThatThrownBy(groups::result).isInstanceOf(StructureException.class);
      assertThatThrownBy(() -> groups.add(batch)).isInstanceOf(StructureException.class);
    }
  }
}

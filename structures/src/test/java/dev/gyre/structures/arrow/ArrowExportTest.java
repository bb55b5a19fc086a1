package dev.gyre.structures.arrow;

import static dev.gyre.structures.arrow.ArrowStruct.WORD;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.MemoryLeft;
import dev.gyre.structures.Others;
import dev.gyre.structures.group.Batch;
import dev.gyre.structures.group.GroupBy;
import dev.gyre.structures.group.GroupColumn;
import dev.gyre.structures.group.Groups;
import dev.gyre.structures.group.Join;
import dev.gyre.structures.map.Columns;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Exports that are read and released as another library does it, by the addresses in the structs.
 */
final class ArrowExportTest {

  /** Memory for the structs of an import, by another library. */
  private static final class Consumer {
    final MemorySegment array = Arena.ofAuto().allocate(ArrowStruct.ARRAY.bytes, 8);
    final MemorySegment schema = Arena.ofAuto().allocate(ArrowStruct.SCHEMA.bytes, 8);

    void release() {
      call(array, ArrowStruct.ARRAY);
      call(schema, ArrowStruct.SCHEMA);
    }

    static void call(MemorySegment struct, ArrowStruct type) {
      call(struct.get(WORD, type.release), struct);
    }

    @SuppressWarnings("restricted") // The interface defines the function.
    static void call(long release, MemorySegment struct) {
      try {
        Linker.nativeLinker()
            .downcallHandle(FunctionDescriptor.ofVoid(ValueLayout.ADDRESS))
            .invokeExact(MemorySegment.ofAddress(release), struct);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }

    MemorySegment buffer(int column, int buffer, long bytes) {
      MemorySegment child = child(ArrowStruct.ARRAY, array, column);
      long pointer = ArrowStruct.pointer(child, ArrowStruct.BUFFERS, buffer);
      return ArrowStruct.memory(pointer, bytes, Arena.global());
    }

    static MemorySegment child(ArrowStruct type, MemorySegment struct, long index) {
      return type.at(ArrowStruct.pointer(struct, type.children, index));
    }
  }

  private static Batch batch() {
    return new Batch(5)
        .texts("k", Arrays.asList("a", "é", null, "a", "a key of 18 bytes."))
        .numbers("n", Columns.longs(new long[] {1, 2, 3, 4, 5}))
        .valid("n", new long[] {0b10111})
        .numbers("d", Columns.doubles(new double[] {0.5, 1.5, 2.5, 3.5, 4.5}))
        .decimals("x", new long[] {-10, 20, 30, -40, 50}, 2);
  }

  private static GroupBy groups() {
    GroupBy groups =
        GroupBy.on("k", "x").count().sum("n").mean("n").mean("d").max("d").sum("x").mean("x");
    groups.add(batch());
    return groups;
  }

  private static Groups result() {
    try (GroupBy groups = groups()) {
      return groups.result();
    }
  }

  /** All values of a result, which are compared by their names. */
  private static List<Map<String, @Nullable Object>> rows(Groups groups) {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (long row = 0; row < groups.rows(); row++) {
      Map<String, @Nullable Object> values = new HashMap<>();
      for (GroupColumn column : groups.columns()) {
        values.put(
            column.name(),
            column.isNull(row)
                ? null
                : column.type() == GroupColumn.Type.TEXT
                    ? column.text(row)
                    : column.type() == GroupColumn.Type.DECIMAL
                        ? column.decimal(row, 2)
                        : column.getDouble(row));
      }
      rows.add(values);
    }
    return rows;
  }

  @Test
  void importsWhatItExports() {
    Consumer to = new Consumer();
    try (GroupBy groups = GroupBy.on("k", "n").count().mean("n").sum("d")) {
      groups.add(batch());
      try (Groups result = groups.result();
          GroupBy again = GroupBy.on("k", "n").max("count").max("mean(n)").max("sum(d)")) {
        result.exportTo(to.array.address(), to.schema.address());
        try (ArrowColumns columns =
            ArrowColumns.importFrom(to.array.address(), to.schema.address())) {
          assertThat(columns.names())
              .isEqualTo(result.columns().stream().map(GroupColumn::name).toList());
          again.add(Batch.of(columns));
        }
        try (Groups same = again.result()) {
          Function<Groups, Set<List<@Nullable Object>>> values =
              rows -> rows(rows).stream().map(row -> values(rows, row)).collect(toSet());
          assertThat(values.apply(same)).isEqualTo(values.apply(result)).hasSize(5);
        }
      }
    }
  }

  /** Returns the values of a row in the order of the columns. */
  private static List<@Nullable Object> values(Groups of, Map<String, @Nullable Object> row) {
    List<@Nullable Object> values = new ArrayList<>();
    of.columns().forEach(column -> values.add(row.get(column.name())));
    return values;
  }

  @Test
  void writesTheStructs() {
    Consumer to = new Consumer();
    try (Groups result = result()) {
      result.exportTo(to.array.address(), to.schema.address());
      List<String> formats =
          IntStream.range(0, result.columns().size())
              .mapToObj(i -> Consumer.child(ArrowStruct.SCHEMA, to.schema, i))
              .map(
                  s ->
                      ArrowStruct.text(s.get(WORD, ArrowStruct.NAME))
                          + " "
                          + ArrowStruct.text(s.get(WORD, ArrowStruct.FORMAT))
                          + (s.get(WORD, ArrowStruct.FLAGS) == 2 ? "?" : ""))
              .toList();
      assertThat(formats)
          .containsExactly(
              "k U?",
              "x d:19,2?",
              "count l",
              "sum(n) l?",
              "mean(n) g?",
              "mean(d) g?",
              "max(d) g?",
              "sum(x) d:19,2?",
              "mean(x) g?");
      MemorySegment texts = to.buffer(0, 1, 6 * 8L);
      for (int row = 0; row < 5; row++) {
        long bit = to.buffer(0, 0, 1).get(ValueLayout.JAVA_BYTE, 0) >> row & 1;
        assertThat(bit).isEqualTo(result.column("k").isNull(row) ? 0 : 1);
        long from = texts.getAtIndex(WORD, row);
        long end = texts.getAtIndex(WORD, row + 1);
        byte[] bytes =
            to.buffer(0, 2, end).asSlice(from, end - from).toArray(ValueLayout.JAVA_BYTE);
        assertThat(bytes).isEqualTo(result.column("k").bytes(row).toArray(ValueLayout.JAVA_BYTE));
        BigDecimal decimal = BigDecimal.valueOf(to.buffer(1, 1, 80).getAtIndex(WORD, 2L * row), 2);
        assertThat(decimal).isEqualTo(result.column("x").decimal(row, 2));
        assertThat(to.buffer(1, 1, 80).getAtIndex(WORD, 2L * row + 1))
            .isEqualTo(decimal.signum() < 0 ? -1 : 0);
        assertThat(to.buffer(2, 1, 40).getAtIndex(WORD, row)).isEqualTo(1);
        for (int column : new int[] {4, 5, 8}) {
          GroupColumn mean = result.columns().get(column);
          Double exported =
              to.buffer(column, 1, 40).getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, row);
          assertThat(mean.isNull(row) ? (Double) Double.NaN : exported)
              .isEqualTo((Double) mean.getDouble(row));
        }
      }
      // Without a copy: the bytes of the texts are those of the column.
      assertThat(to.buffer(0, 2, 1).address() + texts.getAtIndex(WORD, 1))
          .isEqualTo(result.column("k").bytes(1).address());
      to.release();
    }
  }

  @Test
  void keepsTheMemoryUntilTheReleaseAndTheClose() {
    long before = MemoryLeft.bytes();
    for (boolean closedFirst : new boolean[] {true, false}) {
      Consumer to = new Consumer();
      Groups result = result();
      List<Map<String, @Nullable Object>> rows = rows(result);
      result.exportTo(to.array.address(), to.schema.address());
      if (closedFirst) {
        result.close();
        result.close();
        assertThat(MemoryLeft.bytes()).isLessThan(before);
        assertThat(to.buffer(2, 1, 40).getAtIndex(WORD, 4)).isEqualTo(1);
        to.release();
      } else {
        to.release();
        assertThat(MemoryLeft.bytes()).isLessThan(before);
        assertThat(rows(result)).isEqualTo(rows);
        result.close();
      }
      assertThat(MemoryLeft.bytes()).isEqualTo(before);
      assertThat(to.array.get(WORD, ArrowStruct.ARRAY.release)).isZero();
      assertThat(to.schema.get(WORD, ArrowStruct.SCHEMA.release)).isZero();
    }
  }

  @Test
  void aSecondReleaseOfACopyDoesNothing() {
    AtomicInteger freed = new AtomicInteger();
    SharedUse use = new SharedUse(freed::incrementAndGet);
    Consumer to = new Consumer();
    MemorySegment longs = MemorySegment.NULL;
    List<MemorySegment> buffers = List.of(MemorySegment.NULL, longs);
    ArrowExport.to(
        to.array.address(),
        to.schema.address(),
        0,
        List.of(new ArrowExport.Column("a", "l", buffers, use)));
    use.close();
    MemorySegment copy = Arena.ofAuto().allocate(ArrowStruct.ARRAY.bytes, 8).copyFrom(to.array);
    assertThat(freed).hasValue(0);
    to.release();
    assertThat(freed).hasValue(1);
    Consumer.call(copy, ArrowStruct.ARRAY);
    assertThat(freed).hasValue(1);
  }

  /** As the interface allows, a consumer keeps a column and releases the rest. */
  @Test
  void aMovedChildKeepsItsMemory() {
    long before = MemoryLeft.bytes();
    Consumer to = new Consumer();
    try (Groups result = result()) {
      result.exportTo(to.array.address(), to.schema.address());
    }
    MemorySegment child = Consumer.child(ArrowStruct.ARRAY, to.array, 2);
    MemorySegment moved = Arena.ofAuto().allocate(ArrowStruct.ARRAY.bytes, 8).copyFrom(child);
    child.set(WORD, ArrowStruct.ARRAY.release, 0);
    to.release();
    System.gc();
    assertThat(MemoryLeft.bytes()).isLessThan(before);
    long longs = ArrowStruct.pointer(moved, ArrowStruct.BUFFERS, 1);
    assertThat(ArrowStruct.memory(longs, 40, Arena.global()).getAtIndex(WORD, 4)).isEqualTo(1);
    Consumer.call(moved, ArrowStruct.ARRAY);
    assertThat(MemoryLeft.bytes()).isEqualTo(before);
    assertThat(moved.get(WORD, ArrowStruct.ARRAY.release)).isZero();
  }

  @Test
  void anyThreadReleases() {
    long before = MemoryLeft.bytes();
    List<CompletableFuture<Void>> all = Collections.synchronizedList(new ArrayList<>());
    List<CompletableFuture<Void>> exporters = new ArrayList<>();
    try (Groups result = result()) {
      for (int thread = 0; thread < 4; thread++) {
        exporters.add(
            Others.start(
                () -> {
                  for (int i = 0; i < 200; i++) {
                    Consumer to = new Consumer();
                    result.exportTo(to.array.address(), to.schema.address());
                    all.add(Others.start(to::release));
                  }
                }));
      }
      exporters.forEach(CompletableFuture::join);
    }
    List.copyOf(all).forEach(CompletableFuture::join);
    assertThat(MemoryLeft.bytes()).isEqualTo(before);
  }

  @Test
  void theFunctionsLetNoExceptionOut() {
    SharedUse use =
        new SharedUse(
            () -> {
              throw new IllegalStateException("cannot be freed");
            });
    Consumer to = new Consumer();
    List<MemorySegment> buffers = List.of(MemorySegment.NULL, MemorySegment.NULL);
    ArrowExport.to(
        to.array.address(),
        to.schema.address(),
        0,
        List.of(new ArrowExport.Column("a", "l", buffers, use)));
    use.close();
    long release = to.array.get(WORD, ArrowStruct.ARRAY.release);
    to.release();
    assertThat(to.array.get(WORD, ArrowStruct.ARRAY.release)).isZero();
    // Null, and a struct that was never exported.
    Consumer.call(release, MemorySegment.NULL);
    Consumer.call(release, Arena.ofAuto().allocate(ArrowStruct.ARRAY.bytes, 8));
    assertThatThrownBy(use::close).hasMessage("cannot be freed");
  }

  @Test
  void zeroRows() {
    Consumer to = new Consumer();
    try (GroupBy groups = GroupBy.on("k").sum("n")) {
      groups.add(batch().rows(0));
      try (Groups result = groups.result()) {
        result.exportTo(to.array.address(), to.schema.address());
      }
    }
    try (ArrowColumns columns = ArrowColumns.importFrom(to.array.address(), to.schema.address())) {
      assertThat(columns.rows()).isZero();
      assertThat(columns.names()).containsExactly("k", "sum(n)");
    }
  }

  @Test
  void exportsJoins() {
    long before = MemoryLeft.bytes();
    Consumer to = new Consumer();
    Batch left = new Batch(3).numbers("id", Columns.longs(new long[] {1, 2, 3}));
    Batch right = new Batch(2).numbers("id", Columns.longs(new long[] {3, 1}));
    try (Join join = Join.with(List.of(right), "id")) {
      Join.Rows rows = join.rows(List.of(left), List.of("id"), Join.How.LEFT);
      rows.exportTo(to.array.address(), to.schema.address());
      assertThat(to.buffer(0, 1, 12).address()).isEqualTo(rows.left().segment().address());
      rows.close();
      assertThatThrownBy(() -> rows.exportTo(to.array.address(), to.schema.address()))
          .isInstanceOf(ClosedException.class);
    }
    assertThat(to.buffer(0, 1, 12).toArray(ValueLayout.JAVA_INT_UNALIGNED))
        .containsExactly(0, 1, 2);
    assertThat(to.buffer(1, 1, 12).toArray(ValueLayout.JAVA_INT_UNALIGNED))
        .containsExactly(1, -1, 0);
    to.release();
    assertThat(MemoryLeft.bytes()).isEqualTo(before);
  }

  @Test
  void refusesTextsThatAreNotUtf8() {
    // Each text is half of an é.
    MemorySegment bytes = MemorySegment.ofArray(new byte[] {(byte) 0xc3, (byte) 0xa9, 'a'});
    Consumer to = new Consumer();
    try (GroupBy groups = GroupBy.on("k").count()) {
      groups.add(new Batch(3).texts("k", bytes, new long[] {0, 1, 2}, new int[] {1, 1, 1}));
      try (Groups result = groups.result()) {
        assertThatExceptionOfType(ArrowException.class)
            .isThrownBy(() -> result.exportTo(to.array.address(), to.schema.address()))
            .withMessageContaining("of the column k is not valid UTF-8");
        assertThat(to.array.get(WORD, ArrowStruct.ARRAY.release)).isZero();
      }
    }
  }

  @Test
  void refusesNullAddressesAndClosedGroups() {
    Consumer to = new Consumer();
    Groups result = result();
    assertThatThrownBy(() -> result.exportTo(0, to.schema.address()))
        .isInstanceOf(ArrowException.class)
        .hasMessageContaining("an ArrowArray is null");
    assertThatThrownBy(() -> result.exportTo(to.array.address(), 0))
        .isInstanceOf(ArrowException.class)
        .hasMessageContaining("an ArrowSchema is null");
    assertThat(to.array.get(WORD, ArrowStruct.ARRAY.release)).isZero();
    assertThat(to.schema.get(WORD, ArrowStruct.SCHEMA.release)).isZero();
    result.close();
    assertThatThrownBy(() -> result.exportTo(to.array.address(), to.schema.address()))
        .isInstanceOf(ClosedException.class);
  }
}

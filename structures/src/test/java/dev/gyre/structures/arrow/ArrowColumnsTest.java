package dev.gyre.structures.arrow;

import static dev.gyre.structures.arrow.ArrowStruct.WORD;
import static java.lang.foreign.MemorySegment.NULL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.structures.Others;
import dev.gyre.structures.group.Batch;
import dev.gyre.structures.group.GroupBy;
import dev.gyre.structures.group.GroupColumn;
import dev.gyre.structures.group.Groups;
import dev.gyre.structures.group.Join;
import dev.gyre.structures.group.RowNumbers;
import dev.gyre.structures.map.Columns;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Imports of structs that are made by hand, and that count their releases. */
final class ArrowColumnsTest {

  private static void assertReleasedOnce(HandMade made) {
    assertThat(List.of(made.arrayReleases.get(), made.schemaReleases.get()))
        .as("releases of array and schema")
        .containsExactly(1, 1);
    assertThat(made.array.get(WORD, ArrowStruct.ARRAY.release)).isZero();
    assertThat(made.schema.get(WORD, ArrowStruct.SCHEMA.release)).isZero();
  }

  private static Map<String, Long> sums(GroupBy groups, String column) {
    try (Groups result = groups.result()) {
      Map<String, Long> sums = new TreeMap<>();
      for (long row = 0; row < result.rows(); row++) {
        GroupColumn key = result.column("k");
        String name = key.isNull(row) ? "null" : key.text(row);
        sums.put(name, result.column(column).getLong(row));
      }
      return sums;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void groupsTextsWithOffsetsAndNulls(boolean large) {
    try (HandMade made = new HandMade(5, 2);
        GroupBy groups = GroupBy.on("k").sum("v").count("v")) {
      made.addTexts("k", large, 3, "unused", "unused", "é", null, "", "é", "a longer text than 16");
      MemorySegment longs =
          made.arena.allocateFrom(ValueLayout.JAVA_LONG, -1, 1000, 1000, 1, 2, 3, 4, 5);
      made.add("v", "l", 7, 2, 1, made.bits(3, true, true, true, false, true), longs);
      ArrowColumns columns = made.imported();
      assertThat(columns.names()).containsExactly("k", "v");
      assertThat(columns.rows()).isEqualTo(5);
      assertThat(made.array.get(WORD, ArrowStruct.ARRAY.release)).isZero();
      assertThat(made.schemaReleases).hasValue(1);
      assertThat(made.arrayReleases).hasValue(0);
      groups.add(Batch.of(columns));
      columns.close();
      columns.close();
      assertReleasedOnce(made);
      assertThat(sums(groups, "sum(v)"))
          .isEqualTo(Map.of("é", 1L, "null", 2L, "", 3L, "a longer text than 16", 5L));
      assertThat(sums(groups, "count(v)"))
          .isEqualTo(Map.of("é", 1L, "null", 1L, "", 1L, "a longer text than 16", 1L));
    }
  }

  private static Stream<Arguments> numbers() {
    return Stream.of(
        Arguments.of("c", 1, -128, 127),
        Arguments.of("C", 1, 0, 255),
        Arguments.of("s", 2, Short.MIN_VALUE, Short.MAX_VALUE),
        Arguments.of("S", 2, 0, 65535),
        Arguments.of("i", 4, Integer.MIN_VALUE, Integer.MAX_VALUE),
        Arguments.of("I", 4, 0, 0xFFFF_FFFFL),
        Arguments.of("l", 8, Long.MIN_VALUE, Long.MAX_VALUE));
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void widensIntegers(String format, int bytes, long least, long greatest) {
    try (HandMade made = new HandMade(2, 0);
        GroupBy groups = GroupBy.on("v").min("v").max("v").count()) {
      MemorySegment values = made.arena.allocate(3L * bytes, 1);
      for (int i = 0; i < bytes; i++) {
        values.set(ValueLayout.JAVA_BYTE, bytes + i, (byte) (least >> (8 * i)));
        values.set(ValueLayout.JAVA_BYTE, 2L * bytes + i, (byte) (greatest >> (8 * i)));
      }
      made.add("v", format, 2, 0, 1, NULL, values);
      try (ArrowColumns columns = made.imported()) {
        groups.add(Batch.of(columns));
      }
      assertReleasedOnce(made);
      try (Groups result = groups.result();
          RowNumbers order = result.order(Groups.By.ascending("v"))) {
        for (String column : List.of("v", "min(v)", "max(v)")) {
          assertThat(result.column(column).getLong(order.get(0))).isEqualTo(least);
          assertThat(result.column(column).getLong(order.get(1))).isEqualTo(greatest);
        }
      }
    }
  }

  @Test
  void readsFloatsAndDoubles() {
    try (HandMade made = new HandMade(2, 0);
        GroupBy groups = GroupBy.on("k").sum("f").sum("d")) {
      made.addLongs("k", 7, 7);
      made.add("f", "f", 2, 0, 0, NULL, made.arena.allocateFrom(ValueLayout.JAVA_FLOAT, 0.5f, 2));
      made.add("d", "g", 2, 0, 0, NULL, made.arena.allocateFrom(ValueLayout.JAVA_DOUBLE, 0.25, -1));
      try (ArrowColumns columns = made.imported()) {
        groups.add(Batch.of(columns));
      }
      try (Groups result = groups.result()) {
        assertThat(result.column("sum(f)").getDouble(0)).isEqualTo(2.5);
        assertThat(result.column("sum(d)").getDouble(0)).isEqualTo(-0.75);
      }
    }
  }

  /** More rows than a block of an operation has. */
  @Test
  void joinsManyRows() {
    int rows = 50_000;
    long[] ids = new long[rows];
    @Nullable String[] names = new @Nullable String[rows];
    for (int i = 0; i < rows; i++) {
      ids[i] = (long) rows - i;
      names[i] = i % 10 == 0 ? null : "n" + i;
    }
    try (HandMade left = new HandMade(rows, 0);
        HandMade right = new HandMade(rows, 0)) {
      left.addLongs("id", ids);
      left.addTexts("name", true, 5, names);
      right.addLongs("id", ids);
      right.addTexts("name", false, 0, names);
      try (ArrowColumns ofLeft = left.imported();
          ArrowColumns ofRight = right.imported();
          Join join = Join.with(List.of(Batch.of(ofRight)), "name", "id");
          Join.Rows pairs =
              join.rows(List.of(Batch.of(ofLeft)), List.of("name", "id"), Join.How.INNER)) {
        assertThat(pairs.size()).isEqualTo(rows - rows / 10);
        for (long i = 0; i < pairs.size(); i++) {
          assertThat(pairs.left().get(i)).isEqualTo(pairs.right().get(i));
        }
      }
      assertReleasedOnce(left);
      assertReleasedOnce(right);
    }
  }

  @Test
  void copiesNothingBeforeAnOperation() {
    try (HandMade made = new HandMade(2, 0);
        GroupBy groups = GroupBy.on("k").sum("v")) {
      made.addTexts("k", false, 0, "a", "b");
      MemorySegment longs = made.arena.allocateFrom(ValueLayout.JAVA_LONG, 1, 2);
      made.add("v", "l", 2, 0, 0, NULL, longs);
      try (ArrowColumns columns = made.imported()) {
        Batch batch = Batch.of(columns);
        longs.setAtIndex(ValueLayout.JAVA_LONG, 0, 100);
        groups.add(batch);
      }
      assertThat(sums(groups, "sum(v)")).isEqualTo(Map.of("a", 100L, "b", 2L));
    }
  }

  /** A thread's block of keys has the arrays of its last batch. */
  @Test
  void leavesTheArraysOfOtherBatchesAlone() {
    long[] offsets = {0, 1};
    int[] lengths = {1, 1};
    try (HandMade made = new HandMade(2, 0);
        GroupBy groups = GroupBy.on("k").count()) {
      made.addTexts("k", false, 3, "a", "bcd");
      MemorySegment bytes = MemorySegment.ofArray("ab".getBytes(StandardCharsets.UTF_8));
      groups.add(new Batch(2).texts("k", bytes, offsets, lengths));
      try (ArrowColumns columns = made.imported()) {
        groups.add(Batch.of(columns));
      }
      assertThat(offsets).containsExactly(0, 1);
      assertThat(lengths).containsExactly(1, 1);
      assertThat(sums(groups, "count")).isEqualTo(Map.of("a", 2L, "b", 1L, "bcd", 1L));
    }
  }

  @Test
  void aBatchMayReplaceNulls() {
    try (HandMade made = new HandMade(2, 0);
        GroupBy groups = GroupBy.on("k").count()) {
      made.addTexts("k", false, 0, "a", null);
      try (ArrowColumns columns = made.imported()) {
        groups.add(Batch.of(columns).valid("k", new long[] {0b10}));
      }
      assertThat(sums(groups, "count")).isEqualTo(Map.of("null", 1L, "", 1L));
    }
  }

  @Test
  void zeroRowsNeedNoBuffers() {
    try (HandMade made = new HandMade(0, 0);
        GroupBy groups = GroupBy.on("k").sum("v")) {
      made.add("k", "u", 0, 0, 0, NULL, NULL, NULL);
      made.add("v", "l", 0, -1, 0, NULL, NULL);
      try (ArrowColumns columns = made.imported()) {
        groups.add(Batch.of(columns));
      }
      assertReleasedOnce(made);
      assertThat(sums(groups, "sum(v)")).isEmpty();
    }
  }

  private static Stream<Arguments> unsupported() {
    return Stream.of(
        Arguments.of("L", "cast it to int64"),
        Arguments.of("e", "cast it to int64, double"),
        Arguments.of("b", "cast it to int64"),
        Arguments.of("n", "cast it to"),
        Arguments.of("z", "utf8 or large_utf8"),
        Arguments.of("w:4", "cast it to"),
        Arguments.of("tdD", "cast it to int64"),
        Arguments.of("tsu:UTC", "cast it to int64"),
        Arguments.of("vu", "utf8 or large_utf8"),
        Arguments.of("vz", "utf8 or large_utf8"),
        Arguments.of("+l", "leave it out"),
        Arguments.of("+s", "leave it out"),
        Arguments.of("+r", "leave it out"),
        Arguments.of("+vl", "leave it out"),
        Arguments.of("d:9,2", "cast it to int64, double"),
        Arguments.of("d:9,2,256", "cast it to int64, double"),
        Arguments.of("", "cast it to"));
  }

  @ParameterizedTest
  @MethodSource("unsupported")
  void refusesOtherFormats(String format, String advice) {
    try (HandMade made = new HandMade(1, 0)) {
      made.addLongs("fine", 1);
      made.add("odd", format, 1, 0, 0, NULL, NULL);
      assertThatExceptionOfType(ArrowException.class)
          .isThrownBy(made::imported)
          .withMessageContaining("the column odd has the Arrow format " + format)
          .withMessageContaining(advice);
      assertReleasedOnce(made);
    }
  }

  @Test
  void refusesDictionaries() {
    try (HandMade made = new HandMade(1, 0)) {
      made.add("odd", "i", 1, 0, 0, NULL, made.arena.allocate(4));
      made.schemaOf(0).set(WORD, ArrowStruct.SCHEMA.dictionary, made.schema.address());
      assertThatThrownBy(made::imported)
          .isInstanceOf(ArrowException.class)
          .hasMessage(
              "the column odd has the Arrow format i with a dictionary, which is not supported:"
                  + " decode the dictionary before the import");
      assertReleasedOnce(made);
    }
  }

  @Test
  void refusesAColumnInPlaceOfARecordBatch() {
    try (HandMade made = new HandMade(1, 0)) {
      made.schema.set(WORD, ArrowStruct.FORMAT, made.text("l"));
      assertThatThrownBy(made::imported)
          .isInstanceOf(ArrowException.class)
          .hasMessageContaining("the Arrow format l is no record batch");
      assertReleasedOnce(made);
    }
  }

  private static Arguments broken(String message, Consumer<HandMade> change) {
    return Arguments.of(message, change);
  }

  private static Arguments child(String message, int member, long value) {
    return broken(message, made -> child(made, 1).set(WORD, member, value));
  }

  private static MemorySegment child(HandMade made, int column) {
    return memory(ArrowStruct.pointer(made.array, ArrowStruct.ARRAY.children, column), 80);
  }

  private static MemorySegment memory(long address, long bytes) {
    return ArrowStruct.memory(address, bytes, Arena.global());
  }

  private static MemorySegment buffers(HandMade made, int column) {
    return memory(child(made, column).get(WORD, ArrowStruct.BUFFERS), 24);
  }

  private static Stream<Arguments> malformed() {
    return Stream.of(
        child("the length -1", ArrowStruct.LENGTH, -1),
        child("has 1 elements: 2 are needed", ArrowStruct.LENGTH, 1),
        child("the offset -1", ArrowStruct.OFFSET, -1),
        child("the offset 9223372036854775807", ArrowStruct.OFFSET, Long.MAX_VALUE),
        child("the length 2, the offset 0 and 3 nulls", ArrowStruct.NULL_COUNT, 3),
        child("the offset 0 and -2 nulls", ArrowStruct.NULL_COUNT, -2),
        child(
            "has 3 buffers and 0 children: its format needs 2 and 0", ArrowStruct.BUFFER_COUNT, 3),
        child("has 2 buffers and 1 children: its format needs 2 and 0", ArrowStruct.CHILD_COUNT, 1),
        child("a null pointer to them", ArrowStruct.BUFFERS, 0),
        child("has a dictionary, and its schema has none", ArrowStruct.ARRAY.dictionary, 8),
        child("buffer 0 of the column v is null", ArrowStruct.NULL_COUNT, 1),
        broken("buffer 1 of the column v is null", made -> buffers(made, 1).set(WORD, 8, 0)),
        broken("buffer 1 of the column k is null", made -> buffers(made, 0).set(WORD, 8, 0)),
        broken("buffer 2 of the column k is null", made -> buffers(made, 0).set(WORD, 16, 0)),
        broken(
            "the column k has a negative offset: -1",
            made ->
                memory(buffers(made, 0).get(WORD, 8), 12)
                    .set(ValueLayout.JAVA_INT_UNALIGNED, 8, -1)),
        broken("the record batch has the length -1", made -> made.array.set(WORD, 0, -1L)),
        broken("2 elements: 3 are needed", made -> made.array.set(WORD, ArrowStruct.OFFSET, 1)),
        broken(
            "has 3000000000 rows: pass it in slices",
            made -> made.array.set(WORD, ArrowStruct.LENGTH, 3_000_000_000L)),
        broken(
            "the record batch has 1 buffers and 2 children: its format needs 1 and 1",
            made -> made.schema.set(WORD, ArrowStruct.CHILD_COUNT, 1)),
        broken(
            "1 buffers and 2 children: its format needs 1 and 0",
            made -> made.schema.set(WORD, ArrowStruct.CHILD_COUNT, -1)),
        broken(
            "null pointer to them", made -> made.schema.set(WORD, ArrowStruct.SCHEMA.children, 0)),
        broken("null pointer to them", made -> made.array.set(WORD, ArrowStruct.ARRAY.children, 0)),
        broken(
            "an ArrowArray is null",
            made -> memory(made.array.get(WORD, ArrowStruct.ARRAY.children), 16).set(WORD, 8, 0)),
        broken(
            "two columns have the name v",
            made -> made.schemaOf(0).set(WORD, ArrowStruct.NAME, made.text("v"))),
        broken(
            "row 1 of the record batch is null as a whole",
            made -> {
              made.array.set(WORD, ArrowStruct.NULL_COUNT, -1);
              MemorySegment validity = made.bits(0, true, false);
              memory(made.array.get(WORD, ArrowStruct.BUFFERS), 8).set(WORD, 0, validity.address());
            }));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void refusesMalformedStructs(String message, Consumer<HandMade> change) {
    try (HandMade made = new HandMade(2, 0)) {
      made.addTexts("k", false, 0, "a", "b");
      made.addLongs("v", 1, 2);
      change.accept(made);
      assertThatExceptionOfType(ArrowException.class)
          .isThrownBy(made::imported)
          .withMessageContaining(message);
      assertReleasedOnce(made);
    }
  }

  @Test
  void textsMustBeWithinTheirBytes() {
    try (HandMade made = new HandMade(3, 0);
        GroupBy groups = GroupBy.on("k").count()) {
      made.addTexts("k", false, 0, "a", "bb", "c");
      memory(buffers(made, 0).get(WORD, 8), 16).setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, 1, 100);
      try (ArrowColumns columns = made.imported()) {
        Batch batch = Batch.of(columns);
        assertThatThrownBy(() -> groups.add(batch))
            .isInstanceOf(ArrowException.class)
            .hasMessageContaining("the text of row 0 of the column k is from offset 0 to 100");
      }
      groups.add(new Batch(1).texts("k", List.of("still usable")));
      assertThat(sums(groups, "count")).isEqualTo(Map.of("still usable", 1L));
    }
  }

  @Test
  void releasesTheSchemaBeforeItTakesTheArray() {
    // If the release fails, the array must not yet belong to an object that no caller gets.
    try (HandMade made = new HandMade(1, 0)) {
      long child = made.addLongs("a", 7).address();
      made.schema.set(WORD, ArrowStruct.SCHEMA.privateData, child);
      long spoil = made.release("spoil", made.schemaReleases, 56).address();
      made.schema.set(WORD, ArrowStruct.SCHEMA.release, spoil);
      assertThatThrownBy(made::imported).isInstanceOf(ArrowException.class);
      assertReleasedOnce(made);
    }
  }

  @Test
  void refusesReleasedAndNullStructs() {
    try (HandMade made = new HandMade(1, 0);
        HandMade other = new HandMade(1, 0)) {
      made.addLongs("v", 1);
      made.imported().close();
      assertThatExceptionOfType(ArrowException.class)
          .isThrownBy(made::imported)
          .withMessageContaining("is null, or was released or moved before");
      assertReleasedOnce(made);
      // The other struct is released nevertheless.
      assertThatThrownBy(() -> ArrowColumns.importFrom(0, other.schema.address()))
          .isInstanceOf(ArrowException.class);
      assertThatThrownBy(() -> ArrowColumns.importFrom(other.array.address(), 0))
          .isInstanceOf(ArrowException.class)
          .hasMessageContaining("the ArrowSchema is null");
      assertReleasedOnce(other);
    }
  }

  @Test
  void oneOfManyThreadsReleases() {
    for (int round = 0; round < 50; round++) {
      try (HandMade made = new HandMade(1, 0)) {
        made.addLongs("v", 1);
        ArrowColumns columns = made.imported();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          all.add(Others.start(columns::close));
        }
        all.forEach(CompletableFuture::join);
        assertReleasedOnce(made);
      }
    }
  }

  @Test
  void closedColumnsCannotBeRead() {
    try (HandMade made = new HandMade(1, 0);
        GroupBy groups = GroupBy.on("v").count()) {
      made.addLongs("v", 1);
      ArrowColumns columns = made.imported();
      Batch batch = Batch.of(columns);
      columns.close();
      assertThatThrownBy(() -> groups.add(batch))
          .isInstanceOf(ClosedException.class)
          .hasMessageContaining("ArrowColumns");
      assertThatThrownBy(() -> Join.with(List.of(batch), "v")).isInstanceOf(ClosedException.class);
      groups.add(new Batch(0).numbers("v", Columns.longs(new long[1])));
    }
  }

  /** Operations that run while the columns are closed end with an exception, or as before it. */
  @Test
  void closeDuringAnOperationIsSafe() {
    long[] values = new long[200_000];
    for (int round = 0; round < 20; round++) {
      try (HandMade made = new HandMade(values.length, 0);
          GroupBy groups = GroupBy.on("v").count()) {
        made.addLongs("v", values);
        ArrowColumns columns = made.imported();
        CompletableFuture<Void> add = Others.start(() -> groups.add(Batch.of(columns)));
        columns.close();
        assertThat(add.handle((_, e) -> e == null || e.getCause() instanceof RuntimeException))
            .succeedsWithin(Duration.ofSeconds(60))
            .isEqualTo(true);
        assertReleasedOnce(made);
      }
    }
  }
}

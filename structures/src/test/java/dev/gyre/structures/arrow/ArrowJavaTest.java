package dev.gyre.structures.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.structures.group.Batch;
import dev.gyre.structures.group.GroupBy;
import dev.gyre.structures.group.Groups;
import dev.gyre.structures.group.Join;
import dev.gyre.structures.map.Columns;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.CDataDictionaryProvider;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Round trips through arrow-java, whose allocator throws if a release is missing. */
final class ArrowJavaTest {

  @BeforeAll
  static void itsMemoryIsOpen() {
    assumeTrue(
        ByteBuffer.class.getModule().isOpen("java.nio", ArrowJavaTest.class.getModule()),
        "arrow-java needs --add-opens=java.base/java.nio=ALL-UNNAMED");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Rows with the keys a, é and null, and columns of numbers. */
  private static VectorSchemaRoot rows(BufferAllocator allocator, int count) {
    VarCharVector keys = new VarCharVector("k", allocator);
    BigIntVector longs = new BigIntVector("n", allocator);
    IntVector ints = new IntVector("i", allocator);
    Float8Vector doubles = new Float8Vector("d", allocator);
    for (int row = 0; row < count; row++) {
      if (row % 3 == 2) {
        keys.setNull(row);
        longs.setNull(row);
      } else {
        keys.setSafe(row, utf8(row % 3 == 0 ? "a" : "é"));
        longs.setSafe(row, row);
      }
      ints.setSafe(row, -row);
      doubles.setSafe(row, row / 2.0);
    }
    VectorSchemaRoot root = VectorSchemaRoot.of(keys, longs, ints, doubles);
    root.setRowCount(count);
    return root;
  }

  private static ArrowColumns imported(BufferAllocator allocator, VectorSchemaRoot root) {
    try (ArrowArray array = ArrowArray.allocateNew(allocator);
        ArrowSchema schema = ArrowSchema.allocateNew(allocator)) {
      Data.exportVectorSchemaRoot(allocator, root, null, array, schema);
      return ArrowColumns.importFrom(array.memoryAddress(), schema.memoryAddress());
    }
  }

  private static GroupBy groups() {
    return GroupBy.on("k").count().sum("n").sum("i").sum("d").mean("n");
  }

  /** Sums of some rows by their key, as {@link #groups} must have them. */
  private static Map<@Nullable String, List<@Nullable Object>> expected(int from, int to) {
    Map<@Nullable String, List<@Nullable Object>> all = new HashMap<>();
    for (int rest = 0; rest < 3; rest++) {
      long count = 0;
      long sum = 0;
      for (int row = from; row < to; row++) {
        count += row % 3 == rest ? 1 : 0;
        sum += row % 3 == rest ? row : 0;
      }
      boolean isNull = rest == 2;
      all.put(
          isNull ? null : rest == 0 ? "a" : "é",
          Arrays.asList(
              count, isNull ? null : sum, -sum, sum / 2.0, isNull ? null : (double) sum / count));
    }
    return all;
  }

  private static Map<@Nullable String, List<@Nullable Object>> read(VectorSchemaRoot root) {
    Map<@Nullable String, List<@Nullable Object>> all = new HashMap<>();
    for (int row = 0; row < root.getRowCount(); row++) {
      int at = row;
      LargeVarCharVector keys = (LargeVarCharVector) root.getVector("k");
      byte[] key = keys.get(at);
      all.put(
          key == null ? null : new String(key, StandardCharsets.UTF_8),
          Arrays.asList(
              root.getVector("count").getObject(at),
              root.getVector("sum(n)").getObject(at),
              root.getVector("sum(i)").getObject(at),
              root.getVector("sum(d)").getObject(at),
              root.getVector("mean(n)").getObject(at)));
    }
    return all;
  }

  /** Returns the groups as another library reads them; they are closed before. */
  private static Map<@Nullable String, List<@Nullable Object>> exported(
      BufferAllocator allocator, GroupBy groups) {
    try (ArrowArray array = ArrowArray.allocateNew(allocator);
        ArrowSchema schema = ArrowSchema.allocateNew(allocator);
        CDataDictionaryProvider none = new CDataDictionaryProvider()) {
      try (Groups result = groups.result()) {
        result.exportTo(array.memoryAddress(), schema.memoryAddress());
      }
      try (VectorSchemaRoot root = Data.importVectorSchemaRoot(allocator, array, schema, none)) {
        return read(root);
      }
    }
  }

  @Test
  void groupsAreImportedAndExported() {
    try (BufferAllocator allocator = new RootAllocator()) {
      try (GroupBy groups = groups()) {
        try (VectorSchemaRoot root = rows(allocator, 5000);
            ArrowColumns columns = imported(allocator, root)) {
          groups.add(Batch.of(columns));
        }
        assertThat(exported(allocator, groups)).isEqualTo(expected(0, 5000));
      }
      assertThat(allocator.getAllocatedMemory()).isZero();
    }
  }

  /** A part of the rows: its buffers begin in the middle of those of all rows. */
  @Test
  void slicesAreImported() {
    try (BufferAllocator allocator = new RootAllocator()) {
      try (GroupBy groups = groups();
          VectorSchemaRoot root = rows(allocator, 1000);
          VectorSchemaRoot slice = root.slice(333, 500);
          ArrowColumns columns = imported(allocator, slice)) {
        groups.add(Batch.of(columns));
        assertThat(exported(allocator, groups)).isEqualTo(expected(333, 833));
      }
      assertThat(allocator.getAllocatedMemory()).isZero();
    }
  }

  @Test
  void zeroRowsAreImportedAndExported() {
    try (BufferAllocator allocator = new RootAllocator();
        GroupBy groups = groups();
        VectorSchemaRoot root = rows(allocator, 0);
        ArrowColumns columns = imported(allocator, root);
        ArrowArray array = ArrowArray.allocateNew(allocator);
        ArrowSchema schema = ArrowSchema.allocateNew(allocator);
        CDataDictionaryProvider none = new CDataDictionaryProvider()) {
      groups.add(Batch.of(columns));
      try (Groups result = groups.result()) {
        result.exportTo(array.memoryAddress(), schema.memoryAddress());
      }
      try (VectorSchemaRoot back = Data.importVectorSchemaRoot(allocator, array, schema, none)) {
        assertThat(back.getRowCount()).isZero();
        assertThat(back.getFieldVectors()).hasSize(6);
      }
    }
  }

  @Test
  void refusedColumnsAreReleased() {
    try (BufferAllocator allocator = new RootAllocator();
        BitVector bits = new BitVector("flag", allocator)) {
      bits.setSafe(0, 1);
      bits.setValueCount(1);
      try (VectorSchemaRoot root = VectorSchemaRoot.of(bits)) {
        root.setRowCount(1);
        assertThatThrownBy(() -> imported(allocator, root))
            .isInstanceOf(ArrowException.class)
            .hasMessageContaining("the column flag has the Arrow format b");
      }
    }
  }

  @Test
  void joinsAreExported() {
    try (BufferAllocator allocator = new RootAllocator();
        ArrowArray array = ArrowArray.allocateNew(allocator);
        ArrowSchema schema = ArrowSchema.allocateNew(allocator);
        CDataDictionaryProvider none = new CDataDictionaryProvider()) {
      Batch left = new Batch(2).numbers("id", Columns.longs(new long[] {7, 8}));
      Batch right = new Batch(1).numbers("id", Columns.longs(new long[] {8}));
      try (Join join = Join.with(List.of(right), "id");
          Join.Rows rows = join.rows(List.of(left), List.of("id"), Join.How.LEFT)) {
        rows.exportTo(array.memoryAddress(), schema.memoryAddress());
      }
      try (VectorSchemaRoot root = Data.importVectorSchemaRoot(allocator, array, schema, none)) {
        assertThat(root.contentToTSVString()).isEqualTo("left\tright\n0\t-1\n1\t0\n");
      }
    }
  }

  private static VectorSchemaRoot sums(BufferAllocator allocator, VectorSchemaRoot sales) {
    // begin
    try (ArrowArray array = ArrowArray.allocateNew(allocator);
        ArrowSchema schema = ArrowSchema.allocateNew(allocator)) {
      Data.exportVectorSchemaRoot(allocator, sales, null, array, schema);
      try (ArrowColumns columns =
              ArrowColumns.importFrom(array.memoryAddress(), schema.memoryAddress());
          GroupBy groups = GroupBy.on("city").sum("amount")) {
        groups.add(Batch.of(columns));
        try (Groups result = groups.result()) {
          result.exportTo(array.memoryAddress(), schema.memoryAddress());
        }
      }
      return Data.importVectorSchemaRoot(allocator, array, schema, new CDataDictionaryProvider());
    }
    // end
  }

  @Test
  void groupsSales() throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        VarCharVector city = new VarCharVector("city", allocator);
        BigIntVector amount = new BigIntVector("amount", allocator)) {
      for (int row = 0; row < 3; row++) {
        city.setSafe(row, utf8("Oslo"));
        amount.setSafe(row, row + 1);
      }
      try (VectorSchemaRoot sales = VectorSchemaRoot.of(city, amount)) {
        sales.setRowCount(3);
        try (VectorSchemaRoot sums = sums(allocator, sales)) {
          assertThat(sums.contentToTSVString()).isEqualTo("city\tsum(amount)\nOslo\t6\n");
        }
      }
    }
    // The page has this code.
    String source =
        Files.readString(Path.of("src/test/java/dev/gyre/structures/arrow/ArrowJavaTest.java"));
    Matcher marks = Pattern.compile("// begin\n(.*?) *// end", Pattern.DOTALL).matcher(source);
    assertThat(marks.find()).isTrue();
    assertThat(Files.readString(Path.of("../docs/group-by.md")))
        .contains("```java\n" + marks.group(1).stripTrailing().stripIndent() + "\n```");
  }

  @Test
  void decimalsAreExported() {
    try (BufferAllocator allocator = new RootAllocator();
        ArrowArray array = ArrowArray.allocateNew(allocator);
        ArrowSchema schema = ArrowSchema.allocateNew(allocator);
        CDataDictionaryProvider none = new CDataDictionaryProvider();
        GroupBy groups = GroupBy.on("x").sum("x").min("x").mean("x")) {
      groups.add(new Batch(2).decimals("x", new long[] {-125, -125}, 2));
      try (Groups result = groups.result()) {
        result.exportTo(array.memoryAddress(), schema.memoryAddress());
      }
      try (VectorSchemaRoot root = Data.importVectorSchemaRoot(allocator, array, schema, none)) {
        assertThat(root.contentToTSVString())
            .isEqualTo("x\tsum(x)\tmin(x)\tmean(x)\n-1.25\t-2.50\t-1.25\t-1.25\n");
      }
    }
  }
}

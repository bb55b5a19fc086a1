package dev.gyre.bench.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.structures.arrow.ArrowColumns;
import dev.gyre.structures.group.Batch;
import dev.gyre.structures.group.GroupBy;
import dev.gyre.structures.group.Groups;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.CDataDictionaryProvider;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Columns to and from DuckDB through the Arrow C data interface: with -Pduckdb. */
final class DuckArrowTest {

  private static final int ROWS = 10_000;

  private static final String TABLE =
      """
      CREATE TABLE t AS SELECT
        CASE WHEN i % 7 = 6 THEN NULL ELSE 'key é ' || (i % 7) || repeat('x', (i % 7)::INT * 5) END AS k,
        CASE WHEN i % 5 = 4 THEN NULL ELSE i - 5000 END AS n,
        (i % 100)::TINYINT AS b,
        i::USMALLINT AS u,
        i / 4.0::DOUBLE AS d
      FROM range(10000) r(i)
      """;

  private final BufferAllocator allocator = new RootAllocator();
  private @Nullable Connection opened;

  @BeforeEach
  void connect() throws SQLException {
    assumeTrue(
        DriverManager.drivers().anyMatch(d -> d.getClass().getName().startsWith("org.duckdb")),
        "DuckDB is not on the class path: test with -Pduckdb");
    opened = DriverManager.getConnection("jdbc:duckdb:");
    run(TABLE);
  }

  /** Fails if an array was not released. */
  @AfterEach
  void close() throws SQLException {
    if (opened != null) {
      opened.close();
    }
    allocator.close();
  }

  private Connection connection() {
    return Objects.requireNonNull(opened);
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection().createStatement()) {
      boolean _ = statement.execute(sql);
    }
  }

  private List<String> rows(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection().createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int column = 1; column <= columns; column++) {
          row.add(result.getString(column));
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }

  /** Passes the result of a query to an action, in batches. */
  private void forEachBatch(String sql, Consumer<ArrowColumns> action) throws Exception {
    try (Statement statement = connection().createStatement();
        ResultSet result = statement.executeQuery(sql);
        ArrowReader reader =
            (ArrowReader)
                result
                    .getClass()
                    .getMethod("arrowExportStream", Object.class, long.class)
                    .invoke(result, allocator, 2048L)) {
      while (reader.loadNextBatch()) {
        try (ArrowArray array = ArrowArray.allocateNew(allocator);
            ArrowSchema schema = ArrowSchema.allocateNew(allocator)) {
          Data.exportVectorSchemaRoot(
              allocator, reader.getVectorSchemaRoot(), reader, array, schema);
          try (ArrowColumns columns =
              ArrowColumns.importFrom(array.memoryAddress(), schema.memoryAddress())) {
            action.accept(columns);
          }
        }
      }
    }
  }

  /** A stream of one batch, for DuckDB. */
  private static final class OneBatch extends ArrowReader {
    private final VectorSchemaRoot root;
    private boolean passed;

    OneBatch(BufferAllocator allocator, VectorSchemaRoot root) {
      super(allocator);
      this.root = root;
    }

    @Override
    public VectorSchemaRoot getVectorSchemaRoot() {
      return root;
    }

    @Override
    public boolean loadNextBatch() {
      boolean loads = !passed;
      passed = true;
      return loads;
    }

    @Override
    public long bytesRead() {
      return 0;
    }

    @Override
    protected void closeReadSource() {
      root.close();
    }

    @Override
    protected Schema readSchema() {
      return root.getSchema();
    }
  }

  /** Makes a table of a result, whose memory DuckDB reads after the result is closed. */
  private void register(GroupBy groups) throws Exception {
    try (ArrowArray array = ArrowArray.allocateNew(allocator);
        ArrowSchema schema = ArrowSchema.allocateNew(allocator);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator);
        CDataDictionaryProvider none = new CDataDictionaryProvider()) {
      try (Groups result = groups.result()) {
        result.exportTo(array.memoryAddress(), schema.memoryAddress());
      }
      VectorSchemaRoot root = Data.importVectorSchemaRoot(allocator, array, schema, none);
      // The stream owns the reader.
      Data.exportArrayStream(allocator, new OneBatch(allocator, root), stream);
      var _ =
          connection()
              .getClass()
              .getMethod("registerArrowStream", String.class, Object.class)
              .invoke(connection(), "gyre_stream", stream);
      run("CREATE TABLE gyre AS SELECT * FROM gyre_stream");
    }
  }

  @Test
  void groupsRowsOfDuckAndReturnsThem() throws Exception {
    List<Integer> batches = new ArrayList<>();
    try (GroupBy groups =
        GroupBy.on("k").count().count("n").sum("n").sum("b").max("u").sum("d").mean("n")) {
      forEachBatch(
          "SELECT k, n, b, u, d FROM t",
          columns -> {
            batches.add(columns.rows());
            groups.add(Batch.of(columns));
          });
      assertThat(batches).hasSizeGreaterThan(1);
      assertThat(batches.stream().mapToInt(rows -> rows).sum()).isEqualTo(ROWS);
      register(groups);
    }
    assertThat(rows("SELECT * FROM gyre ORDER BY k"))
        .hasSize(7)
        .isEqualTo(
            rows(
                "SELECT k, count(*), count(n), sum(n), sum(b), max(u), sum(d), avg(n)"
                    + " FROM t GROUP BY k ORDER BY k"));
  }

  @Test
  void groupsByTwoColumns() throws Exception {
    try (GroupBy groups = GroupBy.on("k", "n").count()) {
      forEachBatch("SELECT k, n FROM t", columns -> groups.add(Batch.of(columns)));
      register(groups);
    }
    assertThat(rows("SELECT * FROM gyre ORDER BY k, n"))
        .isEqualTo(rows("SELECT k, n, count(*) FROM t GROUP BY k, n ORDER BY k, n"));
  }

  @Test
  void returnsDecimals() throws Exception {
    try (GroupBy groups = GroupBy.on("k").sum("x").max("x").mean("x")) {
      groups.add(
          new Batch(3)
              .texts("k", List.of("a", "b", "a"))
              .decimals("x", new long[] {-125, Long.MAX_VALUE, 300}, 2));
      register(groups);
    }
    assertThat(rows("SELECT * FROM gyre ORDER BY k"))
        .containsExactly(
            "[a, 1.75, 3.00, 0.875]",
            "[b, 92233720368547758.07, 92233720368547758.07, 9.223372036854776E16]");
  }
}

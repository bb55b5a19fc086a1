package dev.gyre.bench.group;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Tables of rows in DuckDB, in memory. */
final class DuckTables implements AutoCloseable {

  private final Connection connection;

  DuckTables(int threads) {
    try {
      connection = DriverManager.getConnection("jdbc:duckdb:");
    } catch (SQLException e) {
      throw new IllegalStateException("DuckDB is not on the class path: build with -Pduckdb", e);
    }
    run("SET threads TO " + threads);
  }

  /** Makes a table of the columns k and v. */
  void load(String table, Rows rows) {
    try {
      Path file = Files.createTempFile("gyre-rows", ".csv");
      try {
        rows.writeCsv(file);
        run(
            "CREATE TABLE %s AS SELECT * FROM read_csv('%s', header=false,".formatted(table, file)
                + " columns={'k': 'BIGINT', 'v': 'BIGINT'})");
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void run(String sql) {
    try (Statement statement = connection.createStatement()) {
      boolean _ = statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Uses a row of a result. */
  @FunctionalInterface
  private interface RowUse {
    void accept(ResultSet row) throws SQLException;
  }

  private void query(String sql, RowUse use) {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        use.accept(result);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Returns all numbers of a result, row by row. */
  long[] numbers(String sql, int count) {
    LongBuffer numbers = LongBuffer.allocate(count);
    query(
        sql,
        row -> {
          int columns = row.getMetaData().getColumnCount();
          for (int column = 1; column <= columns; column++) {
            numbers.put(row.getLong(column));
          }
        });
    if (numbers.hasRemaining()) {
      throw new IllegalStateException(
          "%s has %d numbers, not %d".formatted(sql, numbers.position(), count));
    }
    return numbers.array();
  }

  /** Returns the first column of a result. */
  List<String> texts(String sql) {
    List<String> texts = new ArrayList<>();
    query(sql, row -> texts.add(row.getString(1)));
    return texts;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}

package dev.gyre.bench.group;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
    Path folder = rows.csv();
    try {
      run(
          "CREATE TABLE %s AS SELECT * FROM read_csv('%s/*.csv', header=false,"
                  .formatted(table, folder)
              + " columns={'k': 'BIGINT', 'v': 'BIGINT'})");
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
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

  /** Returns all numbers of a result, row by row. */
  long[] numbers(String sql, int count) {
    long[] numbers = new long[count];
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      int at = 0;
      while (result.next()) {
        for (int column = 1; column <= columns; column++) {
          numbers[at++] = result.getLong(column);
        }
      }
      if (at != count) {
        throw new IllegalStateException("%s has %d numbers, not %d".formatted(sql, at, count));
      }
      return numbers;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Returns the first column of a result. */
  Stream<String> texts(String sql) {
    List<String> texts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        texts.add(result.getString(1));
      }
      return texts.stream();
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
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

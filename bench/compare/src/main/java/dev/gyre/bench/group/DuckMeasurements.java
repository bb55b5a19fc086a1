package dev.gyre.bench.group;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The one-billion-row challenge by SQL of DuckDB: a program for {@code scripts/compare
 * --rival-command}. Its arguments are the file and the number of threads.
 */
public final class DuckMeasurements {

  private DuckMeasurements() {}

  /** Prints the result, and the seconds of the query to standard error. */
  public static void main(String[] args) {
    try (DuckTables tables = new DuckTables(Integer.parseInt(args[1]))) {
      long begin = System.nanoTime();
      List<String> groups =
          tables.texts(
              """
              SELECT station || '=' || min(t) || '/' || CAST(floor(sum(t * 10) / count(*) + 0.5)
                / 10 AS DECIMAL(9, 1)) || '/' || max(t)
              FROM read_csv('%s', header=false, delim=';', quote='', escape='',
                columns={'station': 'VARCHAR', 't': 'DECIMAL(9,1)'})
              GROUP BY station ORDER BY station\
              """
                  .formatted(args[0]));
      String result = "{" + String.join(", ", groups) + "}";
      System.err.printf("query: %.3f s%n", (System.nanoTime() - begin) / 1e9);
      new PrintStream(System.out, true, StandardCharsets.UTF_8).println(result);
    }
  }
}

package dev.gyre.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A program that prints rows as lines of CSV.
 *
 * @param folder where it runs
 * @param limit seconds after which it is ended
 * @param reader what its rows become in the table; null leaves a row out
 */
record ProgramCase(
    List<String> command, Path folder, double limit, Function<Row, @Nullable Row> reader)
    implements Job.Case {

  @Override
  public List<Row> fork() throws IOException {
    List<String> lines = new ArrayList<>();
    int code = Child.run(command, folder, limit, lines::add);
    List<Row> rows =
        lines.stream()
            .map(Row::ofProgram)
            .filter(Objects::nonNull)
            .map(reader)
            .filter(Objects::nonNull)
            .toList();
    if (code != 0 || rows.isEmpty()) {
      String why =
          switch (code) {
            case Child.TOO_LONG -> "it took longer than %.0f s".formatted(limit);
            case 0 -> "it printed no row";
            default -> "it ended with %d: %s".formatted(code, reason(lines));
          };
      throw failed(why, String.join(" ", command), lines);
    }
    return rows;
  }

  /** Returns what is reported of a failure, with the whole output for the log. */
  static IOException failed(String why, String command, List<String> output) {
    return new IOException(why, new IOException(command + "\n" + String.join("\n", output)));
  }

  /** Returns the line that says most: that of an exception, or the last. */
  static String reason(List<String> lines) {
    return lines.stream()
        .filter(line -> line.contains("Exception") || line.contains("Error"))
        .findFirst()
        .orElse(lines.isEmpty() ? "no output" : lines.getLast())
        .strip();
  }
}

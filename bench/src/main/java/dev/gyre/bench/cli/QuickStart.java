package dev.gyre.bench.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Runs the most common commands, for {@code scripts/gyre} to have Java write a cache of what they
 * load: later commands start from it.
 */
public final class QuickStart {

  /** Enough for Java to know which code matters. */
  private static final String ROWS = "2000000";

  private static final String GROUP =
      "group FILE --separator ; --quote none --columns s,t --by s --agg min(t),mean(t),max(t)";

  private QuickStart() {}

  private static void run(String... command) {
    PrintWriter nobody =
        new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    if (Gyre.run(nobody, nobody, command) != Gyre.OK) {
      throw new AssertionError(String.join(" ", command));
    }
  }

  /**
   * Asks for help, groups rows, counts the words of files and folders, and ends as a command does.
   */
  public static void main(String[] files) throws IOException {
    Path rows = Files.createTempFile("gyre-rows", ".txt");
    try {
      run("--help");
      run("wordcount", "--help");
      run("measurements", "--rows", ROWS, "--out", rows.toString());
      String[] group = GROUP.split(" ");
      group[1] = rows.toString();
      run(group);
    } finally {
      Files.delete(rows);
    }
    Gyre.main(Stream.concat(Stream.of("wordcount"), Stream.of(files)).toArray(String[]::new));
  }
}

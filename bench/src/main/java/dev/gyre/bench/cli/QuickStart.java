package dev.gyre.bench.cli;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * Runs the most common commands, for {@code scripts/gyre} to have Java write a cache of what they
 * load: later commands start from it.
 */
public final class QuickStart {

  private QuickStart() {}

  /** Counts the words of files and folders, and asks for help. */
  public static void main(String[] files) {
    PrintWriter nobody =
        new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    String[] count = Stream.concat(Stream.of("wordcount"), Stream.of(files)).toArray(String[]::new);
    for (String[] command : new String[][] {{"--help"}, {"wordcount", "--help"}, count}) {
      if (Gyre.run(nobody, nobody, command) != Gyre.OK) {
        throw new AssertionError(String.join(" ", command));
      }
    }
  }
}

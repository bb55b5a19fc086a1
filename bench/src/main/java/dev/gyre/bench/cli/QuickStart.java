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

  /** Asks for help, counts the words of files and folders, and ends as a command does. */
  public static void main(String[] files) {
    PrintWriter nobody =
        new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    for (String[] command : new String[][] {{"--help"}, {"wordcount", "--help"}}) {
      if (Gyre.run(nobody, nobody, command) != Gyre.OK) {
        throw new AssertionError(String.join(" ", command));
      }
    }
    Gyre.main(Stream.concat(Stream.of("wordcount"), Stream.of(files)).toArray(String[]::new));
  }
}

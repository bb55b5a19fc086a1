package dev.gyre.bench.cli;

import dev.gyre.atomics.GyreException;
import dev.gyre.datasets.OutputFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The files that the options of a command name for its results. */
final class Outputs {

  /** Stands for standard output. */
  static final Path STANDARD = Path.of("-");

  private Outputs() {}

  /** What an option names, tried before the work; null where the option was not given. */
  static @Nullable OutputFile of(@Nullable Path name) {
    if (name == null) {
      return null;
    }
    return name.equals(STANDARD) ? OutputFile.standardOutput() : OutputFile.of(name);
  }

  /**
   * Where all else is printed: standard error, where one of the names stands for standard output.
   */
  static PrintWriter textOutput(CommandLine command, @Nullable Path... names) {
    return Arrays.asList(names).contains(STANDARD) ? command.getErr() : command.getOut();
  }

  /**
   * Refuses to write over what is read.
   *
   * @throws ParameterException naming option and file
   */
  static void requireNotRead(
      CommandLine command, String option, @Nullable OutputFile file, Path read) {
    if (file != null && file.replaces(read)) {
      throw new ParameterException(
          command, "%s is to write %s, which is to be read".formatted(option, read));
    }
  }

  /**
   * Refuses two options that name the same file.
   *
   * @throws ParameterException naming both
   */
  static void requireDifferent(
      CommandLine command,
      String option,
      @Nullable OutputFile file,
      String other,
      @Nullable OutputFile otherFile) {
    if (file != null && otherFile != null && file.isSameAs(otherFile)) {
      throw new ParameterException(
          command, "%s and %s are to write the same file, %s".formatted(option, other, otherFile));
    }
  }

  /** Writes a file; where that fails, what was there before is unchanged. */
  static void write(OutputFile file, OutputFile.Content content) {
    try {
      file.write(
          to -> {
            try {
              content.writeTo(to);
            } catch (UncheckedIOException e) {
              throw e.getCause();
            }
          });
    } catch (IOException e) {
      throw new GyreException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  /** Writes text into a file; to be flushed, not closed. */
  static Writer text(FileChannel file) {
    return new BufferedWriter(Channels.newWriter(file, StandardCharsets.UTF_8));
  }
}

package dev.gyre.bench.cli;

import dev.gyre.atomics.GyreException;
import dev.gyre.datasets.OutputFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The files that the options of a command name for its results. */
final class Outputs {

  private Outputs() {}

  /** What an option names, tried before the work; null where the option was not given. */
  static @Nullable OutputFile of(@Nullable Path name) {
    return name == null ? null : OutputFile.of(name);
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
      file.write(content);
    } catch (IOException e) {
      throw new GyreException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  /** Writes text into a file; to be flushed, not closed. */
  static Writer text(FileChannel file) {
    return new BufferedWriter(Channels.newWriter(file, StandardCharsets.UTF_8));
  }
}

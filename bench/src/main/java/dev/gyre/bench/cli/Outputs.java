package dev.gyre.bench.cli;

import dev.gyre.atomics.GyreException;
import dev.gyre.datasets.OutputFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The files that the options of a command name for its results. */
final class Outputs {

  /** Stands for standard output. */
  static final Path STANDARD = Path.of("-");

  private Outputs() {}

  /** Returns what an option names, tried before the work. */
  static OutputFile of(Path name) {
    return name.equals(STANDARD) ? OutputFile.standardOutput() : OutputFile.of(name);
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

  /** Writes bytes into a file. */
  static void write(FileChannel file, ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        int _ = file.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes text into a file; to be flushed, not closed. */
  static Writer text(FileChannel file) {
    return new BufferedWriter(Channels.newWriter(file, StandardCharsets.UTF_8));
  }
}

package dev.gyre.bench.cli;

import dev.gyre.atomics.GyreException;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.WholeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a command writes: checked before the work, replaced as a whole after it. */
final class OutputFile {

  private OutputFile() {}

  /**
   * Refuses a file that could not be written, before any work is done.
   *
   * @throws BadInputException saying why
   */
  static void requireWritable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw new BadInputException(file.toString(), "is a folder, not a file to write");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw new BadInputException(file.toString(), "its folder does not exist");
    }
    if (!Files.isWritable(folder) && !Files.isWritable(file)) {
      throw new BadInputException(file.toString(), "not writable: permission denied");
    }
  }

  /** Writes the file; where that fails, what was there before is unchanged. */
  static void write(Path file, WholeFile.Content content) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        // A pipe or a device: nothing to replace.
        content.writeTo(file);
      } else {
        WholeFile.write(file, content);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new GyreException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}

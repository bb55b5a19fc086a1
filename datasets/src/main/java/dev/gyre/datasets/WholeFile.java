package dev.gyre.datasets;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.ThreadLocalRandom;

/** Files that are written as a whole or not at all. */
public final class WholeFile {

  private static final int RADIX = 36;

  /** Writes a file, which exists and is empty, from its beginning to its end. */
  @FunctionalInterface
  public interface Content {
    void writeTo(Path file) throws IOException;
  }

  private WholeFile() {}

  /**
   * Writes a file under another name in the same folder, and then gives it its own: until then,
   * what was there before is there, and it stays where writing fails. New files have the
   * permissions that the process gives to files.
   *
   * @throws IOException if it cannot be written
   */
  public static void write(Path file, Content content) throws IOException {
    Path unfinished = create(file);
    try {
      content.writeTo(unfinished);
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  /** {@link Files#createTempFile} would make a file that nobody else may read. */
  private static Path create(Path file) throws IOException {
    while (true) {
      String number = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), RADIX);
      Path unfinished = file.resolveSibling("." + file.getFileName() + "." + number + ".part");
      try {
        return Files.createFile(unfinished);
      } catch (FileAlreadyExistsException e) {
        // Another number.
      }
    }
  }
}

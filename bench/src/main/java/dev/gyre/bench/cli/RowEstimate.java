package dev.gyre.bench.cli;

import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** About how many rows tables have, by the sizes of their files and their first rows. */
final class RowEstimate {

  /** As {@code scripts/gyre} does, which comes to the same choice before Java is started. */
  private static final int SAMPLED = 1 << 16;

  private RowEstimate() {}

  /** Of all files together; {@link ByteProgress#UNKNOWN} where one is none, or cannot be read. */
  static long of(Path... files) {
    long rows = 0;
    try {
      for (Path file : files) {
        if (!Files.isRegularFile(file) || TextInput.isPacked(file)) {
          return ByteProgress.UNKNOWN;
        }
        rows += of(file);
      }
    } catch (IOException e) {
      // The code that reads it reports the error.
      return ByteProgress.UNKNOWN;
    }
    return rows;
  }

  private static long of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] sample = in.readNBytes(SAMPLED);
      long lines = 0;
      for (byte each : sample) {
        lines += each == '\n' ? 1 : 0;
      }
      return sample.length == 0 ? 0 : Files.size(file) * lines / sample.length;
    }
  }
}

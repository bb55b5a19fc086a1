package dev.gyre.bench.cli;

import dev.gyre.atomics.GyreException;
import dev.gyre.datasets.BrokenPipeException;
import dev.gyre.datasets.OutputFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Standard output of this process, which throws if it cannot be written. A {@link PrintWriter}
 * would only note the failure, and the command would continue without a reader.
 */
public final class StandardOutput extends OutputStream {

  private final OutputFile file = OutputFile.standardOutput();

  private StandardOutput() {}

  /**
   * Returns a writer to it in UTF-8.
   *
   * <p>The writer throws {@link BrokenPipeException} if the reader has closed the pipe, and another
   * {@link GyreException} if the output cannot be written for another reason.
   */
  public static PrintWriter writer() {
    return new PrintWriter(new StandardOutput(), false, StandardCharsets.UTF_8);
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) {
    ByteBuffer left = ByteBuffer.wrap(bytes, from, count);
    try {
      file.write(
          to -> {
            while (left.hasRemaining()) {
              int _ = to.write(left);
            }
          });
    } catch (IOException e) {
      throw new GyreException("standard output cannot be written: " + e.getMessage(), e);
    }
  }
}

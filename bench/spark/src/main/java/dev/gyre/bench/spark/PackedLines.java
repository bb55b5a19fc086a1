package dev.gyre.bench.spark;

import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.TextFiles;
import dev.gyre.datasets.TextInput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of files that are gzip, as {@code gyre wordcount} does: Spark itself goes by the
 * names of files, and does not name one that is truncated.
 */
final class PackedLines implements FlatMapFunction<String, String> {

  @Serial private static final long serialVersionUID = 1L;

  private final SerializableConfiguration configuration;
  private final LongAccumulator bytes;

  /**
   * Reads lines.
   *
   * @param bytes is added the bytes of the unpacked texts
   */
  PackedLines(SerializableConfiguration configuration, LongAccumulator bytes) {
    this.configuration = configuration;
    this.bytes = bytes;
  }

  @Override
  public Iterator<String> call(String file) {
    try {
      Path path = new Path(file);
      ReadableByteChannel packed =
          Channels.newChannel(path.getFileSystem(configuration.value()).open(path));
      ReadableByteChannel text = new Counted(TextInput.of(packed), bytes);
      return new Lines(
          file,
          new BufferedReader(
              new InputStreamReader(Channels.newInputStream(text), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new BadInputException(file, TextFiles.reasonOf(e, "file"), e);
    }
  }

  /** Tells how many bytes were read, at the end. */
  private static final class Counted implements ReadableByteChannel {
    private final ReadableByteChannel text;
    private final LongAccumulator bytes;
    private long count;

    Counted(ReadableByteChannel text, LongAccumulator bytes) {
      this.text = text;
      this.bytes = bytes;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
      int read = text.read(to);
      if (read < 0) {
        bytes.add(count);
        count = 0;
      }
      count += Math.max(0, read);
      return read;
    }

    @Override
    public boolean isOpen() {
      return text.isOpen();
    }

    @Override
    public void close() throws IOException {
      text.close();
    }
  }

  private static final class Lines implements Iterator<String> {
    private final String file;
    private final BufferedReader text;
    private @Nullable String next;
    private boolean ended;

    Lines(String file, BufferedReader text) {
      this.file = file;
      this.text = text;
    }

    @Override
    public boolean hasNext() {
      if (next == null && !ended) {
        try {
          next = text.readLine();
          ended = next == null;
          if (ended) {
            text.close();
          }
        } catch (IOException e) {
          throw new BadInputException(file, TextFiles.reasonOf(e, "file"), e);
        }
      }
      return !ended;
    }

    @Override
    public String next() {
      String line = hasNext() ? next : null;
      if (line == null) {
        throw new NoSuchElementException();
      }
      next = null;
      return line;
    }
  }
}

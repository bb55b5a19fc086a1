package dev.gyre.bench.spark;

import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextChunk;
import dev.gyre.datasets.TextChunks;
import dev.gyre.datasets.TextFiles;
import dev.gyre.datasets.TextSource;
import java.io.IOException;
import java.io.Serial;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.TaskCompletionListener;

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
    TextChunks chunks =
        TextChunks.open(
            TextSource.ofChannel(file, opened(file)),
            TextChunks.DEFAULT_CHUNK_BYTES,
            value -> value == '\n',
            ByteProgress.NONE);
    TaskCompletionListener end = _ -> chunks.close();
    TaskContext _ = TaskContext.get().addTaskCompletionListener(end);
    return Stream.generate(() -> Optional.ofNullable(chunks.next()))
        .takeWhile(Optional::isPresent)
        .flatMap(chunk -> lines(chunk.get()))
        .iterator();
  }

  private ReadableByteChannel opened(String file) {
    try {
      Path path = new Path(file);
      return Channels.newChannel(path.getFileSystem(configuration.value()).open(path));
    } catch (IOException e) {
      throw new BadInputException(file, TextFiles.reasonOf(e, "file"), e);
    }
  }

  private Stream<String> lines(TextChunk chunk) {
    bytes.add(chunk.sourceBytes());
    MemorySegment text = chunk.memory().segment().asSlice(0, chunk.length());
    return new String(text.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8).lines();
  }
}

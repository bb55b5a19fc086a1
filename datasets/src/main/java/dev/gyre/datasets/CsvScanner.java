package dev.gyre.datasets;

import dev.gyre.datasets.CsvChunks.Chunk;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Parses the wanted columns of CSV texts on all cores.
 *
 * <pre>{@code
 * CsvScanner.of(TextSource.ofFiles(List.of(file)), CsvFormat.RFC4180)
 *     .scan(
 *         names -> List.of(CsvColumn.text("station"), CsvColumn.decimal("temperature", 1)),
 *         () -> rows -> process(rows.decimals(1), rows.count()));
 * }</pre>
 *
 * <h2>Format</h2>
 *
 * <p>Records are as in Python's csv module:
 *
 * <ul>
 *   <li>A quote has a meaning at the beginning of a field only. Separators, ends of lines and
 *       doubled quotes may be inside. What follows the closing quote is part of the field.
 *   <li>Lines end with LF or CRLF. A CR alone is a byte like any other. The last line need not end.
 *   <li>Empty lines are skipped, as Python's DictReader does. A byte-order mark is skipped.
 *   <li>An empty field without quotes is null; {@code ""} is the empty text.
 * </ul>
 *
 * <p>A record with more fields than columns, or too few for the wanted columns, is an error, and so
 * is a quote that is not closed. Encodings are not checked: texts are bytes.
 *
 * <h2>Threads and memory</h2>
 *
 * <p>Regular files are mapped, and must not be written meanwhile. Texts are read in chunks, one per
 * thread. Each thread has a sink of its own, which receives rows in the order of the text, chunk by
 * chunk.
 *
 * @since 0.1.0
 */
public final class CsvScanner {

  /** Default size of a chunk, in bytes. */
  public static final long DEFAULT_CHUNK_BYTES = 1L << 20;

  static final String UNCLOSED = "a field that begins with a quote does not end with one";

  /** Takes the rows that one thread has parsed. */
  @FunctionalInterface
  public interface Sink {

    /** Takes a block of rows, which is valid until this method returns. */
    void take(CsvRows rows);

    /**
     * Called after the last rows of a chunk.
     *
     * @param number number of the chunk: from 0 on, in the order of the text
     */
    default void endChunk(long number) {}

    /** Called by another thread if the scan has failed, so that no sink waits for another one. */
    default void stop() {}
  }

  private final TextSource source;
  private final CsvFormat format;
  private int threads = Runtime.getRuntime().availableProcessors();
  private long chunkBytes = DEFAULT_CHUNK_BYTES;
  private ByteProgress progress = ByteProgress.NONE;

  private CsvScanner(TextSource source, CsvFormat format) {
    this.source = source;
    this.format = format;
  }

  /** Returns a scanner of one or more texts, each with names of its own if they have names. */
  public static CsvScanner of(TextSource source, CsvFormat format) {
    return new CsvScanner(
        Objects.requireNonNull(source, "source"), Objects.requireNonNull(format, "format"));
  }

  /** Sets the number of threads; by default one per core. */
  public CsvScanner threads(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("a scanner has at least 1 thread, not " + count);
    }
    threads = count;
    return this;
  }

  /** Sets the size of a chunk, in bytes. A record may be longer. */
  public CsvScanner chunkBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a chunk must have at least 1 byte: " + bytes);
    }
    chunkBytes = bytes;
    return this;
  }

  /** Sets a listener for the number of parsed bytes. One thread at a time calls it. */
  public CsvScanner progress(ByteProgress listener) {
    progress = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Scans all texts. If one is bad, streams are closed, so that no thread waits for more input.
   *
   * @param choose returns the wanted columns, all different, for the names of the columns of a
   *     text; the same for all texts
   * @param sinks makes a sink per thread, on the calling thread
   * @return the number of bytes that were read
   * @throws BadInputException if a text cannot be read, lacks a column, or is bad; the message has
   *     the line
   * @throws CsvTypeException if a field is a number of another type
   * @throws CancellationException if the calling thread is interrupted
   */
  public long scan(Function<List<String>, List<CsvColumn>> choose, Supplier<? extends Sink> sinks) {
    try (Arena arena = Arena.ofShared();
        Scan scan = new Scan(arena, choose)) {
      return scan.run(sinks);
    }
  }

  /** One pass over all texts. */
  private final class Scan implements AutoCloseable {
    private final Arena arena;
    private final Function<List<String>, List<CsvColumn>> choose;
    private final Iterator<TextSource.Part> parts = source.parts().iterator();
    private final List<Sink> sinks = new ArrayList<>();
    private List<CsvColumn> columns = List.of();
    private @Nullable CsvChunks current;
    private @Nullable Throwable failure;
    private long failedChunk = Long.MAX_VALUE;
    private long done;

    Scan(Arena arena, Function<List<String>, List<CsvColumn>> choose) {
      this.arena = arena;
      this.choose =
          names -> {
            columns = choose.apply(names);
            return columns;
          };
      current = open(0);
    }

    private @Nullable CsvChunks open(long number) {
      if (!parts.hasNext()) {
        return null;
      }
      TextSource.Part part = parts.next();
      try {
        return open(part, part.opener().open(), number);
      } catch (IOException e) {
        throw new BadInputException(part.name(), TextFiles.reasonOf(e, "file"), e);
      }
    }

    private CsvChunks open(TextSource.Part part, ReadableByteChannel channel, long number)
        throws IOException {
      boolean kept = false;
      try {
        CsvChunks.Setup setup =
            new CsvChunks.Setup(part.name(), format, chunkBytes, number, choose);
        CsvChunks chunks =
            switch (channel) {
              case SegmentChannel memory -> new CsvInMemory(setup, memory.bytes, null);
              // A file without a size may have content, for example below /proc.
              case ResumedChannel(_, FileChannel file) when part.size() > 0 -> {
                MemorySegment mapped = file.map(MapMode.READ_ONLY, 0, file.size(), arena);
                yield new CsvInMemory(setup, mapped, file);
              }
              default -> new CsvStream(setup, channel);
            };
        done += chunks.headBytes;
        kept = true;
        return chunks;
      } finally {
        if (!kept) {
          channel.close();
        }
      }
    }

    long run(Supplier<? extends Sink> makesSinks) {
      long size = source.byteSize();
      long most = size < 0 ? threads : Math.min(threads, size / chunkBytes + 1);
      List<Callable<Object>> work = new ArrayList<>();
      for (int i = 0; i < most; i++) {
        Sink sink = makesSinks.get();
        sinks.add(sink);
        CsvParser parser = new CsvParser(format, new CsvRows(columns), sink);
        work.add(Executors.callable(() -> work(parser, sink)));
      }
      ThreadFactory threads = Thread.ofPlatform().daemon().name("gyre-csv-", 0).factory();
      try (ExecutorService workers = Executors.newFixedThreadPool((int) most, threads)) {
        var _ = workers.invokeAll(work);
      } catch (InterruptedException e) {
        // The workers were interrupted, and have ended.
        fail(-1, new CancellationException("interrupted while a text was scanned"));
        Thread.currentThread().interrupt();
      } catch (OutOfMemoryError e) {
        // A thread cannot be started; those that ran do not use their sinks any longer.
        fail(-1, e);
      }
      rethrow();
      return done;
    }

    private synchronized void rethrow() {
      switch (failure) {
        case null -> {}
        case Error error -> throw error;
        case RuntimeException exception -> throw exception;
        default -> throw new IllegalStateException(failure);
      }
    }

    private void work(CsvParser parser, Sink sink) {
      long number = Long.MAX_VALUE;
      try (ChunkBuffer own = new ChunkBuffer(1)) {
        while (true) {
          number = Long.MAX_VALUE;
          CsvChunks of = now();
          if (of == null) {
            break;
          }
          Chunk chunk = next(of, own);
          if (chunk == null) {
            advance(of);
            continue;
          }
          number = chunk.number();
          parse(parser, of, chunk);
          sink.endChunk(number);
          finished(chunk.sourceBytes());
        }
      } catch (RuntimeException | Error e) {
        fail(number, e);
      }
    }

    private synchronized @Nullable CsvChunks now() {
      return failure == null ? current : null;
    }

    private @Nullable Chunk next(CsvChunks of, ChunkBuffer own) {
      try {
        return of.next(own);
      } catch (IOException e) {
        of.abort();
        throw new BadInputException(of.name, TextFiles.reasonOf(e, "file"), e);
      } catch (InternalError e) {
        // A page of a mapped file does not exist any more.
        of.abort();
        throw new BadInputException(of.name, CsvChunks.CHANGED, e);
      } catch (RuntimeException | Error e) {
        of.abort();
        throw e;
      }
    }

    private synchronized void advance(CsvChunks ended) {
      if (ended.equals(current) && failure == null) {
        close();
        current = open(ended.firstNumber + ended.count());
      }
    }

    private void parse(CsvParser parser, CsvChunks of, Chunk chunk) {
      parser.use(of.wanted());
      try {
        parser.parse(chunk.bytes(), chunk.from(), chunk.to());
      } catch (CsvProblem problem) {
        throw of.bad(problem, chunk);
      }
    }

    private synchronized void finished(long bytes) {
      done += bytes;
      progress.update(done, source.byteSize());
    }

    private synchronized void fail(long number, Throwable cause) {
      if (failure == null || number < failedChunk) {
        failure = cause;
        failedChunk = number;
      }
      if (current != null) {
        current.abort();
      }
      sinks.forEach(Sink::stop);
    }

    @Override
    public void close() {
      try {
        if (current != null) {
          current.close();
        }
      } catch (IOException e) {
        // Nothing was written, so nothing can be lost.
      }
    }
  }
}

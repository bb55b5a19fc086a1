package dev.gyre.datasets;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryInUseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads a text in chunks, cut between words and read ahead.
 *
 * <pre>{@code
 * try (TextChunks chunks =
 *     TextChunks.open(source, DEFAULT_CHUNK_BYTES, separator, ByteProgress.NONE)) {
 *   for (TextChunk chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
 *     process(chunk.memory(), chunk.length());
 *   }
 * }
 * }</pre>
 *
 * <p>While the caller processes one chunk, a thread reads the next one into off-heap memory. The
 * memory is limited to two chunks for a text of any size. If a word is longer than a chunk, the
 * chunk grows. Not thread-safe, except that any thread may call {@link #close}.
 *
 * @since 0.1.0
 */
public final class TextChunks implements AutoCloseable {

  /**
   * Default size of a chunk, in bytes. It hides the cost of starting work on the JVM, reading and
   * processing overlap, and both buffers fit in the cache. A device behind a bus needs larger
   * chunks.
   */
  public static final long DEFAULT_CHUNK_BYTES = 4L << 20;

  private static final int BUFFERS = 2;
  private static final long CLOSE_MILLIS = 1_000;

  private final ExecutorService reader =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("gyre-text-reader").factory());

  private final Object closing = new Object();
  private final ChunkFiller filler;
  private final ByteProgress progress;
  private final Consumer<Memory> whenRead;
  private final long total;
  private final long bufferBytes;

  /** One has the current chunk, the other one the next chunk; for the reader. */
  private final List<ChunkBuffer> buffers = new ArrayList<>();

  private int chunksRead;
  private Future<Optional<TextChunk>> next;
  private @Nullable TextChunk current;
  private long done;
  private volatile boolean closed;

  /** Whether the reader uses the buffers; guarded by closing. */
  private boolean reading;

  private TextChunks(
      TextSource source,
      long chunkBytes,
      IntPredicate separator,
      ByteProgress progress,
      Consumer<Memory> whenRead) {
    this.whenRead = whenRead;
    this.filler = new ChunkFiller(source, separator);
    this.progress = progress;
    this.total = source.byteSize();
    // One byte more than a small text: only a buffer that is not full proves its end.
    long whole = total < 0 ? Long.MAX_VALUE : total + source.parts().size();
    this.bufferBytes = Math.min(chunkBytes, Math.max(whole, 1));
    this.next = reader.submit(this::read);
  }

  /**
   * Starts to read a text.
   *
   * @param chunkBytes size of a chunk, in bytes, of at least 1
   * @param separator whether a byte (0 to 255) separates words; a newline must. Bytes of a
   *     multi-byte character must not.
   * @param progress called by the calling thread with the bytes of processed chunks
   */
  public static TextChunks open(
      TextSource source, long chunkBytes, IntPredicate separator, ByteProgress progress) {
    return open(source, chunkBytes, separator, progress, _ -> {});
  }

  /**
   * Starts to read a text.
   *
   * @param whenRead called by the reading thread with the memory of each chunk that has been read,
   *     for example to begin sending it to a device; the caller may still be processing the chunk
   *     before
   */
  public static TextChunks open(
      TextSource source,
      long chunkBytes,
      IntPredicate separator,
      ByteProgress progress,
      Consumer<Memory> whenRead) {
    if (chunkBytes < 1) {
      throw new IllegalArgumentException("a chunk must have at least 1 byte: " + chunkBytes);
    }
    if (!separator.test('\n')) {
      throw new IllegalArgumentException("a newline must separate words: it stands between files");
    }
    return new TextChunks(source, chunkBytes, separator, progress, whenRead);
  }

  /**
   * Waits for the next chunk, and returns the previous one to the reader.
   *
   * @return the chunk, never empty and valid until the next call, or null after the end
   * @throws BadInputException if the source cannot be read; earlier chunks were delivered
   * @throws dev.gyre.atomics.MemoryExhaustedException if a word is too long for the memory
   * @throws ClosedException if this is closed
   * @throws CancellationException if the thread is interrupted
   */
  public @Nullable TextChunk next() {
    requireOpen();
    release();
    try {
      TextChunk chunk = next.get().orElse(null);
      if (chunk != null) {
        current = chunk;
        next = reader.submit(this::read);
      }
      return chunk;
    } catch (ExecutionException e) {
      // close() interrupts a read, which then fails.
      throw closed ? closedException() : rethrown(e.getCause());
    } catch (RejectedExecutionException | CancellationException e) {
      // close() ended the reading.
      throw closedException();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      CancellationException cancelled = new CancellationException("interrupted while reading");
      cancelled.initCause(e);
      throw cancelled;
    }
  }

  /** Returns the bytes of the source in all chunks that the caller has processed. */
  public long sourceBytesDone() {
    return done;
  }

  private void requireOpen() {
    if (closed) {
      throw closedException();
    }
  }

  private static ClosedException closedException() {
    return new ClosedException("text chunks");
  }

  private void release() {
    if (current != null) {
      done += current.sourceBytes();
      current = null;
      progress.update(done, total);
    }
  }

  private static RuntimeException rethrown(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    // Only unchecked ones reach this: ChunkFiller wraps the others.
    return cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
  }

  /** Reads the next chunk; empty at the end. */
  private Optional<TextChunk> read() {
    synchronized (closing) {
      requireOpen();
      reading = true;
    }
    boolean ended = true;
    try {
      TextChunk chunk = filler.atEnd() ? null : filler.fill(buffer());
      if (chunk != null) {
        whenRead.accept(chunk.memory());
        ended = false;
      }
      return Optional.ofNullable(chunk);
    } finally {
      if (ended) {
        filler.close();
      }
      synchronized (closing) {
        reading = false;
        if (closed) {
          free();
        }
      }
    }
  }

  /** Returns the buffer for the next chunk. The second one is allocated for the second chunk. */
  private ChunkBuffer buffer() {
    int index = chunksRead++ % BUFFERS;
    if (index == buffers.size()) {
      buffers.add(new ChunkBuffer(bufferBytes));
    }
    return buffers.get(index);
  }

  /**
   * Ends the reading and frees the memory of all chunks. Further calls do nothing. If a read cannot
   * be interrupted, for example of a terminal, the reader frees the memory when that read returns.
   *
   * @throws MemoryInUseException if a device uses some of the memory, which is kept; call close
   *     again later
   */
  @Override
  public void close() {
    closed = true;
    // A chunk that is not begun will not be: nobody may wait for it.
    reader.shutdownNow().forEach(waiting -> ((Future<?>) waiting).cancel(false));
    try {
      boolean _ = reader.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (closing) {
      if (!reading) {
        free();
      }
    }
  }

  /**
   * Closes the source, and frees all buffers that are not in use; another call frees the others.
   */
  private void free() {
    filler.close();
    ChunkBuffer.closeAll(buffers, ChunkBuffer::close);
  }
}

package dev.gyre.datasets;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryInUseException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
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

  /** Result of the reader. */
  private sealed interface Handover {
    record Filled(TextChunk chunk, ChunkBuffer buffer) implements Handover {}

    record Failed(Throwable cause) implements Handover {}

    record Ended() implements Handover {}
  }

  private final BlockingQueue<Handover> filled = new ArrayBlockingQueue<>(BUFFERS + 1);
  private final BlockingQueue<ChunkBuffer> free = new ArrayBlockingQueue<>(BUFFERS);
  private final Object closing = new Object();
  private final ChunkFiller filler;
  private final ByteProgress progress;
  private final Consumer<Memory> whenRead;
  private final long total;
  private final long bufferBytes;
  private final Thread reader;
  private final @Nullable ChunkBuffer[] buffers = new @Nullable ChunkBuffer[BUFFERS];
  private Handover.@Nullable Filled current;
  private @Nullable Handover last;
  private long done;
  private volatile boolean closed;

  /** Whether the reader uses no buffer any more; guarded by closing. */
  private boolean ended;

  private TextChunks(
      TextSource source,
      long chunkBytes,
      boolean[] separators,
      ByteProgress progress,
      Consumer<Memory> whenRead) {
    this.whenRead = whenRead;
    this.filler = new ChunkFiller(source, separators);
    this.progress = progress;
    this.total = source.byteSize();
    // One byte more than a small text: only a buffer that is not full proves its end.
    long whole = total < 0 ? Long.MAX_VALUE : total + source.parts().size();
    this.bufferBytes = Math.min(chunkBytes, Math.max(whole, 1));
    this.reader = Thread.ofPlatform().daemon().name("gyre-text-reader").unstarted(this::readAll);
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
    boolean[] separators = new boolean[256];
    for (int value = 0; value < separators.length; value++) {
      separators[value] = separator.test(value);
    }
    if (!separators['\n']) {
      throw new IllegalArgumentException("a newline must separate words: it stands between files");
    }
    TextChunks chunks = new TextChunks(source, chunkBytes, separators, progress, whenRead);
    chunks.reader.start();
    return chunks;
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
      Handover next = last != null ? last : filled.take();
      return switch (next) {
        case Handover.Filled now -> {
          current = now;
          yield now.chunk();
        }
        case Handover.Ended _ -> {
          last = next;
          yield null;
        }
        case Handover.Failed failed -> {
          last = next;
          throw rethrown(failed.cause());
        }
      };
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

  /** Bytes of the whole source, or {@link ByteProgress#UNKNOWN}. */
  public long sourceBytes() {
    return total;
  }

  private void requireOpen() {
    if (closed) {
      throw new ClosedException("text chunks");
    }
  }

  private void release() {
    if (current != null) {
      done += current.chunk().sourceBytes();
      free.add(current.buffer());
      current = null;
      progress.update(done, total);
    }
  }

  private static RuntimeException rethrown(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    // Only unchecked ones reach this: ChunkFiller wraps the others.
    return cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
  }

  private void readAll() {
    try (filler) {
      Handover next;
      do {
        next = readNext();
        filled.put(next);
      } while (next instanceof Handover.Filled && !closed);
    } catch (InterruptedException e) {
      // close() asked for the end.
    } finally {
      end();
    }
  }

  /** Frees the buffers if both the reader and the closing thread have ended. */
  private void end() {
    synchronized (closing) {
      ended = true;
      if (closed) {
        freeBuffers();
      }
    }
  }

  private Handover readNext() throws InterruptedException {
    try {
      if (filler.atEnd()) {
        return new Handover.Ended();
      }
      ChunkBuffer buffer = takeBuffer();
      TextChunk chunk = filler.fill(buffer);
      if (chunk == null) {
        return new Handover.Ended();
      }
      whenRead.accept(chunk.memory());
      return new Handover.Filled(chunk, buffer);
    } catch (RuntimeException | Error e) {
      return new Handover.Failed(e);
    }
  }

  /** Returns a free buffer. The second one is allocated only for a text of several chunks. */
  private ChunkBuffer takeBuffer() throws InterruptedException {
    for (int i = 0; i < BUFFERS; i++) {
      synchronized (closing) {
        if (buffers[i] == null && !closed) {
          ChunkBuffer buffer = new ChunkBuffer(bufferBytes);
          buffers[i] = buffer;
          return buffer;
        }
      }
    }
    return free.take();
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
    reader.interrupt();
    try {
      reader.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (closing) {
      if (ended) {
        freeBuffers();
      }
    }
  }

  /** Frees all buffers that are not in use; another call frees the others. */
  private void freeBuffers() {
    MemoryInUseException failure = null;
    for (ChunkBuffer buffer : buffers) {
      try {
        if (buffer != null) {
          buffer.close();
        }
      } catch (MemoryInUseException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}

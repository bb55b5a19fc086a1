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
 * A text in chunks, cut between words and read ahead: while the caller works on one chunk, a thread
 * reads the next one by large reads, straight into off-heap memory.
 *
 * <p>Memory is bounded by two chunks, whatever the size of the text; a word longer than a chunk
 * makes the chunk grow to hold it.
 *
 * <p>For one thread, but {@link #close} may be called by any.
 */
public final class TextChunks implements AutoCloseable {

  /**
   * Size of a chunk, in bytes: large enough to hide the cost of starting work on it on the JVM, and
   * small enough that reading and working overlap and that both buffers stay in the cache. A device
   * behind a bus wants more.
   */
  public static final long DEFAULT_CHUNK_BYTES = 4L << 20;

  private static final int BUFFERS = 2;
  private static final long CLOSE_MILLIS = 1_000;

  /** What the reader hands over. */
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

  /** Whether the reader touches no buffer any more; guarded by closing. */
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
    // One byte more than a small text has: only a buffer that is not full proves the end.
    long whole = total < 0 ? Long.MAX_VALUE : total + source.parts().size();
    this.bufferBytes = Math.min(chunkBytes, Math.max(whole, 1));
    this.reader = Thread.ofPlatform().daemon().name("gyre-text-reader").unstarted(this::readAll);
  }

  /**
   * Starts to read a text in chunks of {@link #DEFAULT_CHUNK_BYTES}.
   *
   * @param separator whether a byte (0 to 255) separates words; a newline must
   */
  public static TextChunks open(TextSource source, IntPredicate separator) {
    return open(source, DEFAULT_CHUNK_BYTES, separator, ByteProgress.NONE);
  }

  /**
   * Starts to read a text.
   *
   * @param chunkBytes size of a chunk, in bytes, of at least 1
   * @param separator whether a byte (0 to 255) separates words; a newline must. Bytes of a
   *     character of several bytes must not, lest it be cut.
   * @param progress told of the bytes of the chunks that the caller is done with, by its own thread
   */
  public static TextChunks open(
      TextSource source, long chunkBytes, IntPredicate separator, ByteProgress progress) {
    return open(source, chunkBytes, separator, progress, _ -> {});
  }

  /**
   * Starts to read a text.
   *
   * @param whenRead given the memory of each chunk when it has been read, by the reading thread, as
   *     long as the caller may still work on the chunk before: to begin to send it to a device
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
   * Waits for the next chunk, and gives the one before back to the reader.
   *
   * @return the chunk, never empty and valid until the next call, or null after the end
   * @throws BadInputException if the source cannot be read; chunks before came through
   * @throws dev.gyre.atomics.MemoryExhaustedException if a word is too long for the memory
   * @throws ClosedException if this was closed
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

  /** Bytes of the source in all chunks that the caller is done with. */
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

  /** Of the reader and who closes this, the one who comes last frees the buffers. */
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

  /** A free buffer; the second is allocated only for a text of several chunks. */
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
   * Ends the reading and frees the memory of all chunks; further calls do nothing. Where the reader
   * sits in a read that cannot be interrupted, of a terminal say, it frees them when that returns.
   *
   * @throws MemoryInUseException if a device works on some of it, which is kept then; to be called
   *     again
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

  /** Frees all buffers that can be; the others stay to be freed by another call. */
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

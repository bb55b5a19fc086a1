package dev.gyre.datasets;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Chunks of a CSV text that can be read from any place on: a file, or a text in memory.
 *
 * <p>The text is cut at multiples of the size of a chunk. Each thread reads its part into its own
 * buffer and finds the effect of the quotes in it. Then it waits for the state at the beginning,
 * and takes the records that begin in its part.
 *
 * <p>A file is mapped, too, for what is rarely needed: ends of long records, and errors. The parts
 * themselves are read, because faults of pages cost more than a copy into a buffer that stays in
 * the cache of a core.
 */
final class CsvInMemory extends CsvChunks {

  /** Most bytes after a part that are read with it: the last record mostly ends there. */
  private static final int TAIL_BYTES = 1 << 12;

  private final MemorySegment text;

  /** The file; null if the text is in memory. */
  private final @Nullable FileChannel file;

  private final long origin;
  private final long size;
  private final CsvQuotes quotes;
  private final AtomicLong taken = new AtomicLong();

  /** Shared by the threads that may read the file. */
  private final ReadWriteLock reading = new ReentrantReadWriteLock();

  // Guarded by this: the chunk whose turn it is, the state where it begins, and its first record.
  private long turn;
  private int state = CsvQuotes.OUTSIDE;
  private long record;
  private boolean aborted;

  CsvInMemory(Setup setup, MemorySegment text, @Nullable FileChannel file) {
    super(setup);
    this.text = text;
    this.file = file;
    this.origin = CsvNames.markBytes(text);
    this.headBytes = origin;
    this.size = text.byteSize();
    this.quotes = new CsvQuotes(text, origin, format);
    this.record = CsvNames.firstRow(text, format);
    begin(text, record);
  }

  @Override
  @Nullable Chunk next(ChunkBuffer own) throws IOException {
    reading.readLock().lock();
    try {
      return taken(own);
    } finally {
      reading.readLock().unlock();
    }
  }

  private @Nullable Chunk taken(ChunkBuffer own) throws IOException {
    long index = taken.getAndIncrement();
    long start = origin + index * chunkBytes;
    if (start >= size) {
      return null;
    }
    long end = Math.min(start + chunkBytes, size);
    // The byte before the part says whether a quote opens a field.
    long first = Math.max(origin, start - 1);
    long behind = Math.min(end + Math.min(TAIL_BYTES, chunkBytes), size);
    read(own, first, first, behind);
    CsvQuotes here = new CsvQuotes(own.memory().segment(), origin - first, format);
    int effect = here.effect(start - first, end - first);
    long from;
    long to;
    synchronized (this) {
      if (!await(index)) {
        return null;
      }
      from = record;
      state = CsvQuotes.after(effect, state);
      to = from < end ? end(here, first, end, behind) : from;
      record = to;
      turn++;
      notifyAll();
    }
    if (from == to) {
      // No record begins in this part; the last one may end far behind it.
      return new Chunk(
          firstNumber + index, own.memory().segment(), 0, 0, text, first, 1, end - start);
    }
    read(own, first, behind, Math.max(behind, to));
    MemorySegment bytes = own.memory().segment();
    long closed = closeLine(bytes, from - first, to - first);
    return new Chunk(firstNumber + index, bytes, from - first, closed, text, first, 1, end - start);
  }

  /** Reads bytes into a buffer that begins with the byte at {@code first}. */
  private void read(ChunkBuffer own, long first, long from, long to) throws IOException {
    // One more for the end of the last line.
    own.grow(to - first + 1 + CsvFields.PADDING_BYTES, from - first);
    if (file == null) {
      MemorySegment.copy(text, from, own.memory().segment(), from - first, to - from);
      return;
    }
    for (long at = from; at < to; ) {
      int count = file.read(own.window(at - first, to - first), at);
      if (count < 0) {
        throw new BadInputException(name, CHANGED);
      }
      at += count;
    }
  }

  /**
   * Returns the first end of a record that is not before the end of a part.
   *
   * @param here the bytes from {@code first} to {@code behind}
   */
  private long end(CsvQuotes here, long first, long partEnd, long behind) {
    if (partEnd < size) {
      long end = here.end(partEnd - first, behind - first, state);
      end = end < 0 ? quotes.end(partEnd, size, state) : first + end;
      if (end >= 0) {
        return end;
      }
    }
    requireClosed(text, quotes, record, size, 1);
    return size;
  }

  /** Waits for a turn; returns whether it came. */
  private synchronized boolean await(long index) {
    while (turn != index && !aborted) {
      try {
        wait();
      } catch (InterruptedException e) {
        aborted = true;
        Thread.currentThread().interrupt();
      }
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("interrupted while a text was scanned");
    }
    return !aborted;
  }

  @Override
  long count() {
    return (size - origin + chunkBytes - 1) / chunkBytes;
  }

  @Override
  synchronized void abort() {
    aborted = true;
    notifyAll();
  }

  @Override
  void close() throws IOException {
    reading.writeLock().lock();
    try (file) {
      reading.writeLock().unlock();
    }
  }
}

package dev.gyre.datasets;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Chunks of a CSV text in memory, for example of a mapped file, which are parsed where they are.
 *
 * <p>The text is cut at multiples of the size of a chunk. Each thread finds the effect of the
 * quotes in its part, waits for the state at the beginning, and takes the records that begin in its
 * part.
 */
final class CsvInMemory extends CsvChunks {

  private final MemorySegment text;
  private final long origin;
  private final long size;
  private final long chunkBytes;
  private final CsvQuotes quotes;
  private final AtomicLong taken = new AtomicLong();

  // Guarded by this: the chunk whose turn it is, the state where it begins, and its first record.
  private long turn;
  private int state = CsvQuotes.OUTSIDE;
  private long record;
  private boolean aborted;

  CsvInMemory(
      String name,
      MemorySegment text,
      CsvFormat format,
      long chunkBytes,
      long firstNumber,
      Function<List<String>, List<CsvColumn>> choose) {
    super(name, format, firstNumber);
    this.text = text;
    this.origin = CsvNames.markBytes(text);
    this.size = text.byteSize();
    this.chunkBytes = chunkBytes;
    this.quotes = new CsvQuotes(text, origin, format);
    long first = CsvNames.skipEmptyLines(text, origin, size);
    long end = quotes.nextEnd(first, size, CsvQuotes.OUTSIDE);
    this.record = begin(text, end < 0 ? size : end, first < size, choose);
  }

  @Override
  @Nullable Chunk next(ChunkBuffer own) {
    long index = taken.getAndIncrement();
    long start = origin + index * chunkBytes;
    if (start >= size) {
      return null;
    }
    long end = Math.min(start + chunkBytes, size);
    int effect = quotes.effect(start, end);
    long from;
    long to;
    synchronized (this) {
      if (!await(index)) {
        return null;
      }
      from = record;
      state = CsvQuotes.after(effect, state);
      to = end(from, end);
      record = to;
      turn++;
      notifyAll();
    }
    Chunk chunk = new Chunk(firstNumber + index, text, from, to, false, text, 0, 1, end - start);
    if (to + CsvParser.PADDING_BYTES <= size) {
      return chunk;
    }
    // The parser reads words: what it finds after the text must be readable.
    Chunk copy = chunk.copiedFrom(from, own);
    long closed = closeLine(copy.bytes(), 0, copy.to());
    return new Chunk(
        copy.number(), copy.bytes(), 0, closed, true, text, from, 1, copy.sourceBytes());
  }

  /** Returns the first end of a record that is not before the end of a part. */
  private long end(long from, long partEnd) {
    if (from >= partEnd) {
      return from;
    }
    long end = partEnd == size ? -1 : quotes.end(partEnd, size, state);
    if (end >= 0) {
      return end;
    }
    long unclosed = quotes.unclosed(from, size);
    if (unclosed >= 0) {
      throw unclosed(text, unclosed, 1);
    }
    return size;
  }

  /** Waits for a turn; returns whether it came. */
  private boolean await(long index) {
    boolean interrupted = false;
    while (turn != index && !aborted) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
        aborted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
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
}

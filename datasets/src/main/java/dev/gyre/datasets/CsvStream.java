package dev.gyre.datasets;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Chunks of a CSV text that is read from a channel. One thread at a time reads a chunk into its own
 * buffer, cuts it after the last whole record, and leaves the rest for the next chunk.
 */
final class CsvStream extends CsvChunks {

  private final ReadableByteChannel channel;
  private MemorySegment carried = MemorySegment.ofArray(new byte[0]);
  private boolean ended;
  private long count;
  private long line = 1;

  CsvStream(Setup setup, ReadableByteChannel channel) throws IOException {
    super(setup);
    this.channel = channel;
    try (ChunkBuffer first = new ChunkBuffer(chunkBytes)) {
      long filled = 0;
      MemorySegment text;
      do {
        filled = fill(first, filled, Math.max(chunkBytes, Math.max(2 * filled, Long.BYTES)));
        text = first.memory().segment().asSlice(0, filled);
        // A byte that may be half of an end of line waits for the other half.
        headBytes = CsvNames.firstRow(text, format);
      } while (headBytes == filled && !ended);
      begin(text, headBytes);
      line += CsvQuotes.lines(text, 0, headBytes);
      carry(text, headBytes, filled);
    }
  }

  private void carry(MemorySegment text, long from, long to) {
    carried = MemorySegment.ofArray(text.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE));
  }

  /** Reads until a number of bytes is there, or the text has ended. */
  private long fill(ChunkBuffer buffer, long from, long limit) throws IOException {
    buffer.grow(limit + CsvFields.PADDING_BYTES + 1, from);
    long filled = from;
    while (filled < limit && !ended) {
      int read = channel.read(buffer.window(filled, limit));
      ended = read < 0;
      filled += Math.max(0, read);
    }
    return filled;
  }

  @Override
  synchronized @Nullable Chunk next(ChunkBuffer own) throws IOException {
    long filled = carried.byteSize();
    if (ended && filled == 0) {
      return null;
    }
    own.grow(filled, 0);
    MemorySegment.copy(carried, 0, own.memory().segment(), 0, filled);
    long to = 0;
    for (long limit = Math.max(chunkBytes, filled); to == 0; limit *= 2) {
      filled = fill(own, filled, limit);
      to = ended ? filled : lastEnd(own.memory().segment(), filled);
      if (ended) {
        MemorySegment text = own.memory().segment();
        requireClosed(text, new CsvQuotes(text, 0, format), 0, filled, line);
      }
      if (filled == 0) {
        return null;
      }
    }
    MemorySegment text = own.memory().segment();
    carry(text, to, filled);
    long closed = closeLine(text, 0, to);
    Chunk chunk = new Chunk(firstNumber + count, text, 0, closed, text, 0, line, to);
    count++;
    line += CsvQuotes.lines(text, 0, to);
    return chunk;
  }

  private long lastEnd(MemorySegment text, long to) {
    if (format.quote() == CsvFormat.NO_QUOTE) {
      return CsvNames.endOfLines(text, to);
    }
    CsvQuotes quotes = new CsvQuotes(text, 0, format);
    long last = 0;
    for (long end = 0; end >= 0; end = quotes.nextEnd(end, to, CsvQuotes.OUTSIDE)) {
      last = end;
    }
    return last;
  }

  @Override
  synchronized long count() {
    return count;
  }

  @Override
  void abort() {
    try {
      // Ends a read that waits.
      close();
    } catch (IOException e) {
      // The scan has failed for another reason.
    }
  }

  @Override
  void close() throws IOException {
    channel.close();
  }
}

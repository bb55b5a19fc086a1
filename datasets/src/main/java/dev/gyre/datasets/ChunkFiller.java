package dev.gyre.datasets;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ReadableByteChannel;
import java.util.Iterator;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Fills buffers with the text of a source, one after another, cut after separators. Not
 * thread-safe.
 *
 * <p>The bytes after the last separator of a full buffer are copied to the next one. Until the next
 * call has begun, the full buffer must keep them.
 */
final class ChunkFiller implements AutoCloseable {

  private final Iterator<TextSource.Part> parts;
  private final IntPredicate separator;
  private TextSource.@Nullable Part part;
  private @Nullable ReadableByteChannel channel;
  private boolean newlineDue;
  private long newlines;
  private @Nullable MemorySegment carried;

  ChunkFiller(TextSource source, IntPredicate separator) {
    this.parts = source.parts().iterator();
    this.separator = separator;
    this.part = parts.hasNext() ? parts.next() : null;
  }

  /** Returns whether it is known that nothing is left. */
  boolean atEnd() {
    return part == null && carried == null;
  }

  /**
   * Fills a buffer, which grows until a whole word fits.
   *
   * @return the chunk, never empty, or null after the end of the source
   * @throws BadInputException if the source cannot be read
   */
  @Nullable TextChunk fill(ChunkBuffer buffer) {
    newlines = 0;
    long searched = takeCarried(buffer);
    long filled = read(buffer, searched);
    long cut = cut(buffer, searched, filled);
    while (cut == 0 && filled > 0) {
      buffer.grow(buffer.capacity() + 1, filled);
      searched = filled;
      filled = read(buffer, filled);
      cut = cut(buffer, searched, filled);
    }
    if (cut < filled) {
      carried = buffer.memory().segment().asSlice(cut, filled - cut);
    }
    return filled == 0 ? null : new TextChunk(buffer.memory(), cut, cut - newlines);
  }

  private long takeCarried(ChunkBuffer buffer) {
    if (carried == null) {
      return 0;
    }
    long bytes = carried.byteSize();
    buffer.grow(bytes + 1, 0);
    MemorySegment.copy(carried, 0, buffer.memory().segment(), 0, bytes);
    carried = null;
    return bytes;
  }

  /**
   * Returns the end of the chunk: after the last separator, at the end of the source, or 0 without
   * a separator.
   */
  private long cut(ChunkBuffer buffer, long from, long to) {
    if (part == null) {
      return to;
    }
    MemorySegment text = buffer.memory().segment();
    long at = to;
    while (at > from && !separator.test(text.get(ValueLayout.JAVA_BYTE, at - 1) & 0xff)) {
      at--;
    }
    return at == from ? 0 : at;
  }

  /** Reads until the buffer is full or the source has ended; returns the end of the data. */
  private long read(ChunkBuffer buffer, long from) {
    long filled = from;
    while (part != null && filled < buffer.capacity()) {
      if (newlineDue) {
        buffer.memory().segment().set(ValueLayout.JAVA_BYTE, filled, (byte) '\n');
        newlineDue = false;
        newlines++;
        filled++;
      } else {
        filled += readOnce(part, buffer, filled);
      }
    }
    return filled;
  }

  private int readOnce(TextSource.Part from, ChunkBuffer buffer, long at) {
    try {
      ReadableByteChannel open = channel;
      if (open == null) {
        open = from.opener().open();
        channel = open;
      }
      int count = open.read(buffer.window(at, buffer.capacity()));
      if (count < 0) {
        open.close();
        channel = null;
        part = parts.hasNext() ? parts.next() : null;
        newlineDue = part != null;
      }
      return Math.max(count, 0);
    } catch (IOException e) {
      throw new BadInputException(from.name(), TextFiles.reasonOf(e, "file"), e);
    }
  }

  /** Closes what is open. An error of close does not matter to a reader. */
  @Override
  public void close() {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException | RuntimeException e) {
        // Nothing was written, so nothing can be lost.
      }
    }
  }
}

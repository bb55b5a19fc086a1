package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A long text cut between words into pieces about as long as each other, which several take one
 * after another: the first piece of each is its own, the others are for whoever comes.
 */
@Internal
public final class TextCuts {

  /**
   * The last piece is shorter than the others, not longer, where words are not longer than this.
   */
  private static final long SLACK_BYTES = 1 << 12;

  /** A piece, from one byte of the text to before another. */
  record Piece(long from, long to) {
    long length() {
      return to - from;
    }
  }

  private final MemorySegment text;
  private final @Nullable Memory memory;
  private final long even;
  private final List<Piece> pieces;
  private final AtomicInteger next;

  /**
   * Cuts a text.
   *
   * @param memory where the text is, from the first byte on; null if that is no memory of ours
   * @param most length of a piece, but for words that are longer
   * @param separates whether a byte (0 to 255) separates words whatever is around it
   * @param takers how many take pieces
   */
  public TextCuts(
      MemorySegment text, @Nullable Memory memory, long most, IntPredicate separates, int takers) {
    this.text = text;
    this.memory = memory;
    this.even = even(text.byteSize(), most);
    this.pieces = cut(text, even, separates);
    this.next = new AtomicInteger(takers);
  }

  MemorySegment text() {
    return text;
  }

  /** Where the text is, from the first byte on; null if that is no memory of ours. */
  @Nullable Memory memory() {
    return memory;
  }

  /** Length of a piece, but for words that are longer. */
  long even() {
    return even;
  }

  /** The piece that is a taker's own, the first one that it works on; null if there is none. */
  @Nullable Piece first(int taker) {
    return piece(taker);
  }

  /** A piece that nobody has taken; null if there is none. */
  @Nullable Piece next() {
    return piece(next.getAndIncrement());
  }

  /** Has nobody find another piece. */
  public void stop() {
    next.set(pieces.size());
  }

  private @Nullable Piece piece(int number) {
    return number < pieces.size() ? pieces.get(number) : null;
  }

  /** Length of a piece where all are to be about as long; cuts come a little before. */
  private static long even(long length, long most) {
    return Math.min(most, Math.ceilDiv(length, Math.ceilDiv(length, most)) + SLACK_BYTES);
  }

  /** Cuts a text: each piece but the last ends with a separator. */
  private static List<Piece> cut(MemorySegment text, long pieceBytes, IntPredicate separates) {
    List<Piece> pieces = new ArrayList<>();
    long from = 0;
    while (from < text.byteSize()) {
      long to = end(text, from, pieceBytes, separates);
      pieces.add(new Piece(from, to));
      from = to;
    }
    return pieces;
  }

  /** The last end of a word within a piece; if there is none, the next one. */
  private static long end(MemorySegment text, long from, long pieceBytes, IntPredicate separates) {
    long limit = from + pieceBytes;
    if (limit >= text.byteSize()) {
      return text.byteSize();
    }
    long to = limit;
    while (to > from && !separatorAt(text, to - 1, separates)) {
      to--;
    }
    if (to == from) {
      to = limit + 1;
      while (to < text.byteSize() && !separatorAt(text, to - 1, separates)) {
        to++;
      }
    }
    return to;
  }

  private static boolean separatorAt(MemorySegment text, long at, IntPredicate separates) {
    return separates.test(text.get(ValueLayout.JAVA_BYTE, at) & 0xff);
  }
}

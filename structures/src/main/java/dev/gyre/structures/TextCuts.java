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
 * Cuts a long text between words into pieces of about equal length for several takers. The first
 * piece of each taker is reserved for it; any taker takes the others. For the packages of this
 * module.
 */
@Internal
public final class TextCuts {

  /**
   * Slack, in bytes: the last piece is not longer than the others if no word is longer than this.
   */
  private static final long SLACK_BYTES = 1 << 12;

  /** Piece of the text. */
  record Piece(long from, long to) {
    long length() {
      return to - from;
    }
  }

  final MemorySegment text;

  /** The memory that begins with the text, or null. */
  final @Nullable Memory memory;

  /** Length of a piece, except for longer words. */
  final long even;

  private final List<Piece> pieces;
  private final AtomicInteger next;

  /**
   * Cuts a text.
   *
   * @param memory memory that begins with the text, or null
   * @param most largest length of a piece, except for longer words
   * @param separates whether a byte (0 to 255) always separates words
   * @param takers number of takers
   */
  public TextCuts(
      MemorySegment text, @Nullable Memory memory, long most, IntPredicate separates, int takers) {
    this.text = text;
    this.memory = memory;
    this.even = even(text.byteSize(), most);
    this.pieces = cut(text, even, separates);
    this.next = new AtomicInteger(takers);
  }

  /** Returns a piece that no taker has taken, or null. */
  @Nullable Piece next() {
    return piece(next.getAndIncrement());
  }

  /** Stops the distribution: no taker gets another piece. */
  public void stop() {
    next.set(pieces.size());
  }

  /** Returns a piece, or null; the first ones belong to the takers with these numbers. */
  @Nullable Piece piece(int number) {
    return number < pieces.size() ? pieces.get(number) : null;
  }

  /** Returns the length of pieces of about equal length; cuts are a little before. */
  private static long even(long length, long most) {
    return Math.min(most, Math.ceilDiv(length, Math.ceilDiv(length, most)) + SLACK_BYTES);
  }

  /** Cuts a text: each piece except the last ends with a separator. */
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

  /** Returns the last end of a word within a piece, or the next one after it. */
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

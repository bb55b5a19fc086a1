package dev.gyre.datasets;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Finds the ends of records in CSV, where ends of lines may be in quotes.
 *
 * <h2>States</h2>
 *
 * A byte is outside quotes, inside quotes, or directly behind a quote that was met inside. As in
 * Python's csv module, a quote opens only at the beginning of a field, and two quotes inside are
 * one. Whether a quote opens depends on the state and on the byte before it.
 *
 * <h2>Parts of a text</h2>
 *
 * Different threads read different parts of a text without knowing the state at the beginning.
 * {@link #effect} returns what a part does to each of the three states: a number of six bits, two
 * for each state. {@link #after} applies it as soon as the state is known.
 */
final class CsvQuotes {

  static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  static final long ONES = 0x0101_0101_0101_0101L;

  /** Bytes in which ends of lines are counted at once. */
  private static final long LINES_BYTES = 1 << 30;

  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  static final int OUTSIDE = 0;
  static final int INSIDE = 1;
  static final int BEHIND_QUOTE = 2;

  /** The effect of no quotes: each state stays. */
  private static final int IDENTITY = OUTSIDE | (INSIDE << 2) | (BEHIND_QUOTE << 4);

  private static final int EFFECTS = 1 << 6;

  private static final byte[] AFTER_OTHER = new byte[EFFECTS];
  private static final byte[] AFTER_OPENING = new byte[EFFECTS];
  private static final byte[] AFTER_QUOTE = new byte[EFFECTS];

  static {
    for (int effect = 0; effect < EFFECTS; effect++) {
      AFTER_OTHER[effect] = then(effect, OUTSIDE, INSIDE, OUTSIDE);
      AFTER_OPENING[effect] = then(effect, INSIDE, BEHIND_QUOTE, INSIDE);
      AFTER_QUOTE[effect] = then(effect, OUTSIDE, BEHIND_QUOTE, INSIDE);
    }
  }

  private static byte then(int effect, int outside, int inside, int behind) {
    int next = 0;
    for (int state = 0; state < 3; state++) {
      int now =
          switch (after(effect, state)) {
            case OUTSIDE -> outside;
            case INSIDE -> inside;
            default -> behind;
          };
      next |= now << (2 * state);
    }
    return (byte) next;
  }

  private final MemorySegment text;
  private final long origin;
  private final byte separator;
  private final byte quote;

  /**
   * Creates a finder.
   *
   * @param origin where the first record begins
   */
  CsvQuotes(MemorySegment text, long origin, CsvFormat format) {
    this.text = text;
    this.origin = origin;
    this.separator = (byte) format.separator();
    this.quote = (byte) format.quote();
  }

  /** Returns a word whose byte i has its highest bit set if byte i of a word is 0. */
  static long zeros(long word) {
    // Exact, unlike shorter forms: a borrow from a byte that is 0 would mark a 1 above it.
    return ~(((word & ~HIGH_BITS) + ~HIGH_BITS) | word | ~HIGH_BITS);
  }

  /** Returns the state after a part with an effect. */
  static int after(int effect, int state) {
    return (effect >> (2 * state)) & 3;
  }

  /** Returns the effect of a part of the text. */
  int effect(long from, long to) {
    int effect = IDENTITY;
    if (quote == CsvFormat.NO_QUOTE || from == to) {
      return effect;
    }
    long last = from - 1;
    for (long at = find(text, from, to, quote); at >= 0; at = find(text, at + 1, to, quote)) {
      effect = afterQuote(effect, last, at);
      last = at;
    }
    return last == to - 1 ? effect : AFTER_OTHER[effect];
  }

  /**
   * The last quote, or the last byte before the part, decides whether a state is behind a quote.
   */
  private int afterQuote(int effect, long last, long at) {
    int before = last == at - 1 ? effect : AFTER_OTHER[effect];
    return (opens(at) ? AFTER_OPENING : AFTER_QUOTE)[before];
  }

  /** Returns whether a quote at a place opens if it is outside. */
  private boolean opens(long at) {
    if (at == origin) {
      return true;
    }
    byte before = text.get(ValueLayout.JAVA_BYTE, at - 1);
    return before == separator || before == '\n';
  }

  /** Returns the state after a byte. */
  int step(int state, long at, byte value) {
    if (value != quote || quote == CsvFormat.NO_QUOTE) {
      return state == INSIDE ? INSIDE : OUTSIDE;
    }
    return switch (state) {
      case OUTSIDE -> opens(at) ? INSIDE : OUTSIDE;
      case INSIDE -> BEHIND_QUOTE;
      default -> INSIDE;
    };
  }

  /**
   * Returns the end of the record that contains the byte before a place, or that place if the
   * record ends there.
   *
   * @param from where the state is known
   * @return the place after the end of a line; -1 if the text ends before
   */
  long end(long from, long to, int stateAtFrom) {
    if (from == origin
        || (stateAtFrom == OUTSIDE && text.get(ValueLayout.JAVA_BYTE, from - 1) == '\n')) {
      return from;
    }
    return nextEnd(from, to, stateAtFrom);
  }

  /** Returns the place after the next end of a line that is outside quotes; -1 without one. */
  long nextEnd(long from, long to, int stateAtFrom) {
    int state = stateAtFrom;
    for (long at = from; at < to; at++) {
      byte value = text.get(ValueLayout.JAVA_BYTE, at);
      state = step(state, at, value);
      if (value == '\n' && state == OUTSIDE) {
        return at + 1;
      }
    }
    return -1;
  }

  /** Returns where a quoted field begins that does not end, or -1. */
  long unclosed(long recordStart, long to) {
    int state = OUTSIDE;
    long opened = -1;
    for (long at = recordStart; at < to; at++) {
      int next = step(state, at, text.get(ValueLayout.JAVA_BYTE, at));
      opened = state == OUTSIDE && next == INSIDE ? at : opened;
      state = next;
    }
    return state == INSIDE ? opened : -1;
  }

  /** Returns the number of ends of lines in a part of the text. */
  static long lines(MemorySegment text, long from, long to) {
    long lines = 0;
    for (long at = from; at < to; at += LINES_BYTES) {
      lines += lines(text.asSlice(at, Math.min(LINES_BYTES, to - at)));
    }
    return lines;
  }

  /** The same for a text so short that offsets are ints: HotSpot then checks the bounds once. */
  private static int lines(MemorySegment text) {
    int bytes = (int) text.byteSize();
    int lines = 0;
    int at = 0;
    for (; at <= bytes - Long.BYTES; at += Long.BYTES) {
      lines += Long.bitCount(zeros(text.get(WORD, at) ^ ONES * '\n'));
    }
    for (; at < bytes; at++) {
      lines += text.get(ValueLayout.JAVA_BYTE, at) == '\n' ? 1 : 0;
    }
    return lines;
  }

  /** Returns the place of the next quote in a part of a text; -1 without one. */
  static long find(MemorySegment text, long from, long to, byte quote) {
    long at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      long found = zeros(text.get(WORD, at) ^ (ONES * quote));
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    while (at < to && text.get(ValueLayout.JAVA_BYTE, at) != quote) {
      at++;
    }
    return at < to ? at : -1;
  }

  /**
   * Moves the bytes of a field to where it begins, without doubled quotes and the closing one.
   *
   * @param from place after the quote that opens
   * @param to end of the field
   * @return the new end
   */
  static long unescape(MemorySegment text, long from, long to, byte quote) {
    long out = from;
    boolean inside = true;
    for (long in = from; in < to; in++) {
      byte value = text.get(ValueLayout.JAVA_BYTE, in);
      if (inside && value == quote) {
        boolean doubled = in + 1 < to && text.get(ValueLayout.JAVA_BYTE, in + 1) == quote;
        inside = doubled;
        in += doubled ? 1 : 0;
        if (!doubled) {
          continue;
        }
      }
      text.set(ValueLayout.JAVA_BYTE, out, value);
      out++;
    }
    // No end of a line stands twice: lines are counted for messages.
    for (long at = out; at < to; at++) {
      text.set(ValueLayout.JAVA_BYTE, at, quote);
    }
    return out;
  }

  /** Stores the places of bits; what follows them in the array is undefined. */
  static void putPlaces(long mask, int first, int[] places, int count) {
    long rest = mask;
    for (int end = count + Long.bitCount(mask), next = count; next < end; next += Byte.SIZE) {
      for (int i = 0; i < Byte.SIZE; i++) {
        places[next + i] = first + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
      }
    }
  }
}

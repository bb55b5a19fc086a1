package dev.gyre.structures.map.store;

import dev.gyre.structures.map.Longs;
import org.jspecify.annotations.Nullable;

/** Elements in an array: where they are if that is one, else copied, some at a time. */
public final class LongBlock {

  /** Most elements at a time. */
  static final int LENGTH = 1 << 10;

  private final Longs source;
  private final long @Nullable [] whole;
  private final long[] copy;
  private int first;

  LongBlock(Longs source) {
    this.source = source;
    this.whole = source.array();
    this.copy = new long[whole == null ? LENGTH : 0];
  }

  /** Makes elements ready to be read or, before {@link #write}, written. */
  void at(long from) {
    first = whole == null ? 0 : (int) from;
  }

  /** Reads elements. */
  void read(long from, int count) {
    at(from);
    if (whole == null) {
      source.read(from, copy, count);
    }
  }

  /** Writes the elements of the array back. */
  void write(long to, int count) {
    if (whole == null) {
      source.write(to, copy, count);
    }
  }

  /** Has the elements, from {@link #first} on. */
  long[] array() {
    long[] all = whole;
    return all == null ? copy : all;
  }

  int first() {
    return first;
  }
}

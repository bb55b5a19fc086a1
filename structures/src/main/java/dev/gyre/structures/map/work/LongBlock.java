package dev.gyre.structures.map.work;

import dev.gyre.atomics.IntTwin;
import dev.gyre.structures.map.Longs;
import org.jspecify.annotations.Nullable;

/** Elements in an array: where they are if that is one, else copied, some at a time. */
@IntTwin
public final class LongBlock {

  /** Most elements at a time. */
  public static final int LENGTH = 1 << 10;

  private final Longs source;
  private final long @Nullable [] whole;
  private final long[] copy;
  private int first;

  public LongBlock(Longs source) {
    this(source, false);
  }

  /**
   * Of elements that are read.
   *
   * @param copied whether they are copied even from an array, whose elements may change
   */
  public LongBlock(Longs source, boolean copied) {
    this.source = source;
    this.whole = copied ? null : source.array();
    this.copy = new long[whole == null ? LENGTH : 0];
  }

  /** Makes elements ready to be read or, before {@link #write}, written. */
  public void at(long from) {
    first = whole == null ? 0 : (int) from;
  }

  /** Reads elements. */
  public void read(long from, int count) {
    at(from);
    if (whole == null) {
      source.read(from, copy, count);
    }
  }

  /** Writes the elements of the array back. */
  public void write(long to, int count) {
    if (whole == null) {
      source.write(to, copy, count);
    }
  }

  /** Has the elements, from {@link #first} on. */
  public long[] array() {
    long[] all = whole;
    return all == null ? copy : all;
  }

  public int first() {
    return first;
  }
}

package dev.gyre.structures.map.work;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.structures.map.Longs;
import org.jspecify.annotations.Nullable;

/** Block of elements in an array: in place if they are in an array, otherwise copied in parts. */
@IntSpecialized
public final class LongBlock {

  /** Largest number of elements of a block. */
  public static final int LENGTH = 1 << 10;

  private final Longs source;
  private final long @Nullable [] whole;
  private final long[] copy;
  private int first;

  public LongBlock(Longs source) {
    this(source, false);
  }

  /**
   * Creates a block over elements to read.
   *
   * @param copied whether to copy even from an array, whose elements may change
   */
  public LongBlock(Longs source, boolean copied) {
    this.source = source;
    this.whole = copied ? null : source.array();
    this.copy = new long[whole == null ? LENGTH : 0];
  }

  /** Makes elements available to read or, before {@link #write}, to write. */
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

  /** Returns the array with the elements, from {@link #first} on. */
  public long[] array() {
    long[] all = whole;
    return all == null ? copy : all;
  }

  public int first() {
    return first;
  }
}

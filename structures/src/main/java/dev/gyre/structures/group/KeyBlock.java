package dev.gyre.structures.group;

import dev.gyre.kernels.group.Reals;
import dev.gyre.structures.arrow.ArrowColumn;
import dev.gyre.structures.map.Columns;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Keys of a block of rows: longs, or texts where they are. Null keys have no value.
 *
 * <p>Keys of several columns are texts, made by {@link CompositeKeys}.
 */
class KeyBlock {

  static final int ROW_BITS = 8;

  /** Largest number of rows of a block. */
  static final int ROWS = 1 << ROW_BITS;

  /** Whether keys are texts. */
  boolean areTexts;

  /** Numbers; for texts unused. */
  final long[] numbers = new long[ROWS];

  // Offsets and lengths that are not those of a batch.
  private long[] ownOffsets = {};
  private int[] ownLengths = {};

  MemorySegment bytes = MemorySegment.NULL;
  long[] offsets = ownOffsets;
  int[] lengths = ownLengths;

  /** Index of the first row in offsets and lengths. */
  int from;

  /** Number of rows. */
  int count;

  /** Whether a key may be null. */
  boolean hasNulls;

  final boolean[] nulls = new boolean[ROWS];

  /** Sets the keys to some rows of a column. */
  void read(Batch.Column column, int first, int rows) {
    count = rows;
    readNulls(column, first);
    areTexts = column.field().isText();
    switch (column.content()) {
      case Batch.Arrow(ArrowColumn arrow) when areTexts -> {
        beTexts(arrow.text());
        arrow.read(first, rows, offsets, lengths);
      }
      case Batch.Texts texts -> {
        bytes = texts.bytes();
        offsets = texts.offsets();
        lengths = texts.lengths();
        from = first;
      }
      default -> {
        copy(column.content(), first, rows, numbers);
        if (column.field().isReal()) {
          for (int i = 0; i < rows; i++) {
            numbers[i] = Reals.key(Double.longBitsToDouble(numbers[i]));
          }
        }
      }
    }
  }

  /** Makes the keys texts, whose offsets and lengths the caller then sets. */
  void beTexts(MemorySegment all) {
    areTexts = true;
    bytes = all;
    from = 0;
    if (ownOffsets.length == 0) {
      ownOffsets = new long[ROWS];
      ownLengths = new int[ROWS];
    }
    offsets = ownOffsets;
    lengths = ownLengths;
  }

  /** Begins parts of other keys. */
  final void begin(KeyBlock whole) {
    count = whole.count;
    hasNulls = true;
    if (areTexts) {
      beTexts(whole.bytes);
    } else {
      bytes = whole.bytes;
    }
  }

  /** Sets a part of another key. */
  final void set(int row, long offset, int length, boolean isNull) {
    nulls[row] = isNull;
    if (areTexts) {
      offsets[row] = offset;
      lengths[row] = length;
    } else {
      numbers[row] = bytes.get(CompositeKeys.LONG, offset);
    }
  }

  final boolean isNull(int row) {
    return hasNulls && nulls[row];
  }

  private void readNulls(Batch.Column column, int first) {
    hasNulls = column.hasNulls();
    for (int i = 0; hasNulls && i < count; i++) {
      nulls[i] = column.isNull(first + i);
    }
  }

  /** Copies numbers as longs, or as the bits of doubles; copies no texts. */
  static void copy(Batch.Content content, int first, int rows, long[] to) {
    switch (content) {
      case Batch.Numbers numbers -> copy(numbers, first, rows, to);
      case Batch.Arrow(ArrowColumn arrow) when !arrow.field().type().isText() ->
          arrow.read(first, rows, to);
      default -> {}
    }
  }

  private static void copy(Batch.Numbers column, int first, int rows, long[] to) {
    Columns elements = column.elements();
    MemorySegment from = elements.segment(0);
    switch (column.type()) {
      case LONG, DOUBLE ->
          MemorySegment.copy(
              from, ValueLayout.JAVA_LONG_UNALIGNED, (long) first * Long.BYTES, to, 0, rows);
      case INT -> {
        for (int i = 0; i < rows; i++) {
          to[i] = from.get(ValueLayout.JAVA_INT_UNALIGNED, (long) (first + i) * Integer.BYTES);
        }
      }
      case FLOAT -> {
        for (int i = 0; i < rows; i++) {
          float value =
              from.get(ValueLayout.JAVA_FLOAT_UNALIGNED, (long) (first + i) * Float.BYTES);
          to[i] = Double.doubleToRawLongBits(value);
        }
      }
    }
  }
}

package dev.gyre.structures.arrow;

import static dev.gyre.structures.arrow.ArrowStruct.WORD;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Internal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A column whose elements are in buffers of its producer. */
@Internal
public final class ArrowColumn {

  private final ArrowField field;
  private final Extent extent;
  private final MemorySegment validity;

  /** Elements, or the offsets of texts, from the first element of the buffers on. */
  private final MemorySegment elements;

  private final MemorySegment text;

  /**
   * Creates a view of a child.
   *
   * @param rows the rows of the whole, whose offset counts for the child, too
   */
  ArrowColumn(ArrowField field, MemorySegment array, Extent rows, Arena arena) {
    this.field = field;
    String name = "the column " + field.name();
    boolean isText = field.type().isText();
    Extent own = Extent.of(array, name, isText ? 3 : 2, 0);
    if (array.get(WORD, ArrowStruct.ARRAY.dictionary) != 0) {
      throw new ArrowException("%s has a dictionary, and its schema has none", name);
    }
    if (own.length() < rows.end()) {
      throw new ArrowException("%s has %d elements: %d are needed", name, own.length(), rows.end());
    }
    this.validity = own.validity(array, name, arena);
    this.extent = new Extent(own.offset() + rows.offset(), rows.length());
    // Without rows there may be no offsets.
    long count = extent.length() == 0 ? 0 : extent.end() + (isText ? 1 : 0);
    this.elements = Extent.buffer(array, name, 1, count * field.type().bytes, arena);
    long bytes = isText && count > 0 ? offset(extent.end()) : 0;
    if (bytes < 0) {
      throw new ArrowException("%s has a negative offset: %d", name, bytes);
    }
    this.text = isText ? Extent.buffer(array, name, 2, bytes, arena) : MemorySegment.NULL;
  }

  /** Returns name and type. */
  public ArrowField field() {
    return field;
  }

  /** Returns whether some elements may be null. */
  public boolean hasNulls() {
    return validity.address() != 0;
  }

  /** Returns whether an element is null. */
  public boolean isNull(int row) {
    return isNull(validity, extent.offset() + row);
  }

  /** Returns whether a bit of a bitmap says that an element is null; no bitmap has no nulls. */
  static boolean isNull(MemorySegment validity, long bit) {
    return validity.address() != 0
        && (validity.get(ValueLayout.JAVA_BYTE, bit >> 3) >> (bit & 7) & 1) == 0;
  }

  /**
   * Throws if the columns are closed, or texts of the first rows are not within their bytes.
   *
   * @throws ClosedException if the columns are closed
   * @throws ArrowException if the offsets of a text are malformed
   */
  public void requireReadable(int rows) {
    if (!elements.scope().isAlive()) {
      throw new ClosedException("ArrowColumns");
    }
    for (int row = 0; field.type().isText() && row < rows; row++) {
      long from = offset(extent.offset() + row);
      long to = offset(extent.offset() + row + 1);
      if (from < 0 || to < from || to > text.byteSize() || to - from > Integer.MAX_VALUE) {
        throw new ArrowException(
            "the text of row %d of the column %s is from offset %d to %d of %d bytes: texts need"
                + " ascending offsets, and at most %d bytes each",
            row, field.name(), from, to, text.byteSize(), Integer.MAX_VALUE);
      }
    }
  }

  /** Copies numbers as longs, or as the bits of doubles. */
  public void read(int first, int rows, long[] to) {
    long at = extent.offset() + first;
    if (field.type() == ArrowField.Type.INT64 || field.type() == ArrowField.Type.DOUBLE) {
      MemorySegment.copy(elements, WORD, at * Long.BYTES, to, 0, rows);
      return;
    }
    for (int i = 0; i < rows; i++) {
      to[i] = number((at + i) * field.type().bytes);
    }
  }

  private long number(long at) {
    return switch (field.type()) {
      case INT8 -> elements.get(ValueLayout.JAVA_BYTE, at);
      case UINT8 -> Byte.toUnsignedLong(elements.get(ValueLayout.JAVA_BYTE, at));
      case INT16 -> elements.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
      case UINT16 -> elements.get(ValueLayout.JAVA_CHAR_UNALIGNED, at);
      case INT32 -> elements.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      case UINT32 -> Integer.toUnsignedLong(elements.get(ValueLayout.JAVA_INT_UNALIGNED, at));
      case FLOAT -> Double.doubleToRawLongBits(elements.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at));
      case INT64, DOUBLE -> elements.get(WORD, at);
      case UTF8, LARGE_UTF8 -> throw new IllegalStateException(field + " has no numbers");
    };
  }

  /** Returns the bytes of all texts. */
  public MemorySegment text() {
    return text;
  }

  /** Copies where texts begin in {@link #text}, and their lengths. */
  public void read(int first, int rows, long[] offsets, int[] lengths) {
    long at = extent.offset() + first;
    long from = offset(at);
    for (int i = 0; i < rows; i++) {
      long to = offset(at + i + 1);
      offsets[i] = from;
      lengths[i] = (int) (to - from);
      from = to;
    }
  }

  private long offset(long index) {
    return field.type() == ArrowField.Type.UTF8
        ? elements.get(ValueLayout.JAVA_INT_UNALIGNED, index * Integer.BYTES)
        : elements.get(WORD, index * Long.BYTES);
  }
}

package dev.gyre.structures.map;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.structures.Memories;
import dev.gyre.structures.Overlaps;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Columns of numbers, all of one length: keys or values of a bulk operation of a {@link RecordMap},
 * an element of each column for each of them. A view; the elements stay where they are.
 *
 * <pre>{@code
 * Columns edges = Columns.ints(from, to);
 * Columns mixed = Columns.ints(from).and(Columns.longs(time));
 * }</pre>
 */
public final class Columns {

  /** What the elements of a column are. */
  public enum ColumnType {
    INT(Integer.BYTES),
    LONG(Long.BYTES),
    FLOAT(Float.BYTES),
    DOUBLE(Double.BYTES);

    private final int bytes;

    ColumnType(int bytes) {
      this.bytes = bytes;
    }

    /** Bytes of an element. */
    public int bytes() {
      return bytes;
    }

    /** As in Java. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private record Column(ColumnType type, MemorySegment segment, @Nullable Memory memory) {
    long length() {
      return segment.byteSize() / type.bytes;
    }

    Column part(long from, long length) {
      return new Column(type, segment.asSlice(from * type.bytes, length * type.bytes), memory);
    }

    /** Where the elements are; a memory that was closed says so itself, on every target. */
    MemorySegment open() {
      if (memory != null) {
        var _ = memory.segment();
      } else {
        Memories.requireReadable(segment);
      }
      return segment;
    }
  }

  private final List<Column> columns;

  private Columns(List<Column> columns) {
    long length = columns.getFirst().length();
    for (Column column : columns) {
      if (column.length() != length) {
        throw new IllegalArgumentException(
            "columns are of one length; one has %d elements, another %d"
                .formatted(length, column.length()));
      }
    }
    this.columns = List.copyOf(columns);
  }

  private static <A> Columns of(ColumnType type, A[] arrays, Function<A, MemorySegment> segment) {
    if (Objects.requireNonNull(arrays, "arrays").length == 0) {
      throw new IllegalArgumentException("no column was given");
    }
    return new Columns(
        Arrays.stream(arrays)
            .map(a -> new Column(type, segment.apply(Objects.requireNonNull(a, "array")), null))
            .toList());
  }

  /** Columns of ints, one for each array. */
  public static Columns ints(int[]... arrays) {
    return of(ColumnType.INT, arrays, MemorySegment::ofArray);
  }

  /** Columns of longs, one for each array. */
  public static Columns longs(long[]... arrays) {
    return of(ColumnType.LONG, arrays, MemorySegment::ofArray);
  }

  /** Columns of floats, one for each array. */
  public static Columns floats(float[]... arrays) {
    return of(ColumnType.FLOAT, arrays, MemorySegment::ofArray);
  }

  /** Columns of doubles, one for each array. */
  public static Columns doubles(double[]... arrays) {
    return of(ColumnType.DOUBLE, arrays, MemorySegment::ofArray);
  }

  /**
   * One column in a segment, in the byte order of the machine, at any alignment.
   *
   * @throws IllegalArgumentException if its size is no multiple of the size of an element, or it
   *     can be used by one thread only; an operation throws it if the arena was closed
   */
  public static Columns of(ColumnType type, MemorySegment segment) {
    if (Objects.requireNonNull(segment, "segment").byteSize() % type.bytes != 0) {
      throw new IllegalArgumentException(
          "a segment of %d bytes does not hold whole elements of %d bytes"
              .formatted(segment.byteSize(), type.bytes));
    }
    Longs.requireShared(segment);
    return new Columns(List.of(new Column(type, segment, null)));
  }

  /**
   * One column, of the first elements of a memory.
   *
   * @throws IllegalArgumentException if it holds fewer
   * @throws dev.gyre.atomics.ClosedException if the memory was closed; an operation on them, after
   *     it was closed, throws it, too
   */
  public static Columns of(ColumnType type, Memory memory, long length) {
    if (length < 0 || length > Objects.requireNonNull(memory, "memory").byteSize() / type.bytes) {
      throw new IllegalArgumentException(
          "a memory of %d bytes does not hold %d elements of %d bytes"
              .formatted(memory.byteSize(), length, type.bytes));
    }
    MemorySegment segment = memory.segment().asSlice(0, length * type.bytes);
    return new Columns(List.of(new Column(type, segment, memory)));
  }

  /**
   * These columns, and others behind them.
   *
   * @throws IllegalArgumentException if they are of another length
   */
  public Columns and(Columns others) {
    List<Column> all = new ArrayList<>(columns);
    all.addAll(Objects.requireNonNull(others, "others").columns);
    return new Columns(all);
  }

  /** Number of elements of each column. */
  public long length() {
    return columns.getFirst().length();
  }

  /** What the columns hold, in order. */
  public List<ColumnType> types() {
    return columns.stream().map(Column::type).toList();
  }

  /** One row, whose numbers are in words of an array, as in rows; those of keys are widened. */
  @Internal
  public static Columns ofRow(List<ColumnType> types, long[] words, boolean widened) {
    List<Column> row = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      ColumnType type = types.get(i);
      MemorySegment word = MemorySegment.ofArray(words).asSlice((long) i * Long.BYTES, type.bytes);
      boolean narrow = widened && type == ColumnType.INT;
      row.add(
          new Column(
              type, narrow ? MemorySegment.ofArray(new int[] {(int) words[i]}) : word, null));
    }
    return new Columns(row);
  }

  /** Elements from one on. */
  @Internal
  public Columns part(long from, long length) {
    return new Columns(columns.stream().map(column -> column.part(from, length)).toList());
  }

  /** Columns of zeros. */
  @Internal
  public static Columns empty(List<ColumnType> types, int length) {
    return new Columns(
        types.stream()
            .map(
                type ->
                    new Column(
                        type,
                        type.bytes == Long.BYTES
                            ? MemorySegment.ofArray(new long[length])
                            : MemorySegment.ofArray(new int[length]),
                        null))
            .toList());
  }

  /** A copy of elements from one on. */
  @Internal
  public Columns copied(long from, int length) {
    Columns copy = empty(types(), length);
    for (int c = 0; c < columns.size(); c++) {
      long bytes = columns.get(c).type.bytes;
      MemorySegment.copy(segment(c), from * bytes, copy.segment(c), 0, length * bytes);
    }
    return copy;
  }

  /** A copy of some elements of each column, which are counted from one on. */
  @Internal
  public Columns some(long from, int[] places) {
    Columns copy = empty(types(), places.length);
    for (int i = 0; i < places.length; i++) {
      copy.copy(i, this, from + places[i]);
    }
    return copy;
  }

  /** Copies an element of each column from columns of the same types. */
  @Internal
  public void copy(long to, Columns others, long from) {
    for (int c = 0; c < columns.size(); c++) {
      long bytes = columns.get(c).type.bytes;
      MemorySegment.copy(others.segment(c), from * bytes, segment(c), to * bytes, bytes);
    }
  }

  /** A column of longs. */
  @Internal
  public Longs longs(int column) {
    Column longs = columns.get(column);
    if (longs.memory != null) {
      return Longs.of(longs.memory, longs.length());
    }
    // Of an array, all of it.
    return longs.segment.heapBase().orElse(null) instanceof long[] array
            && array.length == longs.length()
        ? Longs.of(array)
        : Longs.of(longs.segment);
  }

  /**
   * Refuses that values are written here where some of the elements that an operation reads are,
   * unless each column is written over a whole one.
   *
   * @param what those elements are called
   */
  @Internal
  public void requireSameOrApart(Columns read, String what) {
    for (Column column : columns) {
      for (Column other : read.columns) {
        Overlaps.requireSameOrApart(column.open(), other.open(), what);
      }
    }
  }

  /** Fails if outcomes would be written over elements that the operation reads. */
  void requireApartFrom(BulkOptions options) {
    columns.forEach(column -> options.requireOutcomesApart(column.open()));
  }

  /** Fails if these are to be written over the mask or the outcomes. */
  void requireWrittenApartFrom(BulkOptions options) {
    columns.forEach(column -> options.requireApartFrom(column.open()));
  }

  boolean areReadOnly() {
    return columns.stream().anyMatch(c -> c.segment.isReadOnly());
  }

  /** The segment of a column. */
  @Internal
  public MemorySegment segment(int column) {
    return columns.get(column).open();
  }

  /**
   * Copies elements to rows of words.
   *
   * @param from the first element
   * @param rows where the first of them goes
   * @param widened whether ints fill a word; they are in the first half of one else, as floats are
   */
  @Internal
  public void read(long from, MemorySegment rows, long count, boolean widened) {
    long width = (long) columns.size() * Long.BYTES;
    for (int c = 0; c < columns.size(); c++) {
      ColumnType type = columns.get(c).type;
      MemorySegment column = segment(c);
      long at = (long) c * Long.BYTES;
      if (type.bytes == Long.BYTES) {
        for (long i = 0; i < count; i++, at += width) {
          long word = column.get(ValueLayout.JAVA_LONG_UNALIGNED, (from + i) * Long.BYTES);
          rows.set(ValueLayout.JAVA_LONG_UNALIGNED, at, word);
        }
      } else {
        for (long i = 0; i < count; i++, at += width) {
          int half = column.get(ValueLayout.JAVA_INT_UNALIGNED, (from + i) * Integer.BYTES);
          rows.set(ValueLayout.JAVA_LONG_UNALIGNED, at, widened ? half : word(half));
        }
      }
    }
  }

  /** A word with an int in the half that is first in memory. */
  @Internal
  public static long word(int half) {
    return LITTLE ? Integer.toUnsignedLong(half) : (long) half << Integer.SIZE;
  }

  /** The half of a word that is first in memory. */
  @Internal
  public static int half(long word) {
    return (int) (LITTLE ? word : word >> Integer.SIZE);
  }

  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  /**
   * Copies an element of each column from a row of words.
   *
   * @param to its number
   * @param at where in the rows it is, in bytes
   */
  @Internal
  public void write(long to, MemorySegment rows, long at, boolean widened) {
    for (int c = 0; c < columns.size(); c++) {
      ColumnType type = columns.get(c).type;
      MemorySegment column = segment(c);
      long word = rows.get(ValueLayout.JAVA_LONG_UNALIGNED, at + (long) c * Long.BYTES);
      if (type.bytes == Long.BYTES) {
        column.set(ValueLayout.JAVA_LONG_UNALIGNED, to * Long.BYTES, word);
      } else {
        int half = widened ? (int) word : half(word);
        column.set(ValueLayout.JAVA_INT_UNALIGNED, to * Integer.BYTES, half);
      }
    }
  }
}

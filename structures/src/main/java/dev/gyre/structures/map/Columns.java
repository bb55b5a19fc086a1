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
 * Columns of numbers with one length: the keys or the values of a bulk operation of a {@link
 * RecordMap}.
 *
 * <pre>{@code
 * Columns edges = Columns.ints(from, to);
 * Columns mixed = Columns.ints(from).and(Columns.longs(time));
 * }</pre>
 *
 * <p>Element i of all columns together is one key or value. This is a view; nothing is copied.
 * Operations read and write the elements where they are.
 *
 * @since 0.1.0
 */
public final class Columns {

  /** Type of the elements of a column. */
  public enum ColumnType {
    INT(Integer.BYTES),
    LONG(Long.BYTES),
    FLOAT(Float.BYTES),
    DOUBLE(Double.BYTES);

    private final int bytes;

    ColumnType(int bytes) {
      this.bytes = bytes;
    }

    /** Returns the size of an element, in bytes. */
    public int bytes() {
      return bytes;
    }

    /** Returns the name of the type in Java. */
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

    /** Returns the segment of the elements. A closed memory throws on every target. */
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

  /** Returns columns of ints, one per array. */
  public static Columns ints(int[]... arrays) {
    return of(ColumnType.INT, arrays, MemorySegment::ofArray);
  }

  /** Returns columns of longs, one per array. */
  public static Columns longs(long[]... arrays) {
    return of(ColumnType.LONG, arrays, MemorySegment::ofArray);
  }

  /** Returns columns of floats, one per array. */
  public static Columns floats(float[]... arrays) {
    return of(ColumnType.FLOAT, arrays, MemorySegment::ofArray);
  }

  /** Returns columns of doubles, one per array. */
  public static Columns doubles(double[]... arrays) {
    return of(ColumnType.DOUBLE, arrays, MemorySegment::ofArray);
  }

  /**
   * Returns one column in a segment, in native byte order, at any alignment.
   *
   * @throws IllegalArgumentException if the size is not a multiple of the element size, or only one
   *     thread can access the segment. An operation throws it if the arena is closed.
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
   * Returns one column of the first {@code length} elements of a memory.
   *
   * @throws IllegalArgumentException if the memory has fewer elements
   * @throws dev.gyre.atomics.ClosedException if the memory is closed; an operation throws it if the
   *     memory is closed later
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
   * Returns these columns followed by others.
   *
   * @throws IllegalArgumentException if the lengths differ
   */
  public Columns and(Columns others) {
    List<Column> all = new ArrayList<>(columns);
    all.addAll(Objects.requireNonNull(others, "others").columns);
    return new Columns(all);
  }

  /** Returns the number of elements of each column. */
  public long length() {
    return columns.getFirst().length();
  }

  /** Returns the types of the columns, in order. */
  public List<ColumnType> types() {
    return columns.stream().map(Column::type).toList();
  }

  /** Returns a row of one element per column from the words of an array; keys are widened. */
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

  /** Returns a range of elements of each column. */
  @Internal
  public Columns part(long from, long length) {
    return new Columns(columns.stream().map(column -> column.part(from, length)).toList());
  }

  /** Returns columns of zeros. */
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

  /** Returns a copy of a range of elements of each column. */
  @Internal
  public Columns copied(long from, int length) {
    Columns copy = empty(types(), length);
    for (int c = 0; c < columns.size(); c++) {
      long bytes = columns.get(c).type.bytes;
      MemorySegment.copy(segment(c), from * bytes, copy.segment(c), 0, length * bytes);
    }
    return copy;
  }

  /** Returns a copy of some elements of each column, by their offsets from a first element. */
  @Internal
  public Columns some(long from, int[] places) {
    Columns copy = empty(types(), places.length);
    for (int i = 0; i < places.length; i++) {
      copy.copy(i, this, from + places[i]);
    }
    return copy;
  }

  /** Copies one element of each column from columns of the same types. */
  @Internal
  public void copy(long to, Columns others, long from) {
    for (int c = 0; c < columns.size(); c++) {
      long bytes = columns.get(c).type.bytes;
      MemorySegment.copy(others.segment(c), from * bytes, segment(c), to * bytes, bytes);
    }
  }

  /** Returns elements as a column, or null. */
  @Internal
  public static @Nullable Columns ofLongs(@Nullable Longs all) {
    return all == null
        ? null
        : new Columns(List.of(new Column(ColumnType.LONG, all.segment(), all.memory())));
  }

  /** Returns a column of longs. */
  @Internal
  public Longs longs(int column) {
    Column longs = columns.get(column);
    if (longs.memory != null) {
      return Longs.of(longs.memory, longs.length());
    }
    // The segment of a whole array.
    return longs.segment.heapBase().orElse(null) instanceof long[] array
            && array.length == longs.length()
        ? Longs.of(array)
        : Longs.of(longs.segment);
  }

  /**
   * Throws if writing these columns would overwrite part of what an operation reads. A column may
   * exactly replace another one.
   *
   * @param what name of the elements that are read
   */
  @Internal
  public void requireSameOrApart(Columns read, String what) {
    for (Column column : columns) {
      for (Column other : read.columns) {
        Overlaps.requireSameOrApart(column.open(), other.open(), what);
      }
    }
  }

  /** Throws if outcomes would overwrite elements that the operation reads. */
  void requireApartFrom(BulkOptions options) {
    columns.forEach(column -> options.requireOutcomesApart(column.open()));
  }

  /** Throws if writing these columns would overwrite the mask or the outcomes. */
  void requireWrittenApartFrom(BulkOptions options) {
    columns.forEach(column -> options.requireApartFrom(column.open()));
  }

  boolean areReadOnly() {
    return columns.stream().anyMatch(c -> c.segment.isReadOnly());
  }

  /** Returns the segment of a column. */
  @Internal
  public MemorySegment segment(int column) {
    return columns.get(column).open();
  }

  /** Returns the memory that has a column, or null if it is in an array or a segment. */
  @Internal
  public @Nullable Memory memory(int column) {
    return columns.get(column).memory;
  }

  /**
   * Copies elements to rows of words.
   *
   * @param from the first element
   * @param rows destination of the first row
   * @param widened whether an int fills a word; otherwise it is in the first half, as floats are
   */
  @Internal
  public void read(long from, MemorySegment rows, long count, boolean widened) {
    if (isOneOfLongs()) {
      MemorySegment.copy(segment(0), from * Long.BYTES, rows, 0, count * Long.BYTES);
      return;
    }
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

  /** Returns whether a row is one word, so that all rows are copied at once. */
  private boolean isOneOfLongs() {
    return columns.size() == 1 && columns.getFirst().type.bytes == Long.BYTES;
  }

  /** Returns a word with an int in the half that is first in memory. */
  @Internal
  public static long word(int half) {
    return LITTLE ? Integer.toUnsignedLong(half) : (long) half << Integer.SIZE;
  }

  /** Returns the half of a word that is first in memory. */
  @Internal
  public static int half(long word) {
    return (int) (LITTLE ? word : word >> Integer.SIZE);
  }

  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  /**
   * Copies elements from rows of words.
   *
   * @param to index of the first element
   */
  @Internal
  public void write(long to, MemorySegment rows, long count, boolean widened) {
    if (isOneOfLongs()) {
      MemorySegment.copy(rows, 0, segment(0), to * Long.BYTES, count * Long.BYTES);
      return;
    }
    long width = (long) columns.size() * Long.BYTES;
    for (int c = 0; c < columns.size(); c++) {
      MemorySegment column = segment(c);
      long at = (long) c * Long.BYTES;
      if (columns.get(c).type.bytes == Long.BYTES) {
        for (long i = to; i < to + count; i++, at += width) {
          long word = rows.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
          column.set(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES, word);
        }
      } else {
        for (long i = to; i < to + count; i++, at += width) {
          long word = rows.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
          int half = widened ? (int) word : half(word);
          column.set(ValueLayout.JAVA_INT_UNALIGNED, i * Integer.BYTES, half);
        }
      }
    }
  }
}

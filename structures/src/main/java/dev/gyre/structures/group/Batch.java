package dev.gyre.structures.group;

import dev.gyre.structures.TextBytes;
import dev.gyre.structures.arrow.ArrowColumn;
import dev.gyre.structures.arrow.ArrowColumns;
import dev.gyre.structures.arrow.ArrowField;
import dev.gyre.structures.group.Plan.Field;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Columns.ColumnType;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rows of named columns, which an operation reads where they are.
 *
 * <pre>{@code
 * Batch batch = new Batch(rows)
 *     .texts("station", file, offsets, lengths) // bytes of a mapped file
 *     .decimals("temperature", tenths, 1) // a long[]: 123 is 12.3
 *     .numbers("time", Columns.longs(times));
 * groups.add(batch);
 * }</pre>
 *
 * <p>Nothing is copied: a column is a view of arrays and segments. A column may have more elements
 * than there are rows, so that a scanner fills the same arrays many times, sets {@link #rows(int)}
 * and hands over the same batch. An operation reads the columns during its call only.
 *
 * <p>Not thread-safe: each thread of a scanner has a batch of its own.
 *
 * @since 0.1.0
 */
public final class Batch {

  /** Largest scale of decimals. */
  public static final int MAX_SCALE = 18;

  /** Elements of a column. */
  sealed interface Content {}

  /** Numbers; decimals are longs. */
  record Numbers(ColumnType type, Columns elements) implements Content {}

  /** Texts: parts of some bytes. */
  @SuppressWarnings("ArrayRecordComponent") // A view of the caller's arrays.
  record Texts(MemorySegment bytes, long[] offsets, int[] lengths) implements Content {}

  /** Numbers or texts of another library. */
  record Arrow(ArrowColumn column) implements Content {}

  /**
   * A column.
   *
   * @param length number of elements
   * @param valid bit i is set if row i is not null; null if no row is null, or the content says it
   */
  @SuppressWarnings("ArrayRecordComponent") // A view of the caller's array.
  record Column(Field field, Content content, long length, long @Nullable [] valid) {
    /** Returns the number of rows that have an element, and a bit if there are bits. */
    long rows() {
      return valid == null ? length : Math.min(length, (long) valid.length << 6);
    }

    boolean hasNulls() {
      return valid != null || (content instanceof Arrow arrow && arrow.column.hasNulls());
    }

    boolean isNull(int row) {
      return valid != null
          ? (valid[row >> 6] & (1L << row)) == 0
          : content instanceof Arrow arrow && arrow.column.isNull(row);
    }

    /** Returns a bit for each of 64 rows, which is set if the row is not null. */
    long valid(int word) {
      long bits = valid != null ? valid[word] : 0;
      long end = valid != null ? 0 : Math.min(length, (word + 1L) << 6);
      for (int row = word << 6; row < end; row++) {
        bits |= isNull(row) ? 0 : 1L << row;
      }
      return bits;
    }
  }

  private final Map<String, Column> columns = new HashMap<>();
  private int rows;

  /**
   * Creates a batch without columns.
   *
   * @throws IllegalArgumentException if {@code rows} is negative
   */
  public Batch(int rows) {
    Batch _ = rows(rows);
  }

  /**
   * Returns a batch of imported columns, which must stay open while an operation reads them.
   * Integers are longs, and floats doubles.
   */
  public static Batch of(ArrowColumns columns) {
    Batch batch = new Batch(Objects.requireNonNull(columns, "columns").rows());
    for (ArrowColumn column : columns.columns()) {
      ArrowField.Type type = column.field().type();
      GroupColumn.Type number = type.isReal() ? GroupColumn.Type.DOUBLE : GroupColumn.Type.LONG;
      Field field = new Field(type.isText() ? GroupColumn.Type.TEXT : number, 0);
      var _ = batch.set(column.field().name(), field, new Arrow(column), columns.rows());
    }
    return batch;
  }

  /**
   * Sets the number of rows. Only the first {@code rows} elements of each column are read.
   *
   * @throws IllegalArgumentException if {@code rows} is negative
   */
  public Batch rows(int rows) {
    if (rows < 0) {
      throw new IllegalArgumentException("a batch has 0 rows or more, not " + rows);
    }
    this.rows = rows;
    return this;
  }

  /** Returns the number of rows. */
  public int rows() {
    return rows;
  }

  /**
   * Sets a column of numbers, and forgets its nulls.
   *
   * @param column one column of ints, longs, floats or doubles
   * @throws IllegalArgumentException if there is more than one column
   */
  public Batch numbers(String name, Columns column) {
    List<ColumnType> types = Objects.requireNonNull(column, "column").types();
    if (types.size() != 1) {
      throw new IllegalArgumentException(
          "the column %s is one column, not %d".formatted(name, types.size()));
    }
    ColumnType type = types.getFirst();
    boolean real = type == ColumnType.FLOAT || type == ColumnType.DOUBLE;
    Field field = new Field(real ? GroupColumn.Type.DOUBLE : GroupColumn.Type.LONG, 0);
    return set(name, field, new Numbers(type, column), column.length());
  }

  /** Does the same as {@link #decimals(String, Columns, int)} for an array. */
  public Batch decimals(String name, long[] unscaled, int scale) {
    return decimals(name, Columns.longs(Objects.requireNonNull(unscaled, "unscaled")), scale);
  }

  /**
   * Sets a column of decimals, and forgets its nulls. The value of a row is its long divided by
   * 10<sup>scale</sup>.
   *
   * @param unscaled one column of longs
   * @param scale number of digits after the point, the same in all batches
   * @throws IllegalArgumentException if it is not one column of longs, or the scale is not from 0
   *     to {@value #MAX_SCALE}
   */
  public Batch decimals(String name, Columns unscaled, int scale) {
    if (!Objects.requireNonNull(unscaled, "unscaled").types().equals(List.of(ColumnType.LONG))) {
      throw new IllegalArgumentException(
          "decimals of the column %s are one column of longs".formatted(name));
    }
    if (scale < 0 || scale > MAX_SCALE) {
      throw new IllegalArgumentException(
          "the scale of the column %s must be from 0 to %d, not %d"
              .formatted(name, MAX_SCALE, scale));
    }
    Numbers longs = new Numbers(ColumnType.LONG, unscaled);
    return set(name, new Field(GroupColumn.Type.DECIMAL, scale), longs, unscaled.length());
  }

  /**
   * Sets a column of texts, and forgets its nulls: row i is the {@code lengths[i]} bytes from
   * {@code offsets[i]} on. A segment of native memory is the fastest. The last texts of a segment
   * are read more slowly, unless 16 bytes follow them.
   *
   * @param bytes bytes of any encoding, such as a mapped file
   */
  public Batch texts(String name, MemorySegment bytes, long[] offsets, int[] lengths) {
    Texts texts = new Texts(Objects.requireNonNull(bytes, "bytes"), offsets, lengths);
    return set(
        name, new Field(GroupColumn.Type.TEXT, 0), texts, Math.min(offsets.length, lengths.length));
  }

  /**
   * Sets a column of copies of strings, encoded as UTF-8. A null element is null.
   *
   * @throws IllegalArgumentException if a string contains half of a surrogate pair
   */
  public Batch texts(String name, List<@Nullable String> texts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    long[] offsets = new long[texts.size()];
    int[] lengths = new int[texts.size()];
    long[] valid = new long[(texts.size() + 63) >> 6];
    for (int i = 0; i < lengths.length; i++) {
      String text = texts.get(i);
      byte[] bytes = TextBytes.of(text == null ? "" : text);
      offsets[i] = all.size();
      lengths[i] = bytes.length;
      valid[i >> 6] |= (text == null ? 0L : 1L) << i;
      all.writeBytes(bytes);
    }
    return texts(name, MemorySegment.ofArray(all.toByteArray()), offsets, lengths)
        .valid(name, valid);
  }

  /**
   * Sets which rows of a column are not null, after the column was set.
   *
   * @param bits row i is null if bit {@code i % 64} of {@code bits[i / 64]} is 0; null if no row is
   *     null. What the column has in a null row does not matter.
   * @throws IllegalArgumentException if there is no such column
   */
  public Batch valid(String name, long @Nullable [] bits) {
    Column column = present(name);
    columns.put(name, new Column(column.field, column.content, column.length, bits));
    return this;
  }

  private Batch set(String name, Field field, Content content, long length) {
    columns.put(Objects.requireNonNull(name, "name"), new Column(field, content, length, null));
    return this;
  }

  /**
   * Returns a column.
   *
   * @throws IllegalArgumentException if it is missing, or shorter than the batch
   */
  Column column(String name) {
    Column column = present(name);
    if (rows > column.rows()) {
      throw new IllegalArgumentException(
          "the column %s has %d elements, and the batch %d rows"
              .formatted(name, column.rows(), rows));
    }
    return column;
  }

  private Column present(String name) {
    Column column = columns.get(Objects.requireNonNull(name, "name"));
    if (column == null) {
      throw new IllegalArgumentException(
          "the batch has no column %s; its columns are %s".formatted(name, columns.keySet()));
    }
    return column;
  }
}

package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.Memories;
import dev.gyre.structures.arrow.ArrowException;
import dev.gyre.structures.arrow.ArrowExport;
import dev.gyre.structures.arrow.SharedUse;
import dev.gyre.structures.group.Plan.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * Column of a {@link Groups}. It can be read until these are closed; then, reading throws a {@link
 * dev.gyre.atomics.ClosedException}.
 *
 * @since 0.1.0
 */
public final class GroupColumn {

  /** Type of the values of a column. */
  public enum Type {
    /** Longs; columns of ints become longs. */
    LONG,
    /** Decimals: longs with a scale. */
    DECIMAL,
    /** Doubles; columns of floats become doubles. */
    DOUBLE,
    /** Means: exact quotients for longs and decimals, which can be read as doubles. */
    MEAN,
    /** Texts. */
    TEXT
  }

  /** Longs of an exact mean: the sum, lower word first, and the number of values. */
  private static final int MEAN_LONGS = 3;

  /** Longs of a decimal, the lower one first: a number of 128 bits, as other libraries read it. */
  private static final int DECIMAL_LONGS = 2;

  /** Digits of all longs. */
  private static final int LONG_DIGITS = 19;

  /** Bitmaps have their lowest bit first, in any byte order. */
  private static final ValueLayout.OfLong BITS =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle BITS_HANDLE = BITS.varHandle();

  /** Longest integer that is a double, in bits. */
  private static final int DOUBLE_BITS = 53;

  private static final MathContext DIGITS = new MathContext(64);

  private final String name;
  private final Type type;
  private final int scale;
  private final boolean exact;
  private final long rows;
  private final int longs;

  /** Where the longs of rows begin: exact means follow the means as doubles. */
  private final long firstLong;

  private final Memory values;
  private final MemorySegment words;

  /** Bytes of all texts, in the order of rows. */
  private final Memory text;

  /** A bit per row, which is set if the value is not null. */
  private final Memory valid;

  private final boolean nullable;

  /**
   * Creates a column of zeros, or of empty texts.
   *
   * @param field type of the values; for a mean, that of the averaged column
   * @param textBytes size of all texts
   */
  GroupColumn(String name, Field field, boolean mean, boolean nullable, long rows, long textBytes) {
    this.name = name;
    this.type = mean ? Type.MEAN : field.type();
    this.scale = field.scale();
    this.exact = !field.isReal();
    this.rows = rows;
    this.longs = mean && exact ? MEAN_LONGS : type == Type.DECIMAL ? DECIMAL_LONGS : 1;
    this.firstLong = mean && exact ? rows : 0;
    this.nullable = nullable;
    // Texts have an end.
    long more = type == Type.TEXT ? 1 : firstLong;
    List<Memory> made =
        Memories.make(
            () -> Memory.ofLongs(longs * rows + more),
            () -> Memory.ofLongs(nullable ? (rows + Long.SIZE - 1) / Long.SIZE : 0),
            () -> Memory.ofBytes(textBytes));
    this.values = made.getFirst();
    this.words = values.segment();
    this.valid = made.get(1);
    this.text = made.getLast();
    var _ = valid.segment().fill((byte) -1);
    if (type == Type.TEXT) {
      set(rows, 0, textBytes);
    }
  }

  /** Makes a row null. Several threads may do so, for different rows. */
  void setNull(long row) {
    long at = row / Long.SIZE * Long.BYTES;
    long _ = (long) BITS_HANDLE.getAndBitwiseAnd(valid.segment(), at, ~(1L << row));
  }

  /** Sets a text; the next row's begins behind it. */
  void setText(long row, long at, MemorySegment from, long offset, long length) {
    set(row, 0, at);
    MemorySegment.copy(from, offset, text.segment(), at, length);
  }

  /** Sets a long or an unscaled value. */
  void setNumber(long row, long value) {
    set(row, 0, value);
    if (longs == DECIMAL_LONGS) {
      set(row, 1, value >> (Long.SIZE - 1));
    }
  }

  /** Sets an exact mean: a sum of 128 bits, and the number of its values. */
  void setMean(long row, long low, long high, long count) {
    set(row, 0, low);
    set(row, 1, high);
    set(row, 2, count);
    words.setAtIndex(ValueLayout.JAVA_DOUBLE, row, quotient(row));
  }

  /** Sets a word of a row: a long, the bits of a double, where a text begins, and so on. */
  void set(long row, int word, long value) {
    words.setAtIndex(ValueLayout.JAVA_LONG, firstLong + longs * row + word, value);
  }

  private long word(long row, int word) {
    long at = firstLong + longs * Objects.checkIndex(row, rows) + word;
    return values.segment().getAtIndex(ValueLayout.JAVA_LONG, at);
  }

  private void require(boolean possible) {
    if (!possible) {
      throw new IllegalStateException("the column %s is of type %s".formatted(name, type));
    }
  }

  /** Compares the values of two rows that are not null. */
  int compare(long a, long b) {
    return switch (type) {
      case LONG, DECIMAL -> Long.compare(word(a, 0), word(b, 0));
      case TEXT -> compare(bytes(a), bytes(b));
      case DOUBLE -> Double.compare(getDouble(a), getDouble(b));
      case MEAN -> {
        int order = Double.compare(getDouble(a), getDouble(b));
        yield order != 0 || !exact
            ? order
            : numerator(a)
                .multiply(denominator(b))
                .compareTo(numerator(b).multiply(denominator(a)));
      }
    };
  }

  private static int compare(MemorySegment a, MemorySegment b) {
    long at = a.mismatch(b);
    return at < 0 || at == a.byteSize() || at == b.byteSize()
        ? Long.compare(a.byteSize(), b.byteSize())
        : Byte.compareUnsigned(a.get(ValueLayout.JAVA_BYTE, at), b.get(ValueLayout.JAVA_BYTE, at));
  }

  private BigInteger numerator(long row) {
    BigInteger low = BigInteger.valueOf(word(row, 0));
    if (type != Type.MEAN) {
      return low;
    }
    // A negative lower word stands for 2^64 more.
    BigInteger high = BigInteger.valueOf(word(row, 1) + (low.signum() < 0 ? 1 : 0));
    return high.shiftLeft(Long.SIZE).add(low);
  }

  private BigInteger denominator(long row) {
    BigInteger ones = BigInteger.TEN.pow(scale);
    return type == Type.MEAN ? ones.multiply(BigInteger.valueOf(word(row, 2))) : ones;
  }

  /** Returns the name: that of a key, or an aggregate such as {@code mean(x)}. */
  public String name() {
    return name;
  }

  /** Returns the type of the values. */
  public Type type() {
    return type;
  }

  /** Returns the number of digits after the point of decimals; 0 for other types. */
  public int scale() {
    return type == Type.DECIMAL ? scale : 0;
  }

  /**
   * Returns whether the value of a row is null.
   *
   * @throws IndexOutOfBoundsException if there is no such row; so do the other methods
   */
  public boolean isNull(long row) {
    long at = Objects.checkIndex(row, rows);
    return nullable && (valid.segment().getAtIndex(BITS, at / Long.SIZE) & (1L << at)) == 0;
  }

  /**
   * Returns a long, or the unscaled value of a decimal; 0 if it is null.
   *
   * @throws IllegalStateException if the type is not LONG or DECIMAL
   */
  public long getLong(long row) {
    require(type == Type.LONG || type == Type.DECIMAL);
    return word(row, 0);
  }

  /**
   * Returns a number as the nearest double; NaN if it is null.
   *
   * @throws IllegalStateException if the type is TEXT
   */
  public double getDouble(long row) {
    require(type != Type.TEXT);
    if (isNull(row)) {
      return Double.NaN;
    }
    return switch (type) {
      case LONG -> word(row, 0);
      case DECIMAL -> quotient(row);
      default -> values.segment().getAtIndex(ValueLayout.JAVA_DOUBLE, row);
    };
  }

  /** Returns an exact number as the nearest double. */
  private double quotient(long row) {
    BigInteger top = numerator(row);
    BigInteger bottom = denominator(row);
    return Math.max(top.bitLength(), bottom.bitLength()) <= DOUBLE_BITS
        ? top.doubleValue() / bottom.doubleValue()
        : new BigDecimal(top).divide(new BigDecimal(bottom), DIGITS).doubleValue();
  }

  /**
   * Returns a number, rounded to some digits after the point: half up towards positive infinity, on
   * the exact value. Means of longs and decimals are exact before they are rounded. A mean of
   * doubles is a double.
   *
   * @throws ArithmeticException if the value is null, infinite or NaN
   * @throws IllegalStateException if the type is TEXT
   */
  public BigDecimal decimal(long row, int digits) {
    require(type != Type.TEXT);
    if (isNull(row)) {
      throw new ArithmeticException("the value of row %d of %s is null".formatted(row, name));
    }
    if (!exact && !Double.isFinite(getDouble(row))) {
      throw new ArithmeticException("%s of row %d is %s".formatted(name, row, getDouble(row)));
    }
    BigDecimal top = exact ? new BigDecimal(numerator(row)) : new BigDecimal(getDouble(row));
    BigDecimal bottom = exact ? new BigDecimal(denominator(row)) : BigDecimal.ONE;
    return top.divide(
        bottom, digits, top.signum() < 0 ? RoundingMode.HALF_DOWN : RoundingMode.HALF_UP);
  }

  /**
   * Returns the bytes of a text without a copy; empty if it is null.
   *
   * @throws IllegalStateException if the type is not TEXT
   */
  public MemorySegment bytes(long row) {
    require(type == Type.TEXT);
    long from = word(row, 0);
    return text.segment()
        .asSlice(from, values.segment().getAtIndex(ValueLayout.JAVA_LONG, row + 1) - from)
        .asReadOnly();
  }

  /**
   * Returns a text, or the empty string if it is null; invalid UTF-8 is replaced.
   *
   * @throws IllegalStateException if the type is not TEXT
   */
  public String text(long row) {
    return new String(bytes(row).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
  }

  /**
   * Returns this column for another library, without a copy.
   *
   * @param use ends with {@link #free}
   * @throws ArrowException if a text is not valid UTF-8
   */
  ArrowExport.Column exported(SharedUse use) {
    MemorySegment bits = nullable ? valid.segment() : MemorySegment.NULL;
    List<MemorySegment> buffers = List.of(bits, values.segment());
    if (type == Type.TEXT) {
      ArrowExport.requireUtf8(name, words, text.segment());
      buffers = List.of(bits, words, text.segment());
    }
    String format =
        switch (type) {
          case LONG -> "l";
          case DECIMAL -> "d:%d,%d".formatted(LONG_DIGITS, scale);
          case DOUBLE, MEAN -> "g";
          case TEXT -> "U";
        };
    return new ArrowExport.Column(name, format, buffers, use);
  }

  /** Frees the memory. */
  void free() {
    Memories.close(List.of(values, valid, text));
  }
}

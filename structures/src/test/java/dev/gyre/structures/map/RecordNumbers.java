package dev.gyre.structures.map;

import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RowParts;
import dev.gyre.structures.Checks;
import dev.gyre.structures.map.RecordKinds.Count;
import dev.gyre.structures.map.RecordKinds.Edge;
import dev.gyre.structures.map.RecordKinds.Quad;
import dev.gyre.structures.map.RecordKinds.Traffic;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A kind of records whose keys and values are told as numbers: one column of a value is the number,
 * and the others must stay what they are.
 *
 * @param other an equal key, in another form if there is one
 * @param number reads a key; fails if its parts do not fit together
 * @param valueOf reads a value; fails if a column that must stay does not fit
 * @param column the column that is the number
 */
public record RecordNumbers<K extends Record, V extends Record>(
    String name,
    RecordKinds.Kind<K, V> kind,
    LongFunction<K> key,
    UnaryOperator<K> other,
    ToLongFunction<K> number,
    LongFunction<V> value,
    ToLongFunction<V> valueOf,
    String column,
    Parts parts) {

  /** The columns of a value beside its number. */
  private static final int MARK = 7;

  private static final double HALF = 0.5;

  /** Columns of keys, every other time in their other form. */
  Columns keys(long[] numbers) {
    return kind.keyColumns(
        IntStream.range(0, numbers.length)
            .mapToObj(i -> keyInTurn(numbers[i], (i & 1) != 0))
            .toList());
  }

  K keyInTurn(long number, boolean turned) {
    K made = key.apply(number);
    return turned ? other.apply(made) : made;
  }

  Columns values(long[] numbers) {
    return kind.valueColumns(LongStream.of(numbers).mapToObj(value).toList());
  }

  void readKeys(Columns columns, long[] numbers, int count) {
    List<K> keys = kind.keysOf(columns, count);
    Arrays.setAll(numbers, i -> i < count ? number.applyAsLong(keys.get(i)) : numbers[i]);
  }

  /** Absent values, of which all columns are 0, are 0. */
  void readValues(Columns columns, long[] numbers, int count) {
    List<V> values = kind.valuesOf(columns, count);
    V absent = kind.valuesOf(kind.emptyValues(1), 1).getFirst();
    for (int i = 0; i < count; i++) {
      V read = values.get(i);
      numbers[i] = read.equals(absent) ? 0 : valueOf.applyAsLong(read);
    }
  }

  /** Keys and values as kernels have them, and their numbers. */
  interface Parts {

    KeyParts key(long number);

    long number(KeyParts key);

    default RowParts value(long number) {
      return row(number);
    }

    default long number(RowParts value) {
      return value.second();
    }
  }

  /** Edges with one long. */
  record CountedEdges() implements Parts {
    @Override
    public KeyParts key(long number) {
      return new KeyParts(number >> 32, (int) number, 0, 0);
    }

    @Override
    public RowParts value(long number) {
      return new RowParts(number, 0, 0, 0);
    }

    @Override
    public long number(KeyParts key) {
      return (key.first() << 32) | (key.second() & 0xffffffffL);
    }

    @Override
    public long number(RowParts value) {
      return value.first();
    }
  }

  /** Four components with four columns. */
  record QuadRows() implements Parts {
    @Override
    public KeyParts key(long number) {
      return new KeyParts(number, (int) (number * 31), ~number, MARK);
    }

    @Override
    public long number(KeyParts key) {
      return key.first();
    }
  }

  /** Edges without a direction, with four columns. */
  record EitherRows() implements Parts {
    @Override
    public KeyParts key(long number) {
      return new KeyParts(number >> 32, (int) number, 0, 0);
    }

    @Override
    public long number(KeyParts key) {
      long low = Math.min(key.first(), key.second());
      long high = Math.max(key.first(), key.second());
      return (low << 32) | (high & 0xffffffffL);
    }
  }

  static RowParts row(long number) {
    return new RowParts(
        RowParts.word(HALF), number, RowParts.word(MARK), RowParts.word((float) HALF));
  }

  private static Traffic marked(long number) {
    return new Traffic(HALF, number, MARK, (float) HALF);
  }

  private static long numberOf(Traffic value) {
    Checks.same("columns", marked(value.latest()), value);
    return value.latest();
  }

  private static Quad quad(long number) {
    return new Quad(number, (int) (number * 31), ~number, MARK);
  }

  private static long numberOf(Quad key) {
    Checks.same("parts of a key", quad(key.a()), key);
    return key.a();
  }

  private static Edge edge(long number) {
    return new Edge((int) (number >> 32), (int) number);
  }

  private static long numberOf(Edge edge) {
    return ((long) edge.from() << 32) | (edge.to() & 0xffffffffL);
  }

  /** The kinds that the fuzzer goes over. */
  public static List<RecordNumbers<?, ?>> all() {
    return List.of(
        new RecordNumbers<>(
            "pairs",
            RecordKinds.countedEdges(),
            RecordNumbers::edge,
            key -> key,
            RecordNumbers::numberOf,
            Count::new,
            Count::count,
            "count",
            new CountedEdges()),
        new RecordNumbers<>(
            "rows",
            RecordKinds.quads(),
            RecordNumbers::quad,
            key -> key,
            RecordNumbers::numberOf,
            RecordNumbers::marked,
            RecordNumbers::numberOf,
            "latest",
            new QuadRows()),
        new RecordNumbers<>(
            "either",
            RecordKinds.eitherEdges(),
            RecordNumbers::edge,
            RecordKinds::turned,
            key -> numberOf(RecordKinds.oneWay(key)),
            RecordNumbers::marked,
            RecordNumbers::numberOf,
            "latest",
            new EitherRows()));
  }
}

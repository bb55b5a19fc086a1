package dev.gyre.bench.fuzz;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RecordEquality;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.RecordVisitor;
import dev.gyre.kernels.map.RowParts;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.RecordSchema;
import java.util.Arrays;

/**
 * Records of numbers, and back.
 *
 * @param <K> keys
 */
interface FuzzRecords<K extends Record, V extends Record> {

  /** The column that is the value. */
  String VALUE = "value";

  /** What is in the other columns. */
  int MARK = 7;

  double HALF = 0.25;

  /** Two ints in one long. */
  record Pair(int from, int to) {}

  /** Three columns, of which rows are made. */
  record Wide(long first, int second, long third) {}

  /** One column. */
  record One(long value) {}

  /** A value between two that stay. */
  record Row(int mark, long value, double half) {}

  String name();

  RecordSchema<K, V> schema();

  /** The number that stands for all that are the same key. */
  default long same(long number) {
    return number;
  }

  K key(long number);

  long number(K key);

  V value(long number);

  long valueOf(V value);

  /** Columns of keys, and their numbers once they are written. */
  Cells keys(long[] numbers);

  /** Columns of values, and their numbers once they are written. */
  Cells values(long[] numbers);

  Parts parts();

  /** Columns, and the numbers in them. */
  interface Cells {

    Columns columns();

    /** Of those in front; fails where another column is not what it was. */
    void read(long[] numbers, int count);
  }

  /** Keys and values as kernels have them. */
  interface Parts {

    KeyParts key(long number);

    RowParts value(long number);

    long number(KeyParts key);

    long number(RowParts value);
  }

  /** Chooses entries by their value. */
  record Larger(Parts parts, long than) implements RecordPredicate {
    @Override
    public boolean test(KeyParts key, RowParts value) {
      return parts.number(value) > than;
    }
  }

  /** Adds up as {@link MapDoor.AddUp} does. */
  record AddUp(Parts parts, DeviceLongs sums) implements RecordVisitor {
    @Override
    public void visit(KeyParts key, RowParts value) {
      sums.fetchAddRelaxed(0, MapDoor.mixed(parts.number(key), parts.number(value)));
      sums.fetchAddRelaxed(1, 1);
    }
  }

  /** Of pairs with one value. */
  record PairParts() implements Parts {
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

  /** Of wide keys with a row. */
  record WideParts() implements Parts {
    @Override
    public KeyParts key(long number) {
      return new KeyParts(number, (int) (number * 31), ~number, 0);
    }

    @Override
    public RowParts value(long number) {
      return new RowParts(RowParts.word(MARK), number, RowParts.word(HALF), 0);
    }

    @Override
    public long number(KeyParts key) {
      return key.first();
    }

    @Override
    public long number(RowParts value) {
      return value.second();
    }
  }

  /** Of pairs without a direction, with a row. */
  record EitherParts() implements Parts {
    @Override
    public KeyParts key(long number) {
      return new KeyParts(number >> 32, (int) number, 0, 0);
    }

    @Override
    public RowParts value(long number) {
      return new RowParts(RowParts.word(MARK), number, RowParts.word(HALF), 0);
    }

    @Override
    public long number(KeyParts key) {
      long low = Math.min(key.first(), key.second());
      long high = Math.max(key.first(), key.second());
      return (low << 32) | (high & 0xffffffffL);
    }

    @Override
    public long number(RowParts value) {
      return value.second();
    }
  }

  /** Of edges without a direction. */
  record EitherWay() implements RecordHash, RecordEquality {
    @Override
    public long hash(KeyParts edge, long seed) {
      long low = Math.min(edge.first(), edge.second());
      long high = Math.max(edge.first(), edge.second());
      return Hashing.hash(Hashing.hash(low, seed) ^ high, seed);
    }

    @Override
    public boolean same(KeyParts one, KeyParts other) {
      long same = (one.first() ^ other.first()) | (one.second() ^ other.second());
      long turned = (one.first() ^ other.second()) | (one.second() ^ other.first());
      return same == 0 || turned == 0;
    }
  }

  /** Columns of pairs; those with an odd place turned round where that is the same key. */
  @SuppressWarnings("ArrayRecordComponent") // Compared with nothing.
  record PairCells(int[] from, int[] to, boolean either) implements Cells {

    static PairCells of(long[] numbers, boolean either) {
      int[] from = new int[numbers.length];
      int[] to = new int[numbers.length];
      for (int i = 0; i < from.length; i++) {
        boolean turned = either && (i & 1) != 0;
        from[i] = (int) (turned ? numbers[i] : numbers[i] >> 32);
        to[i] = (int) (turned ? numbers[i] >> 32 : numbers[i]);
      }
      return new PairCells(from, to, either);
    }

    static long number(int from, int to, boolean either) {
      long low = either ? Math.min(from, to) : from;
      long high = either ? Math.max(from, to) : to;
      return (low << 32) | (high & 0xffffffffL);
    }

    @Override
    public Columns columns() {
      return Columns.ints(from, to);
    }

    @Override
    public void read(long[] numbers, int count) {
      for (int i = 0; i < count; i++) {
        numbers[i] = number(from[i], to[i], either);
      }
    }
  }

  /** Columns of wide keys. */
  @SuppressWarnings("ArrayRecordComponent") // Compared with nothing.
  record WideCells(long[] first, int[] second, long[] third) implements Cells {

    static WideCells of(long[] numbers) {
      WideCells cells =
          new WideCells(numbers.clone(), new int[numbers.length], new long[numbers.length]);
      for (int i = 0; i < numbers.length; i++) {
        cells.second[i] = (int) (numbers[i] * 31);
        cells.third[i] = ~numbers[i];
      }
      return cells;
    }

    @Override
    public Columns columns() {
      return Columns.longs(first).and(Columns.ints(second)).and(Columns.longs(third));
    }

    @Override
    public void read(long[] numbers, int count) {
      for (int i = 0; i < count; i++) {
        Wide key = new Wide(first[i], second[i], third[i]);
        numbers[i] = OfWide.checked(key);
      }
    }
  }

  /** A column of longs. */
  @SuppressWarnings("ArrayRecordComponent") // Compared with nothing.
  record OneCells(long[] value) implements Cells {
    @Override
    public Columns columns() {
      return Columns.longs(value);
    }

    @Override
    public void read(long[] numbers, int count) {
      System.arraycopy(value, 0, numbers, 0, count);
    }
  }

  /** Columns of rows. */
  @SuppressWarnings("ArrayRecordComponent") // Compared with nothing.
  record RowCells(int[] mark, long[] value, double[] half) implements Cells {

    static RowCells of(long[] numbers) {
      RowCells cells =
          new RowCells(new int[numbers.length], numbers.clone(), new double[numbers.length]);
      Arrays.fill(cells.mark, MARK);
      Arrays.fill(cells.half, HALF);
      return cells;
    }

    @Override
    public Columns columns() {
      return Columns.ints(mark).and(Columns.longs(value)).and(Columns.doubles(half));
    }

    @Override
    public void read(long[] numbers, int count) {
      for (int i = 0; i < count; i++) {
        boolean absent = mark[i] == 0 && value[i] == 0 && half[i] == 0;
        numbers[i] = absent ? 0 : OfWide.checked(new Row(mark[i], value[i], half[i]));
      }
    }
  }

  /** Pairs of ints with one long, which are held as longs are. */
  record OfPairs() implements FuzzRecords<Pair, One> {

    @Override
    public String name() {
      return "pairs";
    }

    @Override
    public RecordSchema<Pair, One> schema() {
      return RecordSchema.of(Pair.class, One.class);
    }

    @Override
    public Pair key(long number) {
      return new Pair((int) (number >> 32), (int) number);
    }

    @Override
    public long number(Pair key) {
      return PairCells.number(key.from, key.to, false);
    }

    @Override
    public One value(long number) {
      return new One(number);
    }

    @Override
    public long valueOf(One value) {
      return value.value;
    }

    @Override
    public Cells keys(long[] numbers) {
      return PairCells.of(numbers, false);
    }

    @Override
    public Cells values(long[] numbers) {
      return new OneCells(numbers.clone());
    }

    @Override
    public Parts parts() {
      return new PairParts();
    }
  }

  /** Wide keys with rows. */
  record OfWide() implements FuzzRecords<Wide, Row> {

    @Override
    public String name() {
      return "rows";
    }

    @Override
    public RecordSchema<Wide, Row> schema() {
      return RecordSchema.of(Wide.class, Row.class);
    }

    static long checked(Wide key) {
      boolean same = key.second == (int) (key.first * 31) && key.third == ~key.first;
      FuzzSubject.same("parts of a key of", key.first, 1, same ? 1 : 0);
      return key.first;
    }

    static long checked(Row value) {
      FuzzSubject.same("column of", value.value, MARK, value.mark);
      FuzzSubject.same("column of", value.value, (long) (4 * HALF), (long) (4 * value.half));
      return value.value;
    }

    @Override
    public Wide key(long number) {
      return new Wide(number, (int) (number * 31), ~number);
    }

    @Override
    public long number(Wide key) {
      return checked(key);
    }

    @Override
    public Row value(long number) {
      return new Row(MARK, number, HALF);
    }

    @Override
    public long valueOf(Row value) {
      return checked(value);
    }

    @Override
    public Cells keys(long[] numbers) {
      return WideCells.of(numbers);
    }

    @Override
    public Cells values(long[] numbers) {
      return RowCells.of(numbers);
    }

    @Override
    public Parts parts() {
      return new WideParts();
    }
  }

  /** Edges without a direction: hash and equality of the user's. */
  record OfEither() implements FuzzRecords<Pair, Row> {

    @Override
    public String name() {
      return "either";
    }

    @Override
    public RecordSchema<Pair, Row> schema() {
      return RecordSchema.of(Pair.class, Row.class).hash(new EitherWay()).equality(new EitherWay());
    }

    @Override
    public long same(long number) {
      return PairCells.number((int) (number >> 32), (int) number, true);
    }

    @Override
    public Pair key(long number) {
      return (number & 1) == 0
          ? new Pair((int) (number >> 32), (int) number)
          : new Pair((int) number, (int) (number >> 32));
    }

    @Override
    public long number(Pair key) {
      return PairCells.number(key.from, key.to, true);
    }

    @Override
    public Row value(long number) {
      return new Row(MARK, number, HALF);
    }

    @Override
    public long valueOf(Row value) {
      return OfWide.checked(value);
    }

    @Override
    public Cells keys(long[] numbers) {
      return PairCells.of(numbers, true);
    }

    @Override
    public Cells values(long[] numbers) {
      return RowCells.of(numbers);
    }

    @Override
    public Parts parts() {
      return new EitherParts();
    }
  }
}

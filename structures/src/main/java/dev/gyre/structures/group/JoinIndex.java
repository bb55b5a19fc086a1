package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.group.Batch.Column;
import dev.gyre.structures.group.KeyMap.Staged;
import dev.gyre.structures.group.Plan.Field;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Rows by their keys: a map from keys to numbers, and the rows of each number in order, in one
 * array. Number 0 has the rows with a null in their key.
 */
final class JoinIndex implements AutoCloseable {

  private final List<Field> fields;
  private final KeyMap map;
  private final long rows;
  private final ConcurrentLinkedDeque<Probe> idle = new ConcurrentLinkedDeque<>();

  /** Where the numbers of rows, the ends of groups, and the rows by group are. */
  private final List<RowNumbers> parts = new ArrayList<>();

  private final RowNumbers numbers;
  private final RowNumbers ends;
  private final RowNumbers byGroup;

  /** Indexes the rows of some batches. */
  JoinIndex(List<Batch> batches, List<String> keys) {
    this.fields = keys.stream().map(key -> batches.getFirst().column(key).field()).toList();
    this.rows = batches.stream().mapToLong(Batch::rows).sum();
    List<List<Column>> columns = batches.stream().map(batch -> columns(batch, keys)).toList();
    int workers = Runtime.getRuntime().availableProcessors();
    this.map = new KeyMap(areTexts(), workers, Math.max(1, rows / 4), Probe.ROWS);
    try {
      // A number is less than the number of rows and of unused numbers together.
      this.numbers = part(rows, rows + Probe.ROWS + 1);
      with(probe -> number(batches, columns, probe));
      this.ends = part(map.limit() + 1, rows + 1);
      this.byGroup = part(rows, rows);
      sort();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private boolean areTexts() {
    return fields.size() > 1 || fields.getFirst().isText();
  }

  /** Returns the key columns of a batch after checking them. */
  List<Column> columns(Batch batch, List<String> keys) {
    if (keys.size() != fields.size()) {
      throw new IllegalArgumentException(
          "the sides have %d and %d key columns".formatted(keys.size(), fields.size()));
    }
    return IntStream.range(0, keys.size())
        .mapToObj(i -> Plan.checked(batch, keys.get(i), fields.get(i)))
        .toList();
  }

  /** Does work with a probe. */
  void with(Consumer<Probe> work) {
    Probe idler = idle.poll();
    Probe probe = idler == null ? new Probe(fields.size(), areTexts()) : idler;
    try {
      work.accept(probe);
    } finally {
      idle.push(probe);
    }
  }

  private RowNumbers part(long size, long numbered) {
    RowNumbers part = new RowNumbers(size, numbered);
    parts.add(part);
    return part;
  }

  private void number(List<Batch> batches, List<List<Column>> columns, Probe probe) {
    long row = 0;
    for (int batch = 0; batch < batches.size(); batch++) {
      int count = batches.get(batch).rows();
      for (int from = 0; from < count; from += Probe.ROWS) {
        int block = Math.min(Probe.ROWS, count - from);
        probe.insert(map, columns.get(batch), from, block);
        for (int i = 0; i < block; i++) {
          numbers.set(row++, probe.numbers[i]);
        }
      }
    }
  }

  /** Sorts the rows by number: counts, prefix sums, and the rows in their order. */
  private void sort() {
    for (long row = 0; row < rows; row++) {
      long number = numbers.get(row);
      ends.set(number + 1, ends.get(number + 1) + 1);
    }
    long sum = 0;
    for (long number = 0; number < ends.size(); number++) {
      sum += ends.get(number);
      ends.set(number, sum);
    }
    // Now ends has the start of each number. A row moves it on, until it is the end.
    for (long row = 0; row < rows; row++) {
      long number = numbers.get(row);
      long at = ends.get(number);
      byGroup.set(at, row);
      ends.set(number, at + 1);
    }
  }

  long rows() {
    return rows;
  }

  KeyMap map() {
    return map;
  }

  /** Returns the index of the first row of a number. */
  long start(long number) {
    return number == 0 ? 0 : ends.get(number - 1);
  }

  /** Returns the index behind the last row of a number. */
  long end(long number) {
    return ends.get(number);
  }

  /** Returns the row at an index. */
  long row(long index) {
    return byGroup.get(index);
  }

  /** Returns the number of a row; 0 if its key has a null. */
  long number(long row) {
    return numbers.get(row);
  }

  /** Returns flags for all numbers, which are not set. */
  Memory flags() {
    return Memory.ofBytes(map.limit());
  }

  static void set(Memory flags, long number) {
    flags.segment().set(ValueLayout.JAVA_BYTE, number, (byte) 1);
  }

  /** Returns whether no flag is set for the key of a row. */
  boolean isUnmatched(Memory flags, long row) {
    return flags.segment().get(ValueLayout.JAVA_BYTE, number(row)) == 0;
  }

  /** Finds the numbers of keys in blocks of rows. For one thread at a time. */
  static final class Probe implements AutoCloseable {

    /** Largest number of rows of a block. */
    static final int ROWS = 1 << 14;

    /** Numbers of the keys; 0 if a key is absent, or a part of it is null. */
    final long[] numbers = new long[ROWS];

    private final int[] places = new int[ROWS];
    private final KeyReader reader;
    private final Staged staged;

    Probe(int columns, boolean areTexts) {
      this.reader = new KeyReader(columns);
      this.staged = new Staged(areTexts, ROWS);
    }

    /** Finds the numbers of the keys of some rows, and inserts keys that are absent. */
    void insert(KeyMap map, List<Column> columns, int from, int rows) {
      stage(columns, from, rows);
      map.insert(staged);
      unstage(rows);
    }

    /** Finds the numbers of the keys of some rows. */
    void find(KeyMap map, List<Column> columns, int from, int rows) {
      stage(columns, from, rows);
      map.find(staged);
      unstage(rows);
    }

    private void stage(List<Column> columns, int from, int rows) {
      staged.clear();
      for (int at = 0; at < rows; at += KeyBlock.ROWS) {
        int count = Math.min(KeyBlock.ROWS, rows - at);
        KeyBlock keys = reader.read(columns, from + at, count);
        for (int i = 0; i < count; i++) {
          if (!hasNull(columns, from + at + i)) {
            places[staged.count()] = at + i;
            staged.add(keys, i);
          }
        }
      }
    }

    private static boolean hasNull(List<Column> columns, int row) {
      for (Column column : columns) {
        if (column.isNull(row)) {
          return true;
        }
      }
      return false;
    }

    private void unstage(int rows) {
      int count = staged.count();
      if (count == rows) {
        System.arraycopy(staged.found, 0, numbers, 0, rows);
        return;
      }
      Arrays.fill(numbers, 0, rows, 0);
      for (int i = 0; i < count; i++) {
        numbers[places[i]] = staged.found[i];
      }
    }

    @Override
    public void close() {
      reader.close();
      staged.close();
    }
  }

  @Override
  public void close() {
    idle.forEach(Probe::close);
    idle.clear();
    map.close();
    parts.forEach(RowNumbers::close);
  }
}

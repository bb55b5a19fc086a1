package dev.gyre.structures.group;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.structures.group.Batch.Column;
import dev.gyre.structures.group.Plan.Field;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Rows by their keys: groups in partitions, each with a hash table, and the rows of each group in
 * order, in one array. The state of a group is the end of its rows. Rows with a null in their key
 * are in no group.
 */
final class JoinIndex implements AutoCloseable {

  /** Largest number of rows of a group that are sorted by insertion. */
  private static final int MAX_INSERTED = 64;

  private final List<Field> fields;
  private final long rows;
  private final Grouping groups;
  private final List<Grouping.Partition> parts;

  /** Where the rows of each partition begin in {@code byGroup}. */
  private final long[] firsts;

  private final RowNumbers byGroup;
  private final ConcurrentLinkedDeque<Probe> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  /** Indexes the rows of some batches. */
  JoinIndex(List<Batch> batches, List<String> keys) {
    this.fields = keys.stream().map(key -> batches.getFirst().column(key).field()).toList();
    this.rows = batches.stream().mapToLong(Batch::rows).sum();
    List<Rows> blocks = blocks(batches, 0, keys);
    this.groups =
        new Grouping(fields.size() > 1 || fields.getFirst().isText(), true, StateRow.ofRowNumber());
    this.byGroup = new RowNumbers(rows, rows);
    try {
      InParallel.run(blocks.size(), i -> with(probe -> probe.stage(blocks.get(i))));
      List<Probe> staged = List.copyOf(idle);
      InParallel.run(staged.size(), i -> staged.get(i).part.flush());
      this.parts = groups.partitions();
      this.firsts = new long[parts.size() + 1];
      for (int part = 0; part < parts.size(); part++) {
        firsts[part + 1] = firsts[part] + parts.get(part).input.used() - 1;
      }
      InParallel.run(parts.size(), this::index);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** A block of rows, of which the first has a number. */
  record Rows(List<Column> columns, int from, int count, long first) {

    boolean isNull(int index) {
      for (Column column : columns) {
        if (column.isNull(from + index)) {
          return true;
        }
      }
      return false;
    }
  }

  /** Returns the rows of batches in blocks, after checking the key columns. */
  List<Rows> blocks(List<Batch> batches, long firstRow, List<String> keys) {
    if (keys.size() != fields.size()) {
      throw new IllegalArgumentException(
          "the sides have %d and %d key columns".formatted(keys.size(), fields.size()));
    }
    List<Rows> blocks = new ArrayList<>();
    long row = firstRow;
    for (Batch batch : batches) {
      List<Column> columns =
          IntStream.range(0, keys.size())
              .mapToObj(i -> Plan.checked(batch, keys.get(i), fields.get(i)))
              .toList();
      // As a long: the end of the last block may be beyond the ints.
      for (long from = 0; from < batch.rows(); from += Probe.ROWS) {
        int count = (int) Math.min(Probe.ROWS, batch.rows() - from);
        blocks.add(new Rows(columns, (int) from, count, row + from));
      }
      row += batch.rows();
    }
    return blocks;
  }

  /** Does work with a probe. */
  void with(Consumer<Probe> work) {
    requireOpen();
    Probe idler = idle.poll();
    Probe probe = idler == null ? new Probe() : idler;
    try {
      work.accept(probe);
    } finally {
      idle.push(probe);
    }
  }

  /** Groups the rows of a partition: counts, prefix sums, and the rows in their order. */
  private void index(int part) {
    KeyRows input = parts.get(part).input;
    RowFinder finder = parts.get(part).groups;
    KeyRows all = finder.rows;
    long[] at = new long[KeyBlock.ROWS];
    for (long row = 1; row < input.used(); row += KeyBlock.ROWS) {
      int count = (int) Math.min(KeyBlock.ROWS, input.used() - row);
      finder.reserve(count, input.rowText(row, row + count));
      finder.locate(input, row, count, at);
      StateRow.increment(all.words(), at, count, 0);
      // The key is not needed any more.
      for (int i = 0; i < count; i++) {
        input.set(input.at(row + i), at[i] - all.at(0));
      }
    }
    long next = firsts[part];
    for (long group = 1; group < all.used(); group++) {
      long count = all.word(all.state(group));
      all.set(all.state(group), next);
      next += count;
    }
    for (long row = 1; row < input.used(); row++) {
      long state = all.at(0) + input.word(input.at(row));
      long index = all.word(state);
      byGroup.set(index, input.word(input.state(row)));
      all.set(state, index + 1);
    }
    input.close();
    for (long group = 1; group < all.used(); group++) {
      sort(start(part, group), end(part, group));
    }
  }

  /** Sorts the rows of a group, which threads have added in any order. */
  private void sort(long from, long to) {
    long unsorted = from + 1;
    while (unsorted < to && byGroup.get(unsorted - 1) < byGroup.get(unsorted)) {
      unsorted++;
    }
    if (unsorted >= to) {
      return;
    }
    if (to - from <= MAX_INSERTED) {
      for (long next = unsorted; next < to; next++) {
        insert(from, next);
      }
      return;
    }
    long size = to - from;
    try (RowNumbers copy = new RowNumbers(size, rows);
        RowNumbers order =
            RowNumbers.sorted(
                size, (a, b) -> Long.compare(byGroup.get(from + a), byGroup.get(from + b)))) {
      for (long i = 0; i < size; i++) {
        copy.set(i, byGroup.get(from + order.get(i)));
      }
      for (long i = 0; i < size; i++) {
        byGroup.set(from + i, copy.get(i));
      }
    }
  }

  /** Moves a row to its place among the sorted rows before it. */
  private void insert(long from, long index) {
    long row = byGroup.get(index);
    long to = index;
    for (; to > from && byGroup.get(to - 1) > row; to--) {
      byGroup.set(to, byGroup.get(to - 1));
    }
    byGroup.set(to, row);
  }

  private long start(int part, long group) {
    return group == 1 ? firsts[part] : end(part, group - 1);
  }

  private long end(int part, long group) {
    KeyRows all = parts.get(part).groups.rows;
    return all.word(all.state(group));
  }

  long rows() {
    return rows;
  }

  /** Returns the row at an index. */
  long row(long index) {
    return byGroup.get(index);
  }

  /** Returns flags for all groups, which are not set. */
  Memory flags() {
    requireOpen();
    return Memory.ofBytes(rows + 1);
  }

  static void set(Memory flags, long number) {
    flags.segment().set(ValueLayout.JAVA_BYTE, number, (byte) 1);
  }

  private static boolean isSet(Memory flags, long number) {
    return flags.segment().get(ValueLayout.JAVA_BYTE, number) != 0;
  }

  /** Passes the rows whose groups have no flag, in order. */
  void forEachUnmatched(Memory flags, LongConsumer action) {
    try (Memory matched = flags()) {
      for (int part = 0; part < parts.size(); part++) {
        for (long group = 1; group < parts.get(part).groups.rows.used(); group++) {
          for (long at = start(part, group);
              isSet(flags, firsts[part] + group) && at < end(part, group);
              at++) {
            set(matched, row(at));
          }
        }
      }
      for (long row = 0; row < rows; row++) {
        if (!isSet(matched, row)) {
          action.accept(row);
        }
      }
    }
  }

  /** Adds rows to the index, and finds the groups of rows. For one thread at a time. */
  final class Probe implements AutoCloseable {

    /** Largest number of rows of a block. */
    static final int ROWS = 1 << 12;

    /** Numbers of the groups, above 0; 0 if the key has no group, or a part of it is null. */
    final long[] numbers = new long[ROWS];

    /** Where the rows of the groups begin and end. */
    final long[] starts = new long[ROWS];

    final long[] ends = new long[ROWS];

    private final int[] kept = new int[KeyBlock.ROWS];
    private final KeyReader reader = new KeyReader(fields.size());
    private final Grouping.Part part = groups.new Part();

    /** Adds keys with the numbers of their rows. */
    private void stage(Rows block) {
      for (int i = 0; i < block.count; i += KeyBlock.ROWS) {
        KeyBlock keys = read(block, i);
        int count = 0;
        for (int k = 0; k < keys.count; k++) {
          kept[count] = k;
          count += block.isNull(i + k) ? 0 : 1;
        }
        long first = part.append(keys, kept, count);
        for (int k = 0; k < count; k++) {
          part.input().set(part.input().state(first + k), block.first + i + kept[k]);
        }
      }
    }

    private KeyBlock read(Rows block, int from) {
      int count = Math.min(KeyBlock.ROWS, block.count - from);
      return reader.read(block.columns, block.from + from, count);
    }

    /** Finds the groups of some rows. */
    void find(Rows block) {
      for (int i = 0; i < block.count; i += KeyBlock.ROWS) {
        part.input().clear();
        KeyBlock keys = read(block, i);
        long first = part.append(keys, kept, 0);
        for (int k = 0; k < keys.count; k++) {
          find(i + k, first + k, block.isNull(i + k));
        }
      }
    }

    private void find(int to, long row, boolean isNull) {
      long hash = part.input().hash(row);
      int in = Grouping.partition(hash, parts.size());
      long group = isNull ? 0 : parts.get(in).groups.find(part.input(), row, hash);
      starts[to] = group == 0 ? 0 : start(in, group);
      ends[to] = group == 0 ? 0 : end(in, group);
      numbers[to] = group == 0 ? 0 : firsts[in] + group;
    }

    @Override
    public void close() {
      reader.close();
      part.close();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new ClosedException("Join");
    }
  }

  @Override
  public void close() {
    closed = true;
    idle.forEach(Probe::close);
    idle.clear();
    groups.close();
    byGroup.close();
  }
}

package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.group.Batch.Column;
import dev.gyre.structures.group.Plan.Field;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
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

  private final List<Field> fields;
  private final long rows;
  private final Grouping groups;
  private final List<KeyRows> parts;
  private final RowFinder[] finders;

  /** Where the rows of each partition begin in {@code byGroup}. */
  private final long[] firsts;

  private final RowNumbers byGroup;
  private final ConcurrentLinkedDeque<Probe> idle = new ConcurrentLinkedDeque<>();

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
      this.finders = new RowFinder[parts.size()];
      this.firsts = new long[parts.size() + 1];
      for (int part = 0; part < parts.size(); part++) {
        firsts[part + 1] = firsts[part] + parts.get(part).used() - 1;
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
      for (int from = 0; from < batch.rows(); from += Probe.ROWS) {
        int count = Math.min(Probe.ROWS, batch.rows() - from);
        blocks.add(new Rows(columns, from, count, row + from));
      }
      row += batch.rows();
    }
    return blocks;
  }

  /** Does work with a probe. */
  void with(Consumer<Probe> work) {
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
    KeyRows all = parts.get(part);
    if (all.used() > RowFinder.MAX_ROWS) {
      throw new IllegalArgumentException(
          "%d right rows have the same key, or keys of similar hashes, and %d at most are possible:"
                  .formatted(all.used(), RowFinder.MAX_ROWS)
              + " give them as the left side");
    }
    int size = (int) all.used();
    long[] rowOf = new long[size];
    for (int i = 1; i < size; i++) {
      rowOf[i] = all.word(all.state(i));
    }
    int[] groupOf = new int[size];
    finders[part] = new RowFinder();
    finders[part].merge(all, groups.states, groupOf);
    long[] ends = new long[(int) all.used() + 1];
    ends[1] = firsts[part];
    for (int i = 1; i < size; i++) {
      ends[groupOf[i] + 1] += rowOf[i] == 0 ? 0 : 1;
    }
    Arrays.parallelPrefix(ends, Long::sum);
    for (int i = 1; i < size; i++) {
      if (rowOf[i] != 0) {
        byGroup.set(ends[groupOf[i]]++, rowOf[i] - 1);
      }
    }
    for (int group = 1; group < all.used(); group++) {
      sort(group == 1 ? firsts[part] : ends[group - 1], ends[group]);
      all.set(all.state(group), ends[group]);
    }
  }

  /** Sorts the rows of a group, which threads have added in any order. */
  private void sort(long from, long to) {
    boolean isSorted = true;
    for (long at = from + 1; at < to; at++) {
      isSorted &= byGroup.get(at - 1) < byGroup.get(at);
    }
    if (!isSorted) {
      long[] sorted = new long[Math.toIntExact(to - from)];
      Arrays.setAll(sorted, i -> byGroup.get(from + i));
      Arrays.parallelSort(sorted);
      for (int i = 0; i < sorted.length; i++) {
        byGroup.set(from + i, sorted[i]);
      }
    }
  }

  private long start(int part, long group) {
    KeyRows all = parts.get(part);
    return group == 1 ? firsts[part] : all.word(all.state(group - 1));
  }

  private long end(int part, long group) {
    return parts.get(part).word(parts.get(part).state(group));
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
        for (long group = 1; group < parts.get(part).used(); group++) {
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

    private final long[] at = new long[KeyBlock.ROWS];
    private final KeyReader reader = new KeyReader(fields.size());
    private final Grouping.Part part = groups.new Part();

    /** Adds keys with the numbers of their rows and 1; 0 for a key with a null. */
    private void stage(Rows block) {
      for (int i = 0; i < block.count; i += KeyBlock.ROWS) {
        int count = append(block, i);
        for (int k = 0; k < count; k++) {
          part.rows.set(at[k], block.isNull(i + k) ? 0 : block.first + i + k + 1);
        }
      }
    }

    private int append(Rows block, int from) {
      int count = Math.min(KeyBlock.ROWS, block.count - from);
      part.append(reader.read(block.columns, block.from + from, count), at);
      return count;
    }

    /** Finds the groups of some rows. */
    void find(Rows block) {
      for (int i = 0; i < block.count; i += KeyBlock.ROWS) {
        part.rows.clear();
        int count = append(block, i);
        for (int k = 0; k < count; k++) {
          find(i + k, 1 + k, block.isNull(i + k));
        }
      }
    }

    private void find(int to, int row, boolean isNull) {
      long hash = part.rows.hash(row);
      int in = Grouping.partition(hash, parts.size());
      long group = isNull ? 0 : finders[in].find(parts.get(in), part.rows, row, hash);
      starts[to] = group == 0 ? 0 : start(in, group);
      ends[to] = group == 0 ? 0 : end(in, group);
      numbers[to] = starts[to] == ends[to] ? 0 : firsts[in] + group;
    }

    @Override
    public void close() {
      reader.close();
      part.close();
    }
  }

  @Override
  public void close() {
    idle.forEach(Probe::close);
    idle.clear();
    groups.close();
    byGroup.close();
  }
}

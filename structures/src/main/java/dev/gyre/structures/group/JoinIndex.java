package dev.gyre.structures.group;

import dev.gyre.atomics.ClosedException;
import dev.gyre.structures.ParallelCopy;
import dev.gyre.structures.arrow.SharedUse;
import dev.gyre.structures.group.Batch.Column;
import dev.gyre.structures.group.Plan.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows by their keys. Rows with a null in their key are not in the index.
 *
 * <p>The highest bits of a key's hash select a partition, which has a hash table of its keys. The
 * state of a key is its <em>match</em>: 2r + 1 if row r alone has the key, otherwise 2i if its rows
 * are in a list at index i. A list is their number, followed by the rows in order. A key without
 * rows has the match 0.
 *
 * <p>The index is built in three steps, each in parallel. Tasks take the rows of the batches, in
 * order, and distribute them to inputs, one for each task and partition. Then each partition adds
 * the keys of its inputs to its table. Then the partitions in which keys repeat fill their lists.
 */
final class JoinIndex implements AutoCloseable {

  /** In place of the match of a key that no row has. */
  static final long NO_MATCH = 0;

  /** Number of rows of a partition, whose table then stays in the L2 cache. */
  private static final int PART_ROWS = 1 << 14;

  private static final int MAX_PART_BITS = 11;

  /** Least number of rows of a task that distributes rows. */
  private static final int TASK_ROWS = 1 << 16;

  private static final int MAX_TASKS = 32;

  private static final VarHandle WORDS = ValueLayout.JAVA_LONG.varHandle();

  private final List<Field> fields;
  private final long rows;
  private final Seed seed = Seed.next();
  private final Blocks blocks = new Blocks();
  private final int partBits;
  private final RowFinder[] tables;
  private RowNumbers lists;
  private final ConcurrentLinkedDeque<Probe> idle = new ConcurrentLinkedDeque<>();
  private final ConcurrentLinkedDeque<Flags> unusedFlags = new ConcurrentLinkedDeque<>();

  /** Operations that run: their reads by address need the memory. */
  private final SharedUse use = new SharedUse(this::free);

  /** Indexes the rows of some batches. */
  JoinIndex(List<Batch> batches, List<String> keys) {
    this.fields = keys.stream().map(key -> batches.getFirst().column(key).field()).toList();
    this.rows = batches.stream().mapToLong(Batch::rows).sum();
    this.partBits =
        Math.min(MAX_PART_BITS, Long.SIZE - Long.numberOfLeadingZeros(rows / PART_ROWS));
    List<Rows> all = blocks(batches, 0, keys);
    this.tables = new RowFinder[1 << partBits];
    this.lists = new RowNumbers(0, 0);
    try (Blocks staging = new Blocks()) {
      int tasks = Math.clamp(rows / TASK_ROWS, 1, Math.clamp(all.size(), 1, MAX_TASKS));
      KeyRows[][] inputs = new KeyRows[tasks][tables.length];
      ParallelCopy.slices(inputs.length, task -> distribute(all, task, inputs, staging));
      long[] ends = new long[tables.length + 1];
      ends[0] = 1;
      ParallelCopy.slices(tables.length, part -> ends[part + 1] = group(part, inputs));
      Arrays.parallelPrefix(ends, Long::sum);
      try (RowNumbers _ = lists) {
        this.lists = new RowNumbers(ends[tables.length], Math.max(rows, ends[tables.length]));
      }
      ParallelCopy.slices(
          tables.length,
          part -> {
            if (ends[part] < ends[part + 1]) {
              fill(part, inputs, ends[part]);
            }
          });
      // For streamed rows and for a call: to know the size of a result, it needs no more memory.
      unusedFlags.push(new Flags());
      unusedFlags.push(new Flags());
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private int partition(long hash) {
    return (int) (hash >>> 1 >>> (Long.SIZE - 1 - partBits));
  }

  /** A block of rows, of which the first has a number. */
  record Rows(List<Column> columns, int from, int count, long first) {}

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
    Probe idler = idle.poll();
    Probe probe = idler == null ? new Probe() : idler;
    try {
      work.accept(probe);
    } finally {
      idle.push(probe);
    }
  }

  /** Does work for the index of each block, in parallel. */
  void forEach(List<Rows> blocks, ObjIntConsumer<Probe> work) {
    ParallelCopy.slices(blocks.size(), i -> with(probe -> work.accept(probe, i)));
  }

  private KeyRows newRows(Blocks from) {
    return KeyRows.of(from, fields.size() > 1 || fields.getFirst().isText(), seed, 1);
  }

  private void distribute(List<Rows> all, int task, KeyRows[][] inputs, Blocks staging) {
    Arrays.setAll(inputs[task], _ -> newRows(staging));
    int from = (int) ((long) all.size() * task / inputs.length);
    int to = (int) ((long) all.size() * (task + 1) / inputs.length);
    long few = rows / inputs.length / tables.length + 1;
    with(
        probe ->
            all.subList(from, to).forEach(block -> probe.distribute(block, inputs[task], few)));
  }

  /**
   * Adds the keys of a partition to its table.
   *
   * @return size of its lists. Without lists, the matches are in the table. Otherwise the table has
   *     the number of rows of each key, and each row has where the state of its key is
   */
  private long group(int part, KeyRows[][] inputs) {
    KeyRows all = newRows(blocks);
    RowFinder table = new RowFinder(blocks, all);
    tables[part] = table;
    long size = Arrays.stream(inputs).mapToLong(ofTask -> ofTask[part].count()).sum();
    table.reserve((int) Math.min(size, PART_ROWS), 0);
    long[] at = new long[KeyBlock.ROWS];
    for (KeyRows[] ofTask : inputs) {
      KeyRows input = ofTask[part];
      for (long row = 1; row < input.used(); row += KeyBlock.ROWS) {
        int count = (int) Math.min(KeyBlock.ROWS, input.used() - row);
        table.reserve(count, input.rowText(row, row + count));
        table.locate(input, row, count, at);
        StateRow.increment(all.words(), at, count, 0);
        // The key is not needed any more.
        for (int i = 0; i < count; i++) {
          input.set(input.at(row + i), at[i] - all.at(0));
        }
      }
    }
    if (all.count() == size) {
      // While they are in the cache. No key repeats.
      fill(part, inputs, 0);
      return 0;
    }
    long words = 0;
    for (long key = 1; key < all.used(); key++) {
      long count = all.word(all.state(key));
      words += count > 1 ? count + 1 : 0;
    }
    return words;
  }

  /** Fills the lists of a partition, from an index on, and sets the matches of its keys. */
  private void fill(int part, KeyRows[][] inputs, long first) {
    KeyRows all = tables[part].rows;
    long next = first;
    for (long key = 1; key < all.used(); key++) {
      long count = all.word(all.state(key));
      all.set(all.state(key), count > 1 ? next << 1 : NO_MATCH);
      next += count > 1 ? count + 1 : 0;
    }
    for (KeyRows[] ofTask : inputs) {
      KeyRows input = ofTask[part];
      for (long i = 1; i < input.used(); i++) {
        long state = all.at(0) + input.word(input.at(i));
        long row = input.word(input.state(i));
        long list = all.word(state) >> 1;
        if (list == NO_MATCH) {
          all.set(state, row << 1 | 1);
        } else {
          long number = lists.get(list) + 1;
          lists.set(list, number);
          lists.set(list + number, row);
        }
      }
    }
  }

  long rows() {
    return rows;
  }

  /** Returns a number above all matches. */
  long matches() {
    return 2 * Math.max(rows, lists.size());
  }

  private static boolean isSingle(long match) {
    return (match & 1) != 0;
  }

  /** Returns the number of rows of a match. */
  long count(long match) {
    return isSingle(match) ? 1 : match == NO_MATCH ? 0 : lists.get(match >> 1);
  }

  /** Returns a row of a match. */
  long row(long match, long index) {
    return isSingle(match) ? match >> 1 : lists.get((match >> 1) + 1 + index);
  }

  /** Returns flags of which none is set; null if they are not needed. */
  @Nullable Flags flags(boolean needed) {
    return needed ? Objects.requireNonNullElseGet(unusedFlags.poll(), Flags::new) : null;
  }

  /** A bit for each row, in the memory of the index. Threads may set bits at the same time. */
  final class Flags implements AutoCloseable {

    private final MemorySegment bits = blocks.take(((rows >> 6) + 1) * Long.BYTES).fill((byte) 0);

    /** Sets the flag of the first row of a match. */
    void set(long match) {
      if (match != NO_MATCH) {
        setRow(row(match, 0));
      }
    }

    private void setRow(long row) {
      if (!isSet(row)) {
        long _ = (long) WORDS.getAndBitwiseOr(bits, row >> 6 << 3, 1L << row);
      }
    }

    private boolean isSet(long row) {
      return ((long) WORDS.getOpaque(bits, row >> 6 << 3) & 1L << row) != 0;
    }

    /** Passes the rows of matches without a flag, in order. */
    void forEachUnmatched(LongConsumer action) {
      for (long list = 1; list < lists.size(); list += lists.get(list) + 1) {
        for (long i = 1; isSet(row(list << 1, 0)) && i < lists.get(list); i++) {
          setRow(row(list << 1, i));
        }
      }
      for (long row = 0; row < rows; row++) {
        if (!isSet(row)) {
          action.accept(row);
        }
      }
    }

    /** Clears the flags for another call. */
    @Override
    public void close() {
      var _ = bits.fill((byte) 0);
      unusedFlags.push(this);
    }
  }

  /** Reads the keys of rows. For one thread at a time. */
  final class Probe implements AutoCloseable {

    /** Largest number of rows of a block. */
    static final int ROWS = 1 << 12;

    /** Matches of a block of rows. */
    final long[] matches = new long[ROWS];

    private final long[] hashes = new long[KeyBlock.ROWS];
    private final int[] nearest = new int[KeyBlock.ROWS];

    /** Keeps reads that only load the cache. */
    @SuppressWarnings({"unused", "FieldCanBeLocal"})
    private long loaded;

    private final KeyReader reader = new KeyReader(fields.size());

    /** The keys of some rows, with their numbers. */
    private final KeyRows input = newRows(Blocks.SINGLE);

    /** Reads keys into the input, from row 1 on; returns their number. */
    private int read(Rows block, int from) {
      int count = Math.min(KeyBlock.ROWS, block.count - from);
      KeyBlock keys = reader.read(block.columns, block.from + from, count);
      input.clear();
      input.append(keys);
      return count;
    }

    private void distribute(Rows block, KeyRows[] inputs, long few) {
      for (int from = 0; from < block.count; from += KeyBlock.ROWS) {
        int count = read(block, from);
        for (int i = 0; i < count; i++) {
          if (!reader.isNull(i)) {
            long row = i + 1L;
            input.set(input.state(row), block.first + from + i);
            KeyRows to = inputs[partition(input.hash(input.at(row)))];
            to.reserve(1, input.rowText(row), to.used() == 1 ? few : 1, 2);
            to.add(input, row);
          }
        }
      }
    }

    /** Finds the matches of some rows, and flags them if there are flags. */
    void find(Rows block, @Nullable Flags flags) {
      for (int from = 0; from < block.count; from += KeyBlock.ROWS) {
        int count = read(block, from);
        load(count);
        for (int i = 0; i < count; i++) {
          RowFinder table = tables[partition(hashes[i])];
          long key = table.find(input, input.at(i + 1L), hashes[i]);
          matches[from + i] =
              key == 0 || reader.isNull(i) ? NO_MATCH : table.rows.word(table.rows.state(key));
          if (flags != null) {
            flags.set(matches[from + i]);
          }
        }
      }
    }

    /** Reads the slots and the rows of all keys, so that the cache misses of searches overlap. */
    private void load(int count) {
      for (int i = 0; i < count; i++) {
        hashes[i] = input.hash(input.at(i + 1L));
        nearest[i] = tables[partition(hashes[i])].first(hashes[i]);
      }
      long all = 0;
      for (int i = 0; i < count; i++) {
        KeyRows rows = tables[partition(hashes[i])].rows;
        all ^= rows.word(rows.at(nearest[i]));
      }
      loaded = all;
    }

    @Override
    public void close() {
      reader.close();
      input.close();
    }
  }

  /** One operation, during which the memory stays. */
  interface Use extends AutoCloseable {
    @Override
    void close();
  }

  /** Begins an operation, which its caller closes. */
  Use use() {
    if (!use.begin()) {
      throw new ClosedException("Join");
    }
    return use::end;
  }

  /** Frees the memory, after all operations that run. */
  @Override
  public void close() {
    use.close();
  }

  private void free() {
    idle.forEach(Probe::close);
    idle.clear();
    blocks.close();
    lists.close();
  }
}

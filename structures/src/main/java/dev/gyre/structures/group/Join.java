package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.structures.arrow.ArrowExport;
import dev.gyre.structures.arrow.SharedUse;
import dev.gyre.structures.group.JoinIndex.Flags;
import dev.gyre.structures.group.JoinIndex.Probe;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Joins two sets of columns on equal keys, as SQL does: a pair of rows for all combinations of left
 * and right rows with equal keys.
 *
 * <pre>{@code
 * try (Join join = Join.with(List.of(customers), "id")) { // the right side
 *   long size = join.count(List.of(orders), List.of("customer"), Join.How.LEFT);
 *   try (Join.Rows rows = join.rows(List.of(orders), List.of("customer"), Join.How.LEFT)) {
 *     long order = rows.left().get(0);
 *     long customer = rows.right().get(0); // -1 if there is none
 *   }
 * }
 * }</pre>
 *
 * <p>The result is row numbers. Each side is one or more batches, whose rows are numbered from 0
 * on, across batches. Rows of the result are in the order of left rows, then of right rows. Right
 * rows without a match are last. A key with a null matches nothing.
 *
 * <p><b>Threads.</b> Thread-safe: any number of threads may look up left rows. The batches of the
 * right side are read only while this object is made.
 *
 * @since 0.1.0
 */
public final class Join implements AutoCloseable {

  /** Which rows without a match are in the result. */
  public enum How {
    /** None. */
    INNER,
    /** Left rows. */
    LEFT,
    /** Right rows. */
    RIGHT,
    /** Left and right rows. */
    OUTER;

    boolean keepsLeft() {
      return this == LEFT || this == OUTER;
    }

    boolean keepsRight() {
      return this == RIGHT || this == OUTER;
    }
  }

  /**
   * Result of a join: row i is a left and a right row number, of which one may be -1.
   *
   * @param left numbers of left rows
   * @param right numbers of right rows
   */
  public record Rows(RowNumbers left, RowNumbers right) implements AutoCloseable {

    /** Allocates both sides at once, so that all of the result or nothing is allocated. */
    private static Rows of(long size, long numbered) {
      long width = RowNumbers.bytes(numbered);
      long bytes = size > Long.MAX_VALUE / (2 * width) ? Long.MAX_VALUE : 2 * width * size;
      try {
        Memory memory = Memory.ofBytes(bytes);
        MemorySegment all = memory.segment();
        SharedUse use = new SharedUse(memory::close);
        return new Rows(
            new RowNumbers(all, use, 0, size, numbered),
            new RowNumbers(all, use, width * size, size, numbered));
      } catch (MemoryExhaustedException e) {
        throw new MemoryExhaustedException(
            "the join has %d rows, whose numbers take %d bytes: %s"
                .formatted(size, bytes, e.getMessage()),
            bytes,
            e);
      }
    }

    /** Returns what sets rows from one on. */
    private Block from(long first) {
      long[] next = {first};
      return (leftRows, rightRows, count) -> {
        left.set(next[0], leftRows, count);
        right.set(next[0], rightRows, count);
        next[0] += count;
      };
    }

    /** Returns the number of rows. */
    public long size() {
      return left.size();
    }

    /**
     * Exports the columns {@code left} and {@code right} to another library through the Arrow C
     * data interface, without a copy, as {@link Groups#exportTo} does. They are int32 or int64, and
     * -1 stands for no row.
     *
     * @param arrayAddress address of memory for an {@code ArrowArray}
     * @param schemaAddress address of memory for an {@code ArrowSchema}
     * @throws dev.gyre.structures.arrow.ArrowException if an address is null
     * @throws dev.gyre.atomics.ClosedException if this object is closed
     */
    public void exportTo(long arrayAddress, long schemaAddress) {
      ArrowExport.to(
          arrayAddress,
          schemaAddress,
          size(),
          List.of(left.exported("left"), right.exported("right")));
    }

    /** Frees the memory, unless an export uses it. Further calls do nothing. */
    @Override
    public void close() {
      left.close();
      right.close();
    }
  }

  /** Takes a block of rows of the result. */
  @FunctionalInterface
  public interface Block {
    /**
     * Takes rows.
     *
     * @param left numbers of left rows, or -1; the array is reused
     * @param right numbers of right rows, or -1; the array is reused
     * @param count number of elements that are used
     */
    void accept(long[] left, long[] right, int count);
  }

  /** In place of a row number. */
  private static final long NONE = -1;

  /** Number of rows of a block of left rows, and of the result. */
  private static final int BLOCK = 1 << 12;

  private final JoinIndex index;

  /** Which right rows the streamed left rows have matched. */
  private final Flags matched;

  private Join(JoinIndex index) {
    this.index = index;
    this.matched = Objects.requireNonNull(index.flags(true));
  }

  /**
   * Indexes the keys of the right side.
   *
   * @param right batches with the same types of keys
   * @param keys key columns
   * @throws IllegalArgumentException if a key column is missing, or its type differs between
   *     batches
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for the index is not available
   */
  public static Join with(List<Batch> right, String... keys) {
    if (Objects.requireNonNull(right, "right").isEmpty()) {
      throw new IllegalArgumentException("the right side needs a batch, which may be empty");
    }
    return new Join(new JoinIndex(right, Plan.names(keys)));
  }

  /** Returns the number of right rows. */
  public long rightRows() {
    return index.rows();
  }

  /** Returns the number of result rows of a block. */
  private long size(Probe probe, int count, How how) {
    long least = how.keepsLeft() ? 1 : 0;
    long size = 0;
    for (int i = 0; i < count; i++) {
      size = Math.addExact(size, Math.max(least, index.count(probe.matches[i])));
    }
    return size;
  }

  /** Passes the result rows of a block. */
  private void pass(Probe probe, JoinIndex.Rows block, How how, Buffer buffer) {
    for (int i = 0; i < block.count(); i++) {
      long match = probe.matches[i];
      if (match != JoinIndex.NO_MATCH) {
        long count = index.count(match);
        for (long at = 0; at < count; at++) {
          buffer.add(block.first() + i, index.row(match, at));
        }
      } else if (how.keepsLeft()) {
        buffer.add(block.first() + i, NONE);
      }
    }
  }

  private static void passUnmatched(Flags flags, Buffer buffer) {
    flags.forEachUnmatched(row -> buffer.add(NONE, row));
    buffer.end();
  }

  /** Result rows on their way to an action. */
  private static final class Buffer {
    private final Block action;
    private final long[] left = new long[BLOCK];
    private final long[] right = new long[BLOCK];
    private int count;

    Buffer(Block action) {
      this.action = Objects.requireNonNull(action, "action");
    }

    void add(long leftRow, long rightRow) {
      left[count] = leftRow;
      right[count++] = rightRow;
      if (count == BLOCK) {
        end();
      }
    }

    void end() {
      int passed = count;
      count = 0;
      if (passed > 0) {
        action.accept(left, right, passed);
      }
    }
  }

  /**
   * Returns the first result row of each block, then that of unmatched right rows, and the end.
   *
   * @param found gets the matches of all left rows, unless it is null
   */
  private long[] starts(
      List<JoinIndex.Rows> blocks, How how, @Nullable Flags flags, @Nullable RowNumbers found) {
    long[] starts = new long[blocks.size() + 2];
    index.forEach(
        blocks,
        (probe, i) -> {
          JoinIndex.Rows block = blocks.get(i);
          probe.find(block, flags);
          starts[i + 1] = size(probe, block.count(), how);
          if (found != null) {
            found.set(block.first(), probe.matches, block.count());
          }
        });
    if (flags != null) {
      flags.forEachUnmatched(_ -> starts[blocks.size() + 1]++);
    }
    for (int i = 1; i < starts.length; i++) {
      starts[i] = Math.addExact(starts[i], starts[i - 1]);
    }
    return starts;
  }

  /**
   * Returns the number of rows of the result.
   *
   * @param keys key columns of the left side, in the order of the right side's
   * @throws IllegalArgumentException if the keys differ in number or type from the right side's
   */
  public long count(List<Batch> left, List<String> keys, How how) {
    try (JoinIndex.Use _ = index.use();
        Flags flags = index.flags(how.keepsRight())) {
      List<JoinIndex.Rows> blocks = index.blocks(left, 0, keys);
      return starts(blocks, how, flags, null)[blocks.size() + 1];
    }
  }

  /**
   * Returns all rows of the result. If memory permits, each left row has 4 bytes meanwhile for what
   * was found, or 8 if a side is large; otherwise it is looked up twice.
   *
   * @throws IllegalArgumentException as {@link #count}
   * @throws dev.gyre.atomics.MemoryExhaustedException if the result does not fit in memory: it
   *     names its rows and bytes, and nothing was allocated for it
   */
  public Rows rows(List<Batch> left, List<String> keys, How how) {
    List<JoinIndex.Rows> blocks = index.blocks(left, 0, keys);
    long leftRows = left.stream().mapToLong(Batch::rows).sum();
    try (JoinIndex.Use _ = index.use()) {
      try (RowNumbers found = new RowNumbers(leftRows, index.matches())) {
        return rows(blocks, leftRows, how, found);
      } catch (MemoryExhaustedException e) {
        return rows(blocks, leftRows, how, null);
      }
    }
  }

  private Rows rows(
      List<JoinIndex.Rows> blocks, long leftRows, How how, @Nullable RowNumbers found) {
    try (Flags flags = index.flags(how.keepsRight())) {
      long[] starts = starts(blocks, how, flags, found);
      Rows rows = Rows.of(starts[blocks.size() + 1], Math.max(leftRows, index.rows()));
      try {
        index.forEach(
            blocks,
            (probe, i) -> {
              JoinIndex.Rows block = blocks.get(i);
              if (found == null) {
                probe.find(block, null);
              } else {
                found.get(block.first(), probe.matches, block.count());
              }
              Buffer buffer = new Buffer(rows.from(starts[i]));
              pass(probe, block, how, buffer);
              buffer.end();
            });
        if (flags != null) {
          passUnmatched(flags, new Buffer(rows.from(starts[blocks.size()])));
        }
        return rows;
      } catch (RuntimeException | Error e) {
        rows.close();
        throw e;
      }
    }
  }

  /**
   * Passes all rows of the result in blocks, in order, on the calling thread. Memory does not
   * depend on the size of the result.
   *
   * @throws IllegalArgumentException as {@link #count}
   */
  public void forEachMatch(List<Batch> left, List<String> keys, How how, Block action) {
    try (JoinIndex.Use _ = index.use();
        Flags flags = index.flags(how.keepsRight())) {
      Buffer buffer = new Buffer(action);
      pass(index.blocks(left, 0, keys), how, flags, buffer);
      if (flags != null) {
        passUnmatched(flags, buffer);
      }
      buffer.end();
    }
  }

  /**
   * Passes the rows of one batch of a left side that is streamed. For RIGHT and OUTER, right rows
   * without a match follow by {@link #forEachUnmatched} after all batches.
   *
   * @param left a batch; any number of threads may pass theirs at the same time
   * @param firstRow number of its first row
   * @throws IllegalArgumentException as {@link #count}
   */
  public void forEachMatch(Batch left, long firstRow, List<String> keys, How how, Block action) {
    Buffer buffer = new Buffer(action);
    List<JoinIndex.Rows> blocks = index.blocks(List.of(left), firstRow, keys);
    try (JoinIndex.Use _ = index.use()) {
      pass(blocks, how, how.keepsRight() ? matched : null, buffer);
      buffer.end();
    }
  }

  private void pass(List<JoinIndex.Rows> blocks, How how, @Nullable Flags flags, Buffer buffer) {
    index.with(
        probe -> {
          for (JoinIndex.Rows block : blocks) {
            probe.find(block, flags);
            pass(probe, block, how, buffer);
          }
        });
  }

  /**
   * Passes the right rows that no batch has matched which {@code forEachMatch} took with RIGHT or
   * OUTER, in order.
   */
  public void forEachUnmatched(Block action) {
    try (JoinIndex.Use _ = index.use()) {
      passUnmatched(matched, new Buffer(action));
    }
  }

  /**
   * Writes the first right row for each row of a batch, or -1: a lookup, in which the first of
   * repeated keys counts. Any number of threads may call it.
   *
   * @param rows destination, with at least as many elements as the batch has rows
   * @throws IllegalArgumentException as {@link #count}, or if there are too few elements
   */
  public void firstMatches(Batch left, List<String> keys, long[] rows) {
    if (Objects.requireNonNull(rows, "rows").length < Objects.requireNonNull(left, "left").rows()) {
      throw new IllegalArgumentException(
          "%d rows need as many elements, not %d".formatted(left.rows(), rows.length));
    }
    try (JoinIndex.Use _ = index.use()) {
      index.with(
          probe -> {
            for (JoinIndex.Rows block : index.blocks(List.of(left), 0, keys)) {
              probe.find(block, null);
              for (int i = 0; i < block.count(); i++) {
                long match = probe.matches[i];
                rows[block.from() + i] = match == JoinIndex.NO_MATCH ? NONE : index.row(match, 0);
              }
            }
          });
    }
  }

  /**
   * Frees the memory, as soon as no other method runs. Does not wait for them, so that a {@link
   * Block} may call it. Further calls do nothing; methods that are called later throw a {@link
   * dev.gyre.atomics.ClosedException}.
   */
  @Override
  public void close() {
    index.close();
  }
}

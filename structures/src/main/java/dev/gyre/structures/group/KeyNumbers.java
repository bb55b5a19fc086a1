package dev.gyre.structures.group;

import dev.gyre.structures.ParallelCopy;
import dev.gyre.structures.group.Batch.Column;
import dev.gyre.structures.group.device.Totals;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Numbers keys, for a device that groups by longs. Equal keys have equal numbers; null is 0.
 * Thread-safe.
 *
 * <p>The highest bits of a key's hash select a partition, which adds the keys that it does not
 * know. A number is the row of the key there, followed by the partition. A task sorts its rows by
 * partition, and holds the lock of one partition at a time. Rows of a frequent key are cheap while
 * its lock is held, because the key is in the cache of the core. Numbers stay valid.
 */
final class KeyNumbers implements AutoCloseable {

  private static final int PART_BITS = 6;
  private static final int TASK_ROWS = 1 << 14;

  private final int columns;
  private final Seed seed = Seed.next();
  private final Blocks blocks = new Blocks();
  private final RowFinder[] parts = new RowFinder[1 << PART_BITS];
  private final ConcurrentLinkedDeque<Task> idle = new ConcurrentLinkedDeque<>();

  /**
   * Creates an object without keys.
   *
   * @param columns number of key columns: several, or one of texts
   */
  KeyNumbers(int columns) {
    this.columns = columns;
    Arrays.setAll(parts, _ -> new RowFinder(blocks, newRows()));
  }

  private KeyRows newRows() {
    return KeyRows.of(blocks, true, seed, 0);
  }

  /** Sets longs to the numbers of the keys of some rows, on all cores. */
  void read(List<Column> from, int first, int rows, MemorySegment to) {
    ParallelCopy.slices(
        Math.ceilDiv(rows, TASK_ROWS),
        i -> {
          Task idler = idle.poll();
          Task task = idler == null ? new Task() : idler;
          try {
            int row = i * TASK_ROWS;
            int count = Math.min(TASK_ROWS, rows - row);
            task.read(from, first + row, count, to.asSlice((long) row * Long.BYTES));
          } finally {
            idle.push(task);
          }
        });
  }

  /** Numbers some rows. For one thread at a time. */
  private final class Task {

    private final KeyReader reader = new KeyReader(columns);
    private final KeyRows input = newRows();
    private final RowsByPartition sorted = new RowsByPartition();
    private final boolean[] nulls = new boolean[TASK_ROWS];
    private final int[] block = new int[KeyBlock.ROWS];
    private final long[] at = new long[KeyBlock.ROWS];

    void read(List<Column> from, int first, int rows, MemorySegment to) {
      input.clear();
      for (int row = 0; row < rows; row += KeyBlock.ROWS) {
        KeyBlock keys = reader.read(from, first + row, Math.min(KeyBlock.ROWS, rows - row));
        input.append(keys);
        for (int i = 0; i < keys.count; i++) {
          nulls[row + i] = keys.isNull(i);
        }
      }
      int[] ends = sorted.sort(input, parts.length);
      for (int i = 0; i < parts.length; i++) {
        // Tasks begin with different partitions.
        int part = (i + (first / TASK_ROWS)) & (parts.length - 1);
        synchronized (parts[part]) {
          for (int next = part == 0 ? 0 : ends[part - 1]; next < ends[part]; next += block.length) {
            number(part, next, Math.min(block.length, ends[part] - next), to);
          }
        }
      }
    }

    /** Numbers some of the sorted rows, whose partition is locked. */
    private void number(int part, int next, int count, MemorySegment to) {
      RowFinder keys = parts[part];
      System.arraycopy(sorted.rows, next, block, 0, count);
      keys.reserve(count, sorted.text(input, next, next + count));
      keys.locate(input, block, count, at);
      for (int i = 0; i < count; i++) {
        int row = block[i] - 1;
        long number = keys.rows.row(at[i]) << PART_BITS | part;
        to.setAtIndex(ValueLayout.JAVA_LONG, row, nulls[row] ? 0 : number);
      }
    }
  }

  /**
   * Returns the keys of groups of a device.
   *
   * @param copies gets copies of the keys
   */
  KeyBlock read(Totals.Words numbers, int[] groups, KeyRows copies, KeyBlock to) {
    copies.clear();
    copies.reserve(groups.length, 0, 0, 1);
    for (int group : groups) {
      long number = numbers.word(group, 0);
      RowFinder keys = parts[(int) number & (parts.length - 1)];
      synchronized (keys) {
        // The null key has any text.
        copies.appendKey(number == 0 ? copies : keys.rows, number >> PART_BITS);
      }
    }
    copies.read(1, to);
    to.hasNulls = true;
    for (int i = 0; i < groups.length; i++) {
      to.nulls[i] = numbers.word(groups[i], 0) == 0;
    }
    return to;
  }

  @Override
  public void close() {
    idle.forEach(task -> task.reader.close());
    blocks.close();
  }
}

package dev.gyre.kernels.group;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.trie.KernelText;

/**
 * Kernel that parses the rows of a text, and aggregates their numbers in the group of their key.
 *
 * <p>A thread takes the rows that begin in its <em>range</em> of {@value #RANGE} bytes, then the
 * rows of another range. The threads of a warp have neighbouring ranges. Each block aggregates the
 * first groups in shared memory, and adds them to the others at its end; see {@link BlockStates}.
 *
 * <p>A row with an unknown key, or with anything else than plain numbers of enough digits, is not
 * added. It is marked, and the host parses it.
 *
 * @param text rows that all end with an end of line
 * @param begin where the first row begins
 * @param others a long per range: bit i is set if the row that begins at byte i is not added
 * @param marked the number of ranges with such rows is added to element 0
 */
public record GroupRows(
    KernelText text,
    long begin,
    RowFormat format,
    KeyTable keys,
    GroupStates states,
    BlockStates block,
    DeviceLongs others,
    DeviceLongs marked)
    implements Kernel {

  /** Size of a range, in bytes. */
  public static final int RANGE = Long.SIZE;

  /** Smallest row that is added, in bytes: a key and the end of the line. */
  public static final int MIN_ROW = 2;

  private static final int NO_GROUP = -1;

  /**
   * A row.
   *
   * @param next where the next row begins
   * @param keyFrom first byte of the key
   * @param keyTo end of the key
   * @param bad 0 if the row can be added
   */
  public record Row(long next, long keyFrom, long keyTo, int bad) {}

  /** Returns the number of ranges of a text of some bytes. */
  public static long ranges(long length) {
    return (length + RANGE - 1) / RANGE;
  }

  @Override
  public void run(int thread, LaunchShape shape) {
    int blockSize = shape.blockSize();
    int own = thread % blockSize;
    block.clear(own, blockSize);
    Block.barrier();
    long ranges = ranges(text.length());
    long found = 0;
    for (long range = thread; range < ranges; range += shape.threads()) {
      long marks = addRange(range * RANGE);
      // plain: only the host reads it, after the launch
      others.set(range, marks);
      found += marks == 0 ? 0 : 1;
    }
    Block.barrier();
    block.flush(own, blockSize, states);
    if (found > 0) {
      // relaxed: the end of the launch publishes it
      long _ = marked.fetchAddRelaxed(0, found);
    }
  }

  /** Adds the rows that begin in a range; returns the marks of the others. */
  private long addRange(long from) {
    long to = Math.min(from + RANGE, text.length());
    long at = begin;
    if (from > begin) {
      at = RowFormat.afterLine(text, from - 1, to);
    }
    long marks = 0;
    while (at < to) {
      Row row = row(at, NO_GROUP);
      int group = KeyTable.ABSENT;
      if (row.bad() == 0) {
        group = keys.find(text, row.keyFrom(), row.keyTo());
      }
      if (group == KeyTable.ABSENT) {
        marks |= 1L << (int) (at - from);
      } else {
        add(at, group);
      }
      at = row.next();
    }
    return marks;
  }

  private void add(long at, int group) {
    if (block.has(group)) {
      block.count(group);
    } else {
      states.count(group, 1);
    }
    Row _ = row(at, group);
  }

  /** Reads the row at a byte, without adding it. */
  public Row row(long start) {
    return row(start, NO_GROUP);
  }

  /** Reads a row, and adds its numbers to a group, if any. */
  private Row row(long start, int group) {
    long at = start;
    long keyFrom = start;
    long keyTo = start;
    int bad = 0;
    int field = 0;
    int value = 0;
    boolean more = true;
    while (more) {
      long end = format.end(text, at);
      long to = end;
      more = end < text.length() && text.bytes().getUnsigned(end) != '\n';
      if (!more && to > at) {
        to -= text.bytes().getUnsigned(to - 1) == '\r' ? 1 : 0;
      }
      if (field == format.key()) {
        keyFrom = at;
        keyTo = to;
      }
      if (format.isValue(field)) {
        RowFormat.Decimal number = format.decimal(text, at, to, value);
        bad |= number.bad();
        if (group >= 0) {
          add(group, value, number.unscaled());
        }
        value++;
      }
      field++;
      at = end + 1;
    }
    bad |= field ^ format.fields();
    bad |= keyFrom == keyTo ? 1 : 0;
    return new Row(at, keyFrom, keyTo, bad);
  }

  private void add(int group, int value, long number) {
    if (block.takes(group, number)) {
      block.add(group, value, (int) number);
    } else {
      states.add(group, value, number);
    }
  }
}

package dev.gyre.structures.group.device;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadDoubles;
import dev.gyre.atomics.ThreadFloats;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.group.NumberColumn;
import dev.gyre.kernels.group.Validity;
import dev.gyre.structures.MemoryCache;
import dev.gyre.structures.map.Columns.ColumnType;
import java.lang.foreign.MemorySegment;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Column of a batch, which is sent to a device. Each element is read once.
 *
 * @param type null if only nulls are counted
 * @param memory memory with the elements, if the launcher may copy from it; otherwise null
 * @param offset where the elements begin in the memory
 * @param reader reads the elements otherwise
 * @param valid returns a bit for each of 64 rows, which is set if the row is not null; null if no
 *     row is null
 */
public record ColumnSource(
    @Nullable ColumnType type,
    @Nullable Memory memory,
    long offset,
    Reader reader,
    @Nullable IntToLongFunction valid) {

  /** Number of memories through which rows of a column go to the device. */
  static final int BUFFERS = 2;

  /** Copies elements to the start of a segment. */
  @FunctionalInterface
  public interface Reader {
    void read(int first, int rows, MemorySegment to);
  }

  /**
   * Rows of a column on the device.
   *
   * @param numbers null if only nulls are counted
   * @param valid null if no row is null
   */
  record Sent(@Nullable NumberColumn numbers, @Nullable Validity valid) {}

  /**
   * Begins to send some rows.
   *
   * @param buffer first of the memories for them
   */
  Sent send(Launcher launcher, MemoryCache kept, int buffer, int first, int rows) {
    Validity nulls = valid == null ? null : validity(launcher, kept, buffer, first, rows, valid);
    if (type == null) {
      return new Sent(null, nulls);
    }
    long bytes = (long) rows * type.bytes();
    Memory to = kept.get(buffer + 1, bytes);
    if (memory != null && launcher.copiesInPlace(memory)) {
      launcher.copyIn(to, memory.range(offset + (long) first * type.bytes(), bytes));
    } else {
      reader.read(first, rows, to.segment().asSlice(0, bytes));
      launcher.prefetch(to.first(bytes));
    }
    NumberColumn numbers = numbers(type, to);
    return new Sent(nulls == null ? numbers : new NumberColumn.Nullable(numbers, nulls), nulls);
  }

  private static NumberColumn numbers(ColumnType type, Memory memory) {
    return switch (type) {
      case INT -> new NumberColumn.Ints(ThreadInts.of(memory));
      case LONG -> new NumberColumn.Longs(ThreadLongs.of(memory));
      case FLOAT -> new NumberColumn.Floats(ThreadFloats.of(memory));
      case DOUBLE -> new NumberColumn.Doubles(ThreadDoubles.of(memory));
    };
  }

  /** Reads bits, and sends them if one of the rows is null; otherwise returns null. */
  private static @Nullable Validity validity(
      Launcher launcher,
      MemoryCache kept,
      int buffer,
      int first,
      int rows,
      IntToLongFunction valid) {
    int from = first >> 6;
    int last = (first + rows - 1) >> 6;
    long bytes = (last - from + 1L) * Long.BYTES;
    Memory to = kept.get(buffer, bytes);
    ThreadLongs bits = ThreadLongs.of(to);
    long nulls = 0;
    for (int word = from; word <= last; word++) {
      long found = valid.applyAsLong(word);
      bits.set(word - from, found);
      // Shifts count modulo 64.
      long inside = word == from ? -1L << first : -1;
      nulls |= ~found & (word == last ? inside & -1L >>> -(first + rows) : inside);
    }
    if (nulls == 0) {
      return null;
    }
    launcher.prefetch(to.first(bytes));
    return new Validity(bits, first & 63);
  }
}

package dev.gyre.bench.cli;

import dev.gyre.bench.cli.JoinTable.Part;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.Outcome;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.sharded.ShardedLongMap;
import dev.gyre.structures.map.sharded.ShardedTextMap;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * Maps the first column of a table to the number of the first row that has the key.
 *
 * @param insert inserts the keys of a part, with the least of their values
 * @param find writes the values of the keys of a part
 * @param size returns the number of keys
 * @param end closes the map
 */
record RowMap(Call insert, Call find, LongSupplier size, Runnable end) implements AutoCloseable {

  /** A bulk operation on the keys of a part, which returns its counts. */
  @FunctionalInterface
  interface Call {
    Object on(Part part, Longs rows, BulkOptions options);
  }

  /** Makes a map whose keys are integers. */
  static RowMap ofLongs(Launcher device) {
    ShardedLongMap map =
        ShardedLongMap.of(device, on -> LongLongMap.builder().launcher(on).build());
    return new RowMap(
        (part, rows, options) ->
            map.insertOrApply(Longs.of(part.numbers(0)), rows, Apply.MIN, options),
        (part, rows, options) -> map.find(Longs.of(part.numbers(0)), rows, options),
        map::size,
        map::close);
  }

  /** Makes a map whose keys are texts. */
  static RowMap ofTexts(Launcher device) {
    ShardedTextMap map =
        ShardedTextMap.of(device, on -> TextLongMap.builder().launcher(on).build());
    return new RowMap(
        (part, rows, options) -> {
          try (TextKeys keys = keys(part)) {
            return map.insertOrApply(keys, rows, Apply.MIN, options);
          }
        },
        (part, rows, options) -> {
          try (TextKeys keys = keys(part)) {
            return map.find(keys, rows, options);
          }
        },
        map::size,
        map::close);
  }

  private static TextKeys keys(Part part) {
    TextKeys keys = new TextKeys();
    for (int row = 0; row < part.rows(); row++) {
      TextKeys _ = keys.add(part.text(0, row));
    }
    return keys;
  }

  /** Leaves out keys that are null. */
  private static BulkOptions options(Part part) {
    boolean[] there = new boolean[part.rows()];
    boolean all = true;
    for (int row = 0; row < there.length; row++) {
      there[row] = !part.isNull(0, row);
      all &= there[row];
    }
    return all ? BulkOptions.NONE : BulkOptions.NONE.where(there);
  }

  /** Adds rows, the first of which has a number. */
  void add(Part part, long firstRow) {
    long[] rows = LongStream.range(firstRow, firstRow + part.rows()).toArray();
    Object _ = insert.on(part, Longs.of(rows), options(part));
  }

  /**
   * Finds the rows of keys.
   *
   * @return for each key the number of the row, or -1
   */
  long[] find(Part part) {
    long[] rows = new long[part.rows()];
    byte[] outcomes = new byte[rows.length];
    Object _ = find.on(part, Longs.of(rows), options(part).outcomes(outcomes));
    for (int i = 0; i < rows.length; i++) {
      rows[i] = outcomes[i] == Outcome.FOUND.code() ? rows[i] : -1;
    }
    return rows;
  }

  @Override
  public void close() {
    end.run();
  }
}

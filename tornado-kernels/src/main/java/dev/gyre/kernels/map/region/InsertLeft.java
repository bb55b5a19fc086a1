package dev.gyre.kernels.map.region;

import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Insert;

/**
 * Inserts the entry that {@link InsertLines} has left, if there is one; and makes all numbers of
 * the levels 0, for the next insert.
 *
 * @param insert of entries
 * @param level by which they are ordered
 * @param numbers of the levels, in longs
 * @param length how many longs
 */
public record InsertLeft(Insert insert, Level level, ThreadLongs numbers, long length)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    long left = level.leftEntry();
    new Insert(
            insert.table(),
            insert.batch(),
            insert.counters(),
            left < 0 ? 0 : left,
            left + 1,
            insert.change(),
            insert.options(),
            insert.pollLimit())
        .run(thread, shape);
    ClearLongs.clear(thread, shape.threads(), numbers, length);
  }
}

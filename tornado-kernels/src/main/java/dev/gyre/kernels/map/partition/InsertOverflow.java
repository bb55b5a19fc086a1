package dev.gyre.kernels.map.partition;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.MapCodes;

/**
 * Inserts one by one the entries that overflowed, as many as OVERFLOWED says, and sets the numbers
 * of the levels to 0 for the next insert.
 *
 * @param insert of what overflowed
 * @param numbers of the levels, in longs
 * @param length how many longs
 */
public record InsertOverflow(Insert insert, ThreadLongs numbers, long length) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    DeviceLongs counters = insert.counters();
    new Insert(
            insert.table(),
            insert.batch(),
            counters,
            0,
            counters.get(MapCodes.OVERFLOWED),
            insert.change(),
            insert.options(),
            insert.pollLimit())
        .run(thread, shape);
    ClearLongs.clear(thread, shape.threads(), numbers, length);
  }
}

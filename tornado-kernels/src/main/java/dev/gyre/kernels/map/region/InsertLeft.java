package dev.gyre.kernels.map.region;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.MapCodes;

/**
 * As {@link InsertSpilled} for any layout: inserts one by one what {@link BuildRegions} has
 * spilled, as many as it says, each from its home on; and makes all numbers of the levels 0, for
 * the next insert.
 *
 * @param insert of what was spilled
 * @param numbers of the levels, in longs
 * @param length how many longs
 */
public record InsertLeft(Insert insert, ThreadLongs numbers, long length) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    DeviceLongs counters = insert.counters();
    new Insert(
            insert.table(),
            insert.batch(),
            counters,
            0,
            counters.get(MapCodes.SPILLED),
            insert.change(),
            insert.options(),
            insert.pollLimit())
        .run(thread, shape);
    ClearLongs.clear(thread, shape.threads(), numbers, length);
  }
}

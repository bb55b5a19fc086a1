package dev.gyre.kernels.map.region;

import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.MapCodes;

/**
 * Inserts one by one what {@link BuildRegions} has spilled, as many as it says; and makes all
 * numbers of the levels 0, for the next insert.
 *
 * @param insert of the entries that are spilled, whatever its last one is
 * @param numbers of the levels, in longs
 * @param length how many longs
 */
public record InsertSpilled(Insert insert, ThreadLongs numbers, long length) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    new Insert(
            insert.table(),
            insert.batch(),
            insert.counters(),
            0,
            insert.counters().get(MapCodes.SPILLED),
            insert.change(),
            insert.options(),
            insert.pollLimit())
        .run(thread, shape);
    ClearLongs.clear(thread, shape.threads(), numbers, length);
  }
}

package dev.gyre.kernels.map.partition;

import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.MapCodes;

/**
 * Inserts the entries that overflowed one by one, as many as OVERFLOWED says, and resets the
 * numbers of the levels for the next insert.
 *
 * @param insert insert of the overflowed entries
 * @param numbers numbers of the levels, as longs
 * @param length number of longs
 */
public record InsertOverflow(Insert insert, ThreadLongs numbers, long length) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    insert.range(0, insert.counters().get(MapCodes.OVERFLOWED)).run(thread, shape);
    ClearLongs.clear(thread, shape.threads(), numbers, length);
  }
}

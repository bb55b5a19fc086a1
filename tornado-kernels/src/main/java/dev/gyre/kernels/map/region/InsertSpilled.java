package dev.gyre.kernels.map.region;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.MapCodes;

/**
 * Inserts one by one what {@link BuildRegions} has spilled, as many as it says.
 *
 * @param insert of the entries that are spilled, whatever its last one is
 */
public record InsertSpilled(Insert insert) implements Kernel {

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
  }
}

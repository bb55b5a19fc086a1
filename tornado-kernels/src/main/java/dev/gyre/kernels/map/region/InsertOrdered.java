package dev.gyre.kernels.map.region;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Insert;

/**
 * Inserts entries that are in the order of a table's regions one by one, each by a thread of its
 * own: threads that run at the same time work on few regions, which a device's cache holds
 * meanwhile. So this does for any layout, and for a table that others have filled.
 *
 * @param insert of the entries, as many as there are at most
 * @param level by which they are ordered; where a region is crowded, nothing is done
 */
public record InsertOrdered(Insert insert, Level level) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    new Insert(
            insert.table(),
            insert.batch(),
            insert.counters(),
            insert.from(),
            level.isCrowded() ? insert.from() : level.end(),
            insert.change(),
            insert.options(),
            insert.pollLimit())
        .run(thread, shape);
  }
}

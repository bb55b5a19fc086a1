package dev.gyre.kernels.map.aggregate;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.MapCodes;

/** Runs an insert if {@link SampleKeys} found no frequent keys. */
public record DirectAggregate(Insert insert) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    long to = insert.counters().get(MapCodes.FREQUENT) == 0 ? insert.to() : insert.from();
    insert.range(insert.from(), to).run(thread, shape);
  }
}

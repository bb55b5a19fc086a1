package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.OUTCOMES;
import static dev.gyre.kernels.map.MapCodes.VALUES;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Copies what became of keys of a batch that several tables were given: of those that belong to one
 * of them.
 *
 * @param from where it was written there
 * @param to of which the keys are asked
 * @param owner the number of that table
 * @param options OUTCOMES, VALUES, or both
 */
public record TakeOthers(Batch from, Batch to, Homes homes, int owner, int options, long end)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    Numbers keys = to.keys();
    for (long i = thread; i < end; i += shape.threads()) {
      if (homes.of(keys.get(i)) == owner) {
        if ((options & VALUES) != 0) {
          to.values().set(i, from.values().get(i));
        }
        if ((options & OUTCOMES) != 0) {
          to.outcomes().set(i, from.outcomes().get(i));
        }
      }
    }
  }
}

package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.FILLED;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Calls a visitor for the entries of a range of slots. No thread may insert at the same time.
 *
 * @param from index of the first slot
 * @param to index after the last slot; a side slot is after all others
 * @since 0.1.0
 */
public record Visit(Slots table, EntryVisitor visitor, long from, long to) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    for (long slot = from + thread; slot < to; slot += shape.threads()) {
      long seen = table.quiet(slot);
      if (table.stateOf(seen) == FILLED) {
        visitor.visit(table.key(slot, seen), table.value(slot, seen, 0));
      }
    }
  }
}

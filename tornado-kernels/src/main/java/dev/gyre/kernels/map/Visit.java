package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.FILLED;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Gives the entries of a range of slots to a visitor. Nobody may insert at the same time.
 *
 * @param from the first slot
 * @param to the one after the last; a side slot is behind all others
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

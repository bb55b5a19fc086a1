package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.FILLED;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Gives the entries of a range of slots of a table of {@link TextSlots} to a visitor. Nobody may
 * insert at the same time.
 *
 * @param from the first slot
 * @param to the one after the last
 */
public record VisitTexts(
    DeviceInts states,
    DeviceLongs table,
    DeviceLongs arena,
    TextVisitor visitor,
    long from,
    long to)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    for (long slot = from + thread; slot < to; slot += shape.threads()) {
      if (states.get(TextLayout.stateAt(slot)) == FILLED) {
        long start = TextLayout.arenaWord(table.get(TextLayout.markAt(slot)));
        long first = table.get(TextLayout.firstAt(slot));
        int length = states.get(TextLayout.lengthAt(slot));
        long value = table.loadRelaxed(TextLayout.valueAt(slot));
        visitor.visit(new Text(new Text.InMemory(arena, start), first, length), value);
      }
    }
  }
}

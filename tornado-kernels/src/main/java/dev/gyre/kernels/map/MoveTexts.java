package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Moves the entries of a range of slots of a table of {@link TextSlots} to an empty table of
 * another size; keys stay where they are in the arena. Nobody may do anything else with either.
 *
 * @param slots number of slots of the new table
 * @param rule how keys are hashed
 * @param from the first slot to be moved
 * @param to the one after the last
 */
public record MoveTexts(
    DeviceInts oldStates,
    DeviceLongs oldTable,
    DeviceInts states,
    DeviceLongs table,
    long slots,
    long seed,
    TextRule rule,
    DeviceLongs arena,
    long from,
    long to)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    for (long old = from + thread; old < to; old += shape.threads()) {
      if (oldStates.get(TextLayout.stateAt(old)) == FILLED) {
        int length = oldStates.get(TextLayout.lengthAt(old));
        long first = oldTable.get(TextLayout.firstAt(old));
        long mark = oldTable.get(TextLayout.markAt(old));
        Text key = new Text(new Text.InMemory(arena, TextLayout.arenaWord(mark)), first, length);
        long hash = rule.hash(key, seed);
        long slot = TextLayout.home(hash, slots);
        long at = TextLayout.stateAt(slot);
        // relaxed: keys differ, so nobody reads what others write until the launch has ended
        int state = states.compareAndExchangeRelaxed(at, EMPTY, FILLED);
        while (state != EMPTY) {
          slot = slot + 1 == slots ? 0 : slot + 1;
          state = states.compareAndExchangeRelaxed(TextLayout.stateAt(slot), EMPTY, FILLED);
        }
        states.set(TextLayout.lengthAt(slot), length);
        table.set(TextLayout.firstAt(slot), first);
        table.set(TextLayout.markAt(slot), mark);
        table.set(TextLayout.valueAt(slot), oldTable.get(TextLayout.valueAt(old)));
      }
    }
  }
}

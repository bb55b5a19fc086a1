package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Moves the entries of a range of slots of a table of {@link RecordSlots} to an empty table of
 * another size. Nobody may do anything else with either.
 *
 * @param oldStates of the table whose entries are moved
 * @param fresh the other table, whose batch is the slots of the old one
 * @param from the first slot to be moved
 * @param to the one after the last
 */
public record MoveRecords(DeviceInts oldStates, RecordSlots fresh, long from, long to)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    RecordSlots table = fresh.own();
    DeviceInts states = table.states();
    long slots = table.slots();
    for (long old = from + thread; old < to; old += shape.threads()) {
      if (oldStates.get(table.stateAt(old)) == FILLED) {
        long slot = table.home(old, table.hash(old));
        // relaxed: keys differ, so nobody reads what others write until the launch has ended
        int state = states.compareAndExchangeRelaxed(table.stateAt(slot), EMPTY, FILLED);
        while (state != EMPTY) {
          slot = slot + 1 == slots ? 0 : slot + 1;
          state = states.compareAndExchangeRelaxed(table.stateAt(slot), EMPTY, FILLED);
        }
        table.write(slot, old, 0, 0);
        table.setValue(slot, old);
      }
    }
  }
}

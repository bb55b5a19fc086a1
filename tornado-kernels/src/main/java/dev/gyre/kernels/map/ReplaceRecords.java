package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.PRESENT;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Replaces the whole value of each key of a batch that is PRESENT, in two launches, one after the
 * other, beside which nobody reads or updates the table. By the first, equal keys of the batch say
 * which of them comes last: each writes its number to the slot, over that of another one. By the
 * second, the one whose number is there writes its value. So no value is of two keys.
 *
 * @param from the first key
 * @param to the one after the last
 * @param second whether it is the second launch
 */
public record ReplaceRecords(RecordSlots table, Bytes outcomes, long from, long to, boolean second)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    RecordSlots own = table.own();
    DeviceInts states = own.states();
    for (long i = from + thread; i < to; i += shape.threads()) {
      if (outcomes.get(i) == PRESENT) {
        Probe.End end = Probe.find(own, i, 1);
        if (end.outcome() == FOUND) {
          long at = own.lastAt(end.slot());
          int number = (int) i + 1;
          if (!second) {
            // relaxed, as below: the launches order them
            states.storeRelaxed(at, number);
          }
          if (second) {
            replace(own, states, end.slot(), i, number);
          }
        }
      }
    }
  }

  private static void replace(RecordSlots own, DeviceInts states, long slot, long i, int number) {
    if (states.loadRelaxed(own.lastAt(slot)) == number) {
      own.setValue(slot, i);
      // No key has this number: slots are as inserts leave them.
      states.storeRelaxed(own.lastAt(slot), 0);
    }
  }
}

package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Replaces the whole value of each PRESENT key of a batch, in two launches, while no other thread
 * reads or updates the table.
 *
 * <p>In the first launch, equal keys of the batch agree which of them comes last: each writes its
 * number to the slot. In the second launch, the key whose number is there writes its value. So no
 * value is a mix of two.
 *
 * @param from index of the first key
 * @param to index after the last key
 * @param second whether this is the second launch
 * @since 0.1.0
 */
public record ReplaceRecords(RecordSlots table, Bytes outcomes, long from, long to, boolean second)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    RecordSlots own = table.copy();
    DeviceInts states = own.states();
    for (long i = from + thread; i < to; i += shape.threads()) {
      if (outcomes.get(i) == PRESENT) {
        Probe.End end = Probe.find(own, i, SEARCHING, 0, 1);
        if (end.outcome() == FOUND) {
          long at = own.lastAt(end.slot());
          int number = (int) i + 1;
          if (!second) {
            // relaxed, as below: the launches order the accesses
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
      // No key has this number: the slot is again as inserts leave it.
      states.storeRelaxed(own.lastAt(slot), 0);
    }
  }
}

package dev.gyre.structures.map;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Slots;

/** How far the keys of a table crowd: counted, so that no time has to be taken. */
final class Probes {

  private Probes() {}

  /** Slots that a search for an absent key passes, on average over all homes. */
  static double ofAbsent(HashTable<?, ?, ?> map) {
    Slots table = map.store.table().inKernels();
    long slots = table.slots();
    double sum = 0;
    long run = 0;
    // Twice around, of which the second time counts: a run may go around the end.
    for (long i = 0; i < 2 * slots; i++) {
      long slot = i % slots;
      boolean taken = table.stateOf(table.quiet(slot)) != MapCodes.EMPTY;
      run = taken ? Math.min(run + 1, slots) : 0;
      sum += i < slots ? 0 : run;
    }
    return 1 + sum / slots;
  }

  /**
   * Eight times the mean of linear probing if keys come in any order (Knuth, 6.4). Tables of about
   * a thousand slots and a load of 0.9 exceed twice the mean in one case of a hundred, and one more
   * mean at most in each ten times fewer cases, so that no seed exceeds this bound by chance.
   */
  static double most(double load) {
    return 4 + 4 / ((1 - load) * (1 - load));
  }
}

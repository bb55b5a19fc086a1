package dev.gyre.kernels.map.region;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.FULL;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Counting;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;

/**
 * Inserts entries as {@link InsertOrdered} does, where values that are there stay, with fewer
 * accesses to each slot and none that orders others. Nobody else updates the table, and nobody
 * looks at it before the launch has ended, which publishes it all.
 *
 * <p>The compare-and-exchange that claims a slot writes the key, so that whoever looks for another
 * key goes on at once: no thread waits. State and value follow. A key of 0 would not be seen to be
 * there: one such entry is left to {@link InsertLeft}, and all others of them count as PRESENT. So
 * while this runs, a slot that is FILLED with a key of 0 was so before.
 *
 * @param level by which entries are ordered; where a region is crowded, nothing is done
 */
public record InsertLines(LongSlots.Line table, Pairs entries, Level level) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    LongSlots.Line table = this.table.copy();
    DeviceLongs words = table.words();
    long slots = table.slots();
    long end = level.isCrowded() ? 0 : level.end();
    int inserted = 0;
    int present = 0;
    int full = 0;
    for (long i = thread; i < end; i += shape.threads()) {
      long key = entries.key(i);
      long value = entries.value(i);
      long home = table.home(key, table.hash(key));
      long slot = home;
      int outcome = key == 0 ? level.leaveEntry(i) : SEARCHING;
      while (outcome == SEARCHING) {
        // relaxed, as all of these: see above
        long state = words.loadRelaxed(table.stateWordAt(slot));
        long seen = words.loadRelaxed(table.keyAt(slot));
        boolean claims = (state | seen) == EMPTY;
        if (claims) {
          seen = words.compareAndExchangeRelaxed(table.keyAt(slot), EMPTY, key);
          claims = seen == EMPTY;
        }
        int met = seen == key ? PRESENT : SEARCHING;
        outcome = claims ? INSERTED : met;
        if (outcome == SEARCHING) {
          slot = slot + 1 == slots ? 0 : slot + 1;
          outcome = slot == home ? FULL : SEARCHING;
        }
      }
      if (outcome == INSERTED) {
        words.storeRelaxed(table.valueAt(slot), value);
        table.states().storeRelaxed(table.stateAt(slot), FILLED);
      }
      inserted += outcome == INSERTED ? 1 : 0;
      present += outcome == PRESENT ? 1 : 0;
      full += outcome == FULL ? 1 : 0;
    }
    Counting.add(level.counters(), thread, INSERTED, inserted, MapCodes.STRIPED);
    Counting.add(level.counters(), thread, PRESENT, present, MapCodes.STRIPED);
    Counting.add(level.counters(), thread, FULL, full, MapCodes.STRIPED);
  }
}

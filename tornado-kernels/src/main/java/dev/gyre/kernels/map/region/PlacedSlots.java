package dev.gyre.kernels.map.region;

import static dev.gyre.kernels.map.MapCodes.FILLED;

import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.NumberTable;

/** A layout of slots of a new table, of which a block knows where each entry goes. */
public interface PlacedSlots {

  /** The table. */
  NumberTable table();

  /** Writes an entry to a slot that is EMPTY. */
  void store(long slot, long key, long value);

  /**
   * Says of a slot whether it was written to, which all threads of the block know, behind a fence.
   * Whole lines of memory are written faster than parts of them, so EMPTY slots are written, too.
   */
  void publish(long slot, boolean written);

  /** {@link LongSlots.Line}, one line of memory for each slot. */
  record LongLines(LongSlots.Line table) implements PlacedSlots {
    @Override
    public void store(long slot, long key, long value) {
      table.setKey(slot, key);
      table.setValue(slot, value);
    }

    @Override
    public void publish(long slot, boolean written) {
      if (written) {
        // relaxed: behind a fence, and with it a release; pairs with the acquire of whoever looks
        table.states().storeRelaxed(table.stateAt(slot), FILLED);
      }
    }
  }
}

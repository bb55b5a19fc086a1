package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.SingleKeys;
import dev.gyre.structures.map.file.Runs;
import dev.gyre.structures.map.file.SavedMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Tables of longs from files, which anybody may have written: a checksum can be forged. What it
 * takes to check one rises with its size, and not with its square.
 */
public final class LongSaved {

  private LongSaved() {}

  /**
   * The table of a file, in which every key is found where it is. Where its keys crowd, they are in
   * another table, whose seed nobody knew who chose them.
   *
   * @throws dev.gyre.structures.SavedFileException saying what is wrong
   */
  public static LongTable adopt(SavedMap saved) {
    LongTable table = LongTables.adopt(saved);
    Runs runs = new Runs();
    long entries = 0;
    for (long slot = 0; slot < table.places(); slot++) {
      int state = table.state(slot);
      saved.require(state == MapCodes.EMPTY || state == MapCodes.FILLED, "slot " + slot);
      entries += state == MapCodes.FILLED ? 1 : 0;
      runs.next(state == MapCodes.FILLED ? 1 : 0);
    }
    saved.require(entries == saved.entries(), "number of entries");
    LongTable checked = runs.areLong() ? spread(saved, table) : sound(saved, table);
    checked.setTaken(entries);
    return checked;
  }

  private static LongTable sound(SavedMap saved, LongTable table) {
    for (long slot = 0; slot < table.places(); slot++) {
      saved.require(table.isSound(slot), "slot " + slot);
    }
    return table;
  }

  /** Another table of the same size with the same entries, in place of this one. */
  private static LongTable spread(SavedMap saved, LongTable crowded) {
    LongTable spread =
        LongTables.allocate(
            saved.layout(), saved.capacity(), saved.load(), ThreadLocalRandom.current().nextLong());
    try {
      for (long slot = 0; slot < crowded.places(); slot++) {
        if (crowded.state(slot) == MapCodes.FILLED) {
          long before = spread.insert(crowded.key(slot), crowded.value(slot), 1);
          saved.require(before == SingleKeys.NONE, "slot " + slot);
        }
      }
      crowded.close();
      return spread;
    } catch (RuntimeException | Error e) {
      spread.close();
      throw e;
    }
  }
}

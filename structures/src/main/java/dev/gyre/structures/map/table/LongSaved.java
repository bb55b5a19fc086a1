package dev.gyre.structures.map.table;

import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.work.Step;
import org.jspecify.annotations.Nullable;

/**
 * Loads tables of longs from files, which anybody may have written: a checksum can be forged.
 *
 * <p>All entries are inserted into a new table, whose seed the writer of the file does not know. So
 * it does not matter where a file has its keys, and by which hash. Keys that are there twice are
 * seen because an insert finds the first, and time is linear in the number of slots.
 */
@IntTwin
public final class LongSaved {

  /** Slots of the file whose entries are inserted at once. */
  private static final int STEP = 1 << 12;

  private LongSaved() {}

  /**
   * A table with the entries of a file, which the caller closes.
   *
   * @param seed of the table
   * @throws dev.gyre.structures.SavedFileException saying what is wrong
   */
  public static LongTable load(SavedMap saved, long seed, @Nullable Hash hash) {
    LongTable file = LongTables.adopt(saved, hash);
    LongTable table =
        LongTables.allocate(
            saved.kind(), saved.layout(), saved.capacity(), saved.load(), seed, hash);
    try {
      insertAll(saved, file, table);
      return table;
    } catch (RuntimeException | Error e) {
      table.close();
      throw e;
    }
  }

  private static void insertAll(SavedMap saved, LongTable file, LongTable table) {
    long[] keys = new long[STEP];
    long[] values = new long[STEP];
    long entries = 0;
    for (Step step : Step.cut(0, file.places(), STEP)) {
      for (long slot = step.from(); slot < step.to(); slot++) {
        int state = file.state(slot);
        saved.require(state == MapCodes.EMPTY || state == MapCodes.FILLED, "slot " + slot);
      }
      int count = file.copyEntries(step, keys, values, 0);
      entries += count;
      saved.require(entries <= saved.entries(), "number of entries");
      saved.require(
          table.insertOwned(keys, values, count) == count,
          "slot %d or one of the %d after it, whose key is there twice,"
              .formatted(step.from(), step.size() - 1));
    }
    saved.require(entries == saved.entries(), "number of entries");
    table.setSize(entries);
  }
}

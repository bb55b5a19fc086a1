package dev.gyre.structures.map.table;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.map.Hash;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.work.TaskRange;
import org.jspecify.annotations.Nullable;

/**
 * Loads tables of longs from files. A file may be corrupted with a valid checksum.
 *
 * <p>All entries are inserted into a new table with a seed that the writer of the file does not
 * know. So neither the place of a key in the file nor its hash matters. A repeated key is detected
 * because the insert finds the first one. The time is linear in the number of slots.
 */
@IntSpecialized
public final class LongSaved {

  /** Number of slots of the file whose entries are inserted at once. */
  private static final int STEP = 1 << 12;

  private LongSaved() {}

  /**
   * Returns a table with the entries of a file. The caller closes it.
   *
   * @param seed seed of the table
   * @param removable whether keys can be removed from it
   * @throws dev.gyre.structures.SavedFileException if the file is invalid
   */
  public static LongTable load(SavedMap saved, long seed, @Nullable Hash hash, boolean removable) {
    LongTable file = LongTable.adopt(saved, hash);
    LongTable table =
        LongTable.allocate(
            SlotFormat.of(saved.kind(), saved.layout(), hash, removable),
            saved.capacity(),
            saved.load(),
            seed);
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
    for (TaskRange task : TaskRange.cut(0, file.places(), STEP)) {
      long filled = SavedRows.countFilled(saved, file, task);
      int count = file.copyEntries(task, keys, values, 0);
      saved.require(count == filled, "slot %d or one after it".formatted(task.from()));
      entries += count;
      saved.require(entries <= saved.entries(), "number of entries");
      saved.require(
          table.insertExclusive(keys, values, count) == count,
          "slot %d or one of the %d after it, whose key is there twice,"
              .formatted(task.from(), task.size() - 1));
    }
    saved.require(entries == saved.entries(), "number of entries");
    table.setSize(entries, 0);
  }
}

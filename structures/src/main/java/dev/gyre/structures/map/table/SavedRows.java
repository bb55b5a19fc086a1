package dev.gyre.structures.map.table;

import dev.gyre.atomics.UninterruptibleScope;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.RecordEntries;
import dev.gyre.kernels.map.SingleKeys;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.Columns.ColumnType;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Loads tables of texts and records from files, which may be corrupted with a valid checksum; see
 * {@link LongSaved}. The caller closes the table.
 */
public final class SavedRows {

  /** Number of slots of the file that a worker processes at a time. */
  private static final int STEP = 1 << 12;

  private SavedRows() {}

  /**
   * Returns a table with the texts of a file: a section of slots, of which only length, place and
   * value are used, and a section of text.
   *
   * @param settings settings of the table
   * @param workers workers that insert the entries
   * @throws dev.gyre.structures.SavedFileException if the file is invalid, for example if a key is
   *     outside the text
   */
  public static TextTable ofTexts(
      SavedMap saved, MapSettings settings, @Nullable TextHash hash, Workers workers) {
    TextTable file = TextTable.adopt(saved, hash);
    try {
      TextTable table =
          TextTable.allocate(
              saved.capacity(),
              saved.load(),
              file.arena.length(),
              settings.seed(),
              file.hash,
              settings.options().removable());
      return filled(
          saved,
          file,
          table,
          workers,
          slot ->
              isInArena(file, slot)
                  && TextKey.of(TextKey.bytes(file, slot))
                          .insert(table, null, TextKey.value(file, slot), Long.MAX_VALUE)
                      == TextKey.NONE);
    } finally {
      // Memories that were allocated in addition to the file's.
      Memories.close(
          file.memories().stream().filter(memory -> !saved.memories().contains(memory)).toList());
    }
  }

  private static boolean isInArena(TextTable file, long slot) {
    int length = file.states.get(TextLayout.lengthAt(slot));
    long start = TextLayout.arenaWord(file.table.get(TextLayout.markAt(slot)));
    return length >= 0 && start + TextLayout.arenaWords(length) <= file.arena.length();
  }

  /**
   * Returns a table with the records of a file.
   *
   * @param settings settings of the table
   * @param workers workers that insert the entries
   * @throws dev.gyre.structures.SavedFileException if the file is invalid
   */
  public static RecordTable ofRecords(
      SavedMap saved, RecordSchema<?, ?> schema, MapSettings settings, Workers workers) {
    RecordTable file = RecordTable.adopt(saved, schema);
    RecordTable table =
        RecordTable.allocate(
            schema,
            saved.capacity(),
            saved.load(),
            settings.seed(),
            settings.options().removable());
    return filled(
        saved, file, table, workers, slot -> insert(file.entry(slot), schema, table.entries()));
  }

  private static boolean insert(long[] entry, RecordSchema<?, ?> schema, RecordEntries entries) {
    long slot = entries.find(entry[0], entry[1], entry[2], entry[3]);
    long[] row = Arrays.copyOfRange(entry, RecordSchema.MOST, 2 * RecordSchema.MOST);
    return isKey(entry, schema)
        && slot < 0
        && entries.insert(~slot, entry, row, Long.MAX_VALUE) == SingleKeys.NONE;
  }

  /**
   * Returns whether the words of int components are ints; otherwise no lookup could find the key.
   */
  private static boolean isKey(long[] words, RecordSchema<?, ?> schema) {
    boolean key = true;
    for (int i = 0; i < schema.keyTypes().size(); i++) {
      key &= schema.keyTypes().get(i) != ColumnType.INT || words[i] == (int) words[i];
    }
    return key;
  }

  /**
   * Inserts all entries of a file into a new table, by claims, on all workers of the JVM; returns
   * the table.
   *
   * @param insert inserts the entry of a slot; returns whether it is sound and its key was absent
   */
  private static <T extends FixedTable> T filled(
      SavedMap saved, FixedTable file, T table, Workers workers, LongPredicate insert) {
    try {
      List<TaskRange> tasks = TaskRange.cut(0, saved.slots(), STEP);
      AtomicLong filled = new AtomicLong();
      workers.run("count", tasks, (_, task) -> filled.addAndGet(countFilled(saved, file, task)));
      // Counted before anything is inserted: more entries could overfill the table.
      saved.require(filled.get() == saved.entries(), "number of entries");
      workers.run("load", tasks, (_, task) -> insertAll(saved, file, task, insert));
      table.setSize(filled.get(), 0);
      return table;
    } catch (RuntimeException | Error e) {
      table.close();
      throw e;
    }
  }

  /** Returns the number of entries of a part of a file, whose slots must be EMPTY or FILLED. */
  static long countFilled(SavedMap saved, FixedTable file, TaskRange task) {
    long filled = 0;
    for (long slot = task.from(); slot < task.to(); slot++) {
      int state = file.state(slot);
      saved.require(state == MapCodes.EMPTY || state == MapCodes.FILLED, "slot " + slot);
      filled += state == MapCodes.FILLED ? 1 : 0;
    }
    return filled;
  }

  private static void insertAll(
      SavedMap saved, FixedTable file, TaskRange task, LongPredicate insert) {
    // An interrupt does not end the wait for a slot that another worker has claimed.
    try (UninterruptibleScope _ = UninterruptibleScope.begin()) {
      for (long slot = task.from(); slot < task.to(); slot++) {
        saved.require(file.state(slot) == MapCodes.EMPTY || insert.test(slot), "slot " + slot);
      }
    }
  }
}

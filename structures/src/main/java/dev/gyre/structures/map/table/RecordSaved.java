package dev.gyre.structures.map.table;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.SingleKeys;
import dev.gyre.structures.map.Columns.ColumnType;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.file.Runs;
import dev.gyre.structures.map.file.SavedMap;
import java.util.concurrent.ThreadLocalRandom;

/** Tables of records from files, which anybody may have written; as {@link LongSaved}. */
public final class RecordSaved {

  private RecordSaved() {}

  /**
   * The table of a file, in which every key is found where it is.
   *
   * @throws dev.gyre.structures.SavedFileException saying what is wrong
   */
  public static RecordTable adopt(SavedMap saved, RecordSchema<?, ?> schema) {
    Memory memory = saved.memories().getFirst();
    long slots = saved.slots();
    saved.require(memory.byteSize() == slots * RecordTable.stride(schema) * Long.BYTES, "length");
    RecordTable table = new RecordTable(schema, memory, slots, saved.capacity(), saved.seed());
    Runs runs = new Runs();
    long entries = 0;
    for (long slot = 0; slot < slots; slot++) {
      int state = table.state(slot);
      boolean sound =
          state == MapCodes.EMPTY || (state == MapCodes.FILLED && isKey(table.entry(slot), schema));
      saved.require(sound, "slot " + slot);
      entries += state == MapCodes.FILLED ? 1 : 0;
      runs.next(state == MapCodes.FILLED ? 1 : 0);
    }
    saved.require(entries == saved.entries(), "number of entries");
    RecordTable checked = runs.areLong() ? spread(saved, table, schema) : sound(saved, table);
    checked.setTaken(entries);
    return checked;
  }

  /** Whether what stands for ints are such; else it is no key that could be asked for. */
  private static boolean isKey(long[] words, RecordSchema<?, ?> schema) {
    boolean key = true;
    for (int i = 0; i < schema.keyTypes().size(); i++) {
      key &= schema.keyTypes().get(i) != ColumnType.INT || words[i] == (int) words[i];
    }
    return key;
  }

  private static RecordTable sound(SavedMap saved, RecordTable table) {
    for (long slot = 0; slot < table.slots; slot++) {
      boolean found =
          table.state(slot) == MapCodes.EMPTY || table.entries().find(slot).slot() == slot;
      saved.require(found, "slot " + slot);
    }
    return table;
  }

  /** Another table of the same size with the same entries, in place of this one. */
  private static RecordTable spread(
      SavedMap saved, RecordTable crowded, RecordSchema<?, ?> schema) {
    RecordTable spread =
        RecordTable.allocate(
            schema, saved.capacity(), saved.load(), ThreadLocalRandom.current().nextLong());
    try {
      for (long slot = 0; slot < crowded.slots; slot++) {
        if (crowded.state(slot) == MapCodes.FILLED) {
          long[] entry = crowded.entry(slot);
          var entries = spread.entries();
          var place = entries.find(entry[0], entry[1], entry[2], entry[3]);
          boolean fresh = !place.isFound() && entries.insert(place, entry, 1) == SingleKeys.NONE;
          saved.require(fresh, "slot " + slot);
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

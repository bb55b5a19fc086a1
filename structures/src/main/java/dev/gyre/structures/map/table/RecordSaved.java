package dev.gyre.structures.map.table;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.SingleKeys;
import dev.gyre.structures.map.Columns.ColumnType;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.file.SavedMap;

/** Loads tables of records from files, which anybody may have written; as {@link LongSaved}. */
public final class RecordSaved {

  private RecordSaved() {}

  /**
   * A table with the entries of a file, whose memory is closed.
   *
   * @param seed of the table
   * @throws dev.gyre.structures.SavedFileException saying what is wrong
   */
  public static RecordTable load(SavedMap saved, RecordSchema<?, ?> schema, long seed) {
    Memory memory = saved.memories().getFirst();
    long slots = saved.slots();
    saved.require(memory.byteSize() == slots * RecordTable.stride(schema) * Long.BYTES, "length");
    RecordTable file = new RecordTable(schema, memory, slots, saved.capacity(), 0);
    RecordTable table = RecordTable.allocate(schema, saved.capacity(), saved.load(), seed);
    try {
      insertAll(saved, schema, file, table);
      file.close();
      return table;
    } catch (RuntimeException | Error e) {
      table.close();
      throw e;
    }
  }

  private static void insertAll(
      SavedMap saved, RecordSchema<?, ?> schema, RecordTable file, RecordTable table) {
    long count = 0;
    var entries = table.entries();
    for (long slot = 0; slot < file.slots; slot++) {
      int state = file.state(slot);
      boolean sound = state == MapCodes.EMPTY;
      if (state == MapCodes.FILLED) {
        count++;
        saved.require(count <= saved.entries(), "number of entries");
        long[] entry = file.entry(slot);
        var place = entries.find(entry[0], entry[1], entry[2], entry[3]);
        sound =
            isKey(entry, schema)
                && !place.isFound()
                && entries.insert(place, entry, 1) == SingleKeys.NONE;
      }
      saved.require(sound, "slot " + slot);
    }
    saved.require(count == saved.entries(), "number of entries");
    table.setTaken(count);
  }

  /** Whether what stands for ints are such; else it is no key that could be asked for. */
  private static boolean isKey(long[] words, RecordSchema<?, ?> schema) {
    boolean key = true;
    for (int i = 0; i < schema.keyTypes().size(); i++) {
      key &= schema.keyTypes().get(i) != ColumnType.INT || words[i] == (int) words[i];
    }
    return key;
  }
}

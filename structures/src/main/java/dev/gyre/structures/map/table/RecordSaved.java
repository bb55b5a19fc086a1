package dev.gyre.structures.map.table;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.RecordEntries;
import dev.gyre.kernels.map.SingleKeys;
import dev.gyre.structures.map.Columns.ColumnType;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.work.Workers;

/**
 * Loads tables of records from files, which may be corrupted with a valid checksum; see {@link
 * LongSaved}.
 */
public final class RecordSaved {

  private RecordSaved() {}

  /**
   * Returns a table with the entries of a file. The caller closes it.
   *
   * @param seed seed of the table
   * @param workers workers that insert the entries
   * @throws dev.gyre.structures.SavedFileException if the file is invalid
   */
  public static RecordTable load(
      SavedMap saved, RecordSchema<?, ?> schema, long seed, Workers workers) {
    Memory memory = saved.memories().getFirst();
    long slots = saved.slots();
    saved.require(memory.byteSize() == slots * RecordTable.stride(schema) * Long.BYTES, "length");
    RecordTable file = new RecordTable(schema, memory, slots, saved.capacity(), 0);
    RecordTable table = RecordTable.allocate(schema, saved.capacity(), saved.load(), seed);
    try {
      var entries = new Slots(schema, file, table.entries());
      table.setSize(SavedEntries.insertAll(saved, entries, workers));
      return table;
    } catch (RuntimeException | Error e) {
      table.close();
      throw e;
    }
  }

  private record Slots(RecordSchema<?, ?> schema, RecordTable file, RecordEntries entries)
      implements SavedEntries.Slots {

    @Override
    public int state(long slot) {
      return file.state(slot);
    }

    @Override
    public boolean insert(long slot) {
      long[] entry = file.entry(slot);
      var place = entries.find(entry[0], entry[1], entry[2], entry[3]);
      return isKey(entry, schema)
          && !place.isFound()
          && entries.insert(place, entry, Long.MAX_VALUE) == SingleKeys.NONE;
    }
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
}

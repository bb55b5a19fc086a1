package dev.gyre.structures.launch;

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.RecordEntries;
import dev.gyre.kernels.map.RowParts;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.map.RecordMap;

/**
 * A {@link RecordMap} within a kernel: one key at a time, by each of its threads, side by side. It
 * comes from {@link RecordMap#launch}, or from {@link RecordMap#changing}, and is good for that
 * launch. Keys and values are their components; outcomes are as of {@link LongMapRef}.
 */
public interface RecordMapRef {

  /** Inserts a key unless it is there: INSERTED, PRESENT, FULL or STUCK. */
  int insert(KeyParts key, RowParts value);

  /**
   * Inserts a key with its value, or changes columns of the value that is there, each atomically,
   * as {@link RecordMap#changing} says; without that, values stay as they are: INSERTED, PRESENT,
   * FULL or STUCK.
   */
  int merge(KeyParts key, RowParts value);

  /** Whether a key is there: FOUND, ABSENT or STUCK. */
  int contains(KeyParts key);

  /**
   * Looks for a key: FOUND with its value, ABSENT or STUCK. Beside threads that change it, columns
   * may be of several times.
   */
  RecordEntries.Found find(KeyParts key);

  /** Of a map that has rows. */
  record OfRows(RecordEntries.Ref rows) implements RecordMapRef {

    @Override
    public int insert(KeyParts key, RowParts value) {
      return rows.insert(key, value);
    }

    @Override
    public int merge(KeyParts key, RowParts value) {
      return rows.merge(key, value);
    }

    @Override
    public int contains(KeyParts key) {
      return rows.contains(key);
    }

    @Override
    public RecordEntries.Found find(KeyParts key) {
      return rows.find(key);
    }
  }

  /**
   * Of a map whose keys are packed in a long, with one long for their value.
   *
   * @param paired whether keys are two ints
   */
  record Packed(TableRef table, boolean paired, Change change) implements RecordMapRef {

    private long packed(KeyParts key) {
      long both = (key.first() << 32) | (key.second() & 0xffff_ffffL);
      return paired ? both : key.first();
    }

    @Override
    public int insert(KeyParts key, RowParts value) {
      return table.insert(packed(key), value.first(), MapCodes.KEEP);
    }

    @Override
    public int merge(KeyParts key, RowParts value) {
      return table.insert(packed(key), value.first(), change);
    }

    @Override
    public int contains(KeyParts key) {
      return table.contains(packed(key));
    }

    @Override
    public RecordEntries.Found find(KeyParts key) {
      TableRef.Found found = table.find(packed(key));
      return new RecordEntries.Found(found.outcome(), new RowParts(found.value(), 0, 0, 0));
    }
  }
}

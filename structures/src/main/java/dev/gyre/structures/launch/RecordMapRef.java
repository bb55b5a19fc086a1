package dev.gyre.structures.launch;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.RecordChange;
import dev.gyre.kernels.map.RecordEntries;
import dev.gyre.kernels.map.RowParts;
import dev.gyre.kernels.map.Rows;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.map.RecordMap;

/**
 * Gives the threads of a kernel access to a {@link RecordMap}, one key at a time.
 *
 * <p>{@link RecordMap#launch} or {@link RecordMap#changing} creates it; it is valid for that launch
 * only. Keys and values are their components. {@link LongMapRef} describes the outcomes.
 *
 * @since 0.1.0
 */
public interface RecordMapRef {

  /** Inserts a key if it is absent; returns INSERTED, PRESENT, FULL or STUCK. */
  int insert(KeyParts key, RowParts value);

  /**
   * Inserts a key with its value. If the key is present, the changes of {@link RecordMap#changing}
   * update its columns, each atomically; without them, the value is unchanged.
   *
   * @return INSERTED, PRESENT, FULL or STUCK
   */
  int merge(KeyParts key, RowParts value);

  /** Looks up a key; returns FOUND, ABSENT or STUCK. */
  int contains(KeyParts key);

  /**
   * Looks up a key; returns FOUND with its value, ABSENT or STUCK. While other threads change the
   * value, its columns may be of different updates.
   */
  RecordEntries.Found find(KeyParts key);

  /** Removes a key as {@link LongMapRef#remove} does. */
  RecordEntries.Found remove(KeyParts key);

  /**
   * Ref to a map with rows.
   *
   * @param ref counters of reservations, and of keys that were not inserted
   * @param table the table
   * @param change how the value of a present key changes
   */
  @Internal
  record OfRows(TableRef ref, RecordEntries.OfTable table, RecordChange change)
      implements RecordMapRef {

    private TableRef of(KeyParts key, Rows value) {
      Rows one = new Rows.One(key.first(), key.second(), key.third(), key.fourth());
      return ref.with(table.slots(one, value));
    }

    @Override
    public int insert(KeyParts key, RowParts value) {
      return of(key, value.row()).insert(0, 0, MapCodes.KEEP);
    }

    @Override
    public int merge(KeyParts key, RowParts value) {
      return of(key, value.row()).insert(0, 0, change.of(value.row()));
    }

    @Override
    public int contains(KeyParts key) {
      return of(key, new Rows.One(0, 0, 0, 0)).contains(0);
    }

    @Override
    public RecordEntries.Found find(KeyParts key) {
      return row(of(key, new Rows.One(0, 0, 0, 0)).find(0));
    }

    @Override
    public RecordEntries.Found remove(KeyParts key) {
      return row(of(key, new Rows.One(0, 0, 0, 0)).remove(0));
    }

    /** Returns a result whose value is represented by its slot plus 1, or 0. */
    private RecordEntries.Found row(TableRef.Found found) {
      long at = 0;
      if (found.value() > 0) {
        at = table.valueAt(found.value() - 1);
      }
      return new RecordEntries.Found(found.outcome(), table.row(found.value(), at));
    }
  }

  /**
   * Ref to a map whose keys are packed in a long, with one long as value.
   *
   * @param paired whether keys are two ints
   */
  @Internal
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
      return row(table.find(packed(key)));
    }

    @Override
    public RecordEntries.Found remove(KeyParts key) {
      return row(table.remove(packed(key)));
    }

    private static RecordEntries.Found row(TableRef.Found found) {
      return new RecordEntries.Found(found.outcome(), new RowParts(found.value(), 0, 0, 0));
    }
  }
}

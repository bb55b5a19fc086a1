package dev.gyre.bench.cli;

import dev.gyre.datasets.csv.CsvTable;

/** A map into which rows are loaded by the batch, and then looked up by the batch. */
interface MapJoin extends AutoCloseable {

  /** Adds the key of a row, its first column, to the batch. */
  void add(CsvTable row);

  /** Number of keys in the batch. */
  int pending();

  /**
   * Inserts the keys of the batch, of equal ones the first, and empties it.
   *
   * @param values one for each key
   */
  void insertFirsts(long[] values);

  /** Looks up the keys of the batch, writes values and outcomes, and returns how many are there. */
  long find(long[] values, byte[] outcomes);

  /** A key of the batch. */
  Object key(int index);

  /** Empties the batch. */
  void forget();

  /** Number of keys in the map. */
  long size();

  @Override
  void close();
}

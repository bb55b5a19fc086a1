package dev.gyre.structures.map.sharded;

/**
 * Keys of a bulk operation with their values, and the destination of values that are found.
 *
 * @param <R> this type
 */
interface Rows<R extends Rows<R>> extends AutoCloseable {

  /** Returns the number of keys. */
  long length();

  /** Throws if some elements are on one device, which other shards cannot access. */
  default void requireOnHost() {}

  /** Returns a copy of a range, so that later changes of the caller do not matter. */
  R chunk(long from, int length);

  /** Returns the hash of a key of a chunk. */
  long hash(int index);

  /**
   * Copies the keys of a chunk for a shard.
   *
   * @param keeps whether the operation leaves some found values unchanged, so that these are copied
   *     too
   */
  R gather(int[] indices, boolean keeps);

  /** Writes values that a shard found to their places in a chunk. */
  void scatter(int[] indices, R shard);

  @Override
  default void close() {}
}

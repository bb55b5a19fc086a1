package dev.gyre.structures.map.sharded;

/**
 * Keys of a bulk operation with their values, and where values that are found go.
 *
 * @param <R> this type
 */
interface Rows<R extends Rows<R>> extends AutoCloseable {

  /** Number of keys. */
  long length();

  /** Refuses what is on one device, of which others know nothing. */
  default void requireOnHost() {}

  /** Some of them, read once: what becomes of the caller's keys and values does not matter. */
  R chunk(long from, int length);

  /** The hash of a key of a chunk. */
  long hash(int index);

  /**
   * Copies keys of a chunk for a shard.
   *
   * @param keeps whether an operation leaves values out that are found, so that they are copied too
   */
  R gather(int[] indices, boolean keeps);

  /** Takes values that a shard found to their places in a chunk. */
  void scatter(int[] indices, R shard);

  @Override
  default void close() {}
}

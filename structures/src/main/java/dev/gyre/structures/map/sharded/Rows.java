package dev.gyre.structures.map.sharded;

import dev.gyre.structures.Releasable;
import dev.gyre.structures.map.BulkOptions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keys of a bulk operation with their values, and the destination of values that are found.
 *
 * @param <K> keys
 * @param <V> values
 */
abstract class Rows<K, V> implements AutoCloseable {

  final K keys;
  final @Nullable V values;
  final @Nullable V found;

  Rows(K keys, @Nullable V values, @Nullable V found) {
    this.keys = keys;
    this.values = values;
    this.found = found;
  }

  final V values() {
    return Objects.requireNonNull(values);
  }

  final V found() {
    return Objects.requireNonNull(found);
  }

  /** Returns the number of keys. */
  abstract long length();

  /** Checks the operands of a bulk operation. */
  abstract void check(BulkOptions options);

  /** Throws if some elements are on one device, which other shards cannot access. */
  void requireOnHost() {}

  /** Keeps the keys from being cleared or closed until the end of an operation. */
  Releasable use(BulkOptions options) {
    return () -> {};
  }

  /** Returns a copy of a range, so that later changes of the caller do not matter. */
  abstract Rows<K, V> chunk(long from, int length);

  /** Returns the hash of a key of a chunk. */
  abstract long hash(int index);

  /**
   * Copies the keys of a chunk for a shard.
   *
   * @param keeps whether the operation leaves some found values unchanged, so that these are copied
   *     too
   */
  abstract Rows<K, V> gather(int[] indices, boolean keeps);

  /** Writes values that a shard found to their places in a chunk. */
  abstract void scatter(int[] indices, Rows<K, V> shard);

  @Override
  public void close() {}
}

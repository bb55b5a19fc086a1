package dev.gyre.structures.map.view;

import java.util.Map;
import java.util.Spliterator;

/**
 * Spliterator of the entries of a map, weakly consistent, which splits by ranges of slots. The
 * number of entries is an estimate, because other threads may insert.
 */
abstract class EntrySpliterator<K, V> implements Spliterator<Map.Entry<K, V>> {

  @Override
  public final int characteristics() {
    return CONCURRENT | DISTINCT | NONNULL;
  }
}

package dev.gyre.structures.map.view;

import java.util.Map;
import java.util.Spliterator;

/**
 * Goes over the entries of a map beside updates of it, and splits by ranges of slots. The number of
 * entries is an estimate, since others may insert meanwhile.
 */
abstract class EntrySpliterator<K, V> implements Spliterator<Map.Entry<K, V>> {

  @Override
  public final int characteristics() {
    return CONCURRENT | DISTINCT | NONNULL;
  }
}

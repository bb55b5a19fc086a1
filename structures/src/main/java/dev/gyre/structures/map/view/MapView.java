package dev.gyre.structures.map.view;

import dev.gyre.structures.map.store.Store;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A map as one of the Java library; what is computed, such as by merge, is so atomically. */
abstract class MapView<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {

  private final Store<?, ?> store;

  MapView(Store<?, ?> store) {
    this.store = store;
  }

  /** All entries, weakly consistent. */
  abstract Iterator<Map.Entry<K, V>> walk();

  @Override
  public final int size() {
    return (int) Math.min(Integer.MAX_VALUE, store.size());
  }

  @Override
  public final boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  /** Not supported: keys stay. */
  @Override
  public final V remove(@Nullable Object key) {
    throw new UnsupportedOperationException("keys cannot be taken out, but for all by clear");
  }

  /** Not supported: keys stay. */
  @Override
  public final boolean remove(@Nullable Object key, @Nullable Object value) {
    throw new UnsupportedOperationException("keys cannot be taken out, but for all by clear");
  }

  @Override
  public final void clear() {
    store.clear();
  }

  @Override
  public final Set<Map.Entry<K, V>> entrySet() {
    return new Entries();
  }

  private final class Entries extends AbstractSet<Map.Entry<K, V>> {
    @Override
    public int size() {
      return MapView.this.size();
    }

    @Override
    public boolean contains(@Nullable Object entry) {
      return entry instanceof Map.Entry<?, ?> e
          && e.getValue() != null
          && Objects.equals(MapView.this.get(e.getKey()), e.getValue());
    }

    @Override
    public void clear() {
      MapView.this.clear();
    }

    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
      return walk();
    }
  }
}

package dev.gyre.structures.map.view;

import static java.util.Spliterator.DISTINCT;

import dev.gyre.structures.map.store.Store;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** View of a map as a map of the Java library. Computations such as merge are atomic. */
abstract class MapView<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {

  private final Store<?, ?> store;

  MapView(Store<?, ?> store) {
    this.store = store;
  }

  /** Returns all entries, weakly consistent; each writes through. */
  abstract Spliterator<Map.Entry<K, V>> entries();

  /** Returns an entry with which a caller can change the map. */
  final Map.Entry<K, V> entry(K key, V value) {
    return new WriteThroughEntry(key, value);
  }

  @Override
  public final int size() {
    return (int) Math.min(Integer.MAX_VALUE, store.size());
  }

  @Override
  public final boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  /** Not supported: keys cannot be removed individually. */
  @Override
  public final V remove(@Nullable Object key) {
    throw new UnsupportedOperationException("keys cannot be removed individually; use clear()");
  }

  /** Not supported: keys cannot be removed individually. */
  @Override
  public final boolean remove(@Nullable Object key, @Nullable Object value) {
    throw new UnsupportedOperationException("keys cannot be removed individually; use clear()");
  }

  @Override
  public final void clear() {
    store.clear();
  }

  @Override
  public final Set<Map.Entry<K, V>> entrySet() {
    return new Entries();
  }

  @Override
  public final Set<K> keySet() {
    return new Keys();
  }

  @Override
  public final Collection<V> values() {
    return new Values();
  }

  /** What an entry held when the iteration reached it; a new value is put into the map as well. */
  private final class WriteThroughEntry extends AbstractMap.SimpleEntry<K, V> {
    private static final long serialVersionUID = 1;

    WriteThroughEntry(K key, V value) {
      super(key, value);
    }

    @Override
    public V setValue(V value) {
      MapView.this.put(getKey(), value);
      return super.setValue(value);
    }
  }

  private final class Keys extends AbstractSet<K> {
    @Override
    public int size() {
      return MapView.this.size();
    }

    @Override
    public boolean contains(@Nullable Object key) {
      return containsKey(key);
    }

    @Override
    public void clear() {
      MapView.this.clear();
    }

    @Override
    public Iterator<K> iterator() {
      return Spliterators.iterator(spliterator());
    }

    @Override
    public Spliterator<K> spliterator() {
      return new Mapped<>(entries(), Map.Entry::getKey, DISTINCT);
    }
  }

  private final class Values extends AbstractCollection<V> {
    @Override
    public int size() {
      return MapView.this.size();
    }

    @Override
    public void clear() {
      MapView.this.clear();
    }

    @Override
    public Iterator<V> iterator() {
      return Spliterators.iterator(spliterator());
    }

    @Override
    public Spliterator<V> spliterator() {
      return new Mapped<>(entries(), Map.Entry::getValue, 0);
    }
  }

  /** Keys or values of entries. */
  private record Mapped<E, T>(Spliterator<E> entries, Function<E, T> part, int distinct)
      implements Spliterator<T> {
    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
      return entries.tryAdvance(entry -> action.accept(part.apply(entry)));
    }

    @Override
    public @Nullable Spliterator<T> trySplit() {
      Spliterator<E> half = entries.trySplit();
      return half == null ? null : new Mapped<>(half, part, distinct);
    }

    @Override
    public long estimateSize() {
      return entries.estimateSize();
    }

    @Override
    public int characteristics() {
      return CONCURRENT | NONNULL | distinct;
    }
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
      return Spliterators.iterator(spliterator());
    }

    @Override
    public Spliterator<Map.Entry<K, V>> spliterator() {
      return entries();
    }
  }
}

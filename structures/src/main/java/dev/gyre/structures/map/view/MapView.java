package dev.gyre.structures.map.view;

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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** View of a map as a map of the Java library. Computations such as merge are atomic. */
public abstract class MapView<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {

  final Store<?, ?> store;

  MapView(Store<?, ?> store) {
    this.store = store;
  }

  /**
   * Returns all entries, or parts of them such as keys, weakly consistent. Entries write through.
   *
   * @param distinct {@link Spliterator#DISTINCT}, or 0 if parts may be equal
   */
  abstract <T> Spliterator<T> parts(
      Function<? super Map.Entry<K, V>, ? extends T> part, int distinct);

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

  /** Removes a key. All removals by views call this method or the next one. */
  @Override
  public abstract @Nullable V remove(@Nullable Object key);

  @Override
  public abstract boolean remove(@Nullable Object key, @Nullable Object value);

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
    return new Keys(null);
  }

  /** Returns a set of the keys, to which keys can be added, with a value for each new key. */
  public final Set<K> asSet(Function<K, V> value) {
    return new Keys(value);
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

  /** Iterator over keys, values or entries. */
  private final class Elements<T> implements Iterator<T> {
    private final Iterator<Map.Entry<K, V>> entries =
        Spliterators.iterator(entrySet().spliterator());
    private final Function<Map.Entry<K, V>, T> part;
    private Map.@Nullable Entry<K, V> last;

    Elements(Function<Map.Entry<K, V>, T> part) {
      this.part = part;
    }

    @Override
    public boolean hasNext() {
      return entries.hasNext();
    }

    @Override
    public T next() {
      last = entries.next();
      return part.apply(last);
    }

    @Override
    public void remove() {
      if (last == null) {
        throw new IllegalStateException("no element to remove: call next() before");
      }
      var _ = MapView.this.remove(last.getKey());
      last = null;
    }
  }

  /** Keys or entries. */
  private abstract class Parts<T> extends AbstractSet<T> {
    private final Function<Map.Entry<K, V>, T> part;

    Parts(Function<Map.Entry<K, V>, T> part) {
      this.part = part;
    }

    @Override
    public final int size() {
      return MapView.this.size();
    }

    @Override
    public final void clear() {
      MapView.this.clear();
    }

    @Override
    public final Iterator<T> iterator() {
      return new Elements<>(part);
    }

    @Override
    public final Spliterator<T> spliterator() {
      return parts(part, Spliterator.DISTINCT);
    }
  }

  private final class Keys extends Parts<K> {
    private final @Nullable Function<K, V> value;

    Keys(@Nullable Function<K, V> value) {
      super(Map.Entry::getKey);
      this.value = value;
    }

    @Override
    public boolean contains(@Nullable Object key) {
      return containsKey(key);
    }

    @Override
    public boolean add(K key) {
      return value == null ? super.add(key) : putIfAbsent(key, value.apply(key)) == null;
    }

    @Override
    public boolean remove(@Nullable Object key) {
      return MapView.this.remove(key) != null;
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
      return new Elements<>(Map.Entry::getValue);
    }

    @Override
    public Spliterator<V> spliterator() {
      return parts(Map.Entry::getValue, 0);
    }
  }

  private final class Entries extends Parts<Map.Entry<K, V>> {
    Entries() {
      super(entry -> entry);
    }

    @Override
    public boolean contains(@Nullable Object entry) {
      return entry instanceof Map.Entry<?, ?> e
          && e.getValue() != null
          && Objects.equals(MapView.this.get(e.getKey()), e.getValue());
    }

    @Override
    public boolean remove(@Nullable Object entry) {
      return entry instanceof Map.Entry<?, ?> e && MapView.this.remove(e.getKey(), e.getValue());
    }
  }
}

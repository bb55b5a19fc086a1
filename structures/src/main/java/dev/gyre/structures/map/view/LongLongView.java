package dev.gyre.structures.map.view;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.access.LongWalk;
import dev.gyre.structures.map.store.LongStore;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A map as one of the Java library; what is computed, such as by merge, is so atomically. */
public final class LongLongView extends AbstractMap<Long, Long>
    implements ConcurrentMap<Long, Long> {

  private final LongStore store;
  private final LongAccess access;

  public LongLongView(LongStore store, LongAccess access) {
    this.store = store;
    this.access = access;
  }

  private static @Nullable Long boxed(OptionalLong found) {
    return found.isPresent() ? (Long) found.getAsLong() : null;
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, store.size());
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public @Nullable Long get(@Nullable Object key) {
    return key instanceof Long boxed ? boxed(access.get(boxed)) : null;
  }

  @Override
  public @Nullable Long put(Long key, Long value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return boxed(access.change(key, value, MapCodes.ASSIGN));
  }

  @Override
  public @Nullable Long putIfAbsent(Long key, Long value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return boxed(access.putIfAbsent(key, value));
  }

  @Override
  public @Nullable Long replace(Long key, Long value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return boxed(access.replace(key, value));
  }

  @Override
  public boolean replace(Long key, Long oldValue, Long newValue) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(oldValue, "oldValue");
    Objects.requireNonNull(newValue, "newValue");
    return access.replace(key, oldValue, newValue);
  }

  /** Not supported: keys stay. */
  @Override
  public Long remove(@Nullable Object key) {
    throw new UnsupportedOperationException("keys cannot be taken out, but for all by clear");
  }

  /** Not supported: keys stay. */
  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    throw new UnsupportedOperationException("keys cannot be taken out, but for all by clear");
  }

  @Override
  public void clear() {
    store.clear();
  }

  @Override
  public Set<Map.Entry<Long, Long>> entrySet() {
    return new Entries();
  }

  private final class Entries extends AbstractSet<Map.Entry<Long, Long>> {
    @Override
    public int size() {
      return LongLongView.this.size();
    }

    @Override
    public boolean contains(@Nullable Object entry) {
      return entry instanceof Map.Entry<?, ?> e
          && e.getValue() != null
          && Objects.equals(LongLongView.this.get(e.getKey()), e.getValue());
    }

    @Override
    public void clear() {
      store.clear();
    }

    @Override
    public Iterator<Map.Entry<Long, Long>> iterator() {
      return new Walk(access.walk());
    }
  }

  private static final class Walk implements Iterator<Map.Entry<Long, Long>> {
    private final LongWalk walk;
    private int at;

    Walk(LongWalk walk) {
      this.walk = walk;
    }

    @Override
    public boolean hasNext() {
      boolean more = true;
      while (more && at == walk.size()) {
        at = 0;
        more = walk.next();
      }
      return more;
    }

    @Override
    public Map.Entry<Long, Long> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int index = at++;
      return Map.entry(walk.key(index), walk.value(index));
    }
  }
}

package dev.gyre.structures.map.view;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.access.TextAccess;
import dev.gyre.structures.map.access.TextWalk;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.TextKey;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A map as one of the Java library; what is computed, such as by merge, is so atomically. */
public final class TextLongView extends AbstractMap<String, Long>
    implements ConcurrentMap<String, Long> {

  private final TextStore store;
  private final TextAccess access;

  public TextLongView(TextStore store, TextAccess access) {
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
    return key instanceof String text ? boxed(access.get(text)) : null;
  }

  @Override
  public @Nullable Long put(String key, Long value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return boxed(access.change(TextKey.of(key), value, MapCodes.ASSIGN));
  }

  @Override
  public @Nullable Long putIfAbsent(String key, Long value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return boxed(access.putIfAbsent(TextKey.of(key), value));
  }

  @Override
  public @Nullable Long replace(String key, Long value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return boxed(access.replace(key, value));
  }

  @Override
  public boolean replace(String key, Long oldValue, Long newValue) {
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
  public Set<Map.Entry<String, Long>> entrySet() {
    return new Entries();
  }

  private final class Entries extends AbstractSet<Map.Entry<String, Long>> {
    @Override
    public int size() {
      return TextLongView.this.size();
    }

    @Override
    public boolean contains(@Nullable Object entry) {
      return entry instanceof Map.Entry<?, ?> e
          && e.getValue() != null
          && Objects.equals(TextLongView.this.get(e.getKey()), e.getValue());
    }

    @Override
    public void clear() {
      store.clear();
    }

    @Override
    public Iterator<Map.Entry<String, Long>> iterator() {
      store.requireOnJvm();
      return new Walk(new TextWalk(store));
    }
  }

  private static final class Walk implements Iterator<Map.Entry<String, Long>> {
    private final TextWalk walk;
    private @Nullable List<TextWalk.Entry> entries = List.of();
    private int at;

    Walk(TextWalk walk) {
      this.walk = walk;
    }

    @Override
    public boolean hasNext() {
      while (entries != null && at == entries.size()) {
        at = 0;
        entries = walk.next();
      }
      return entries != null;
    }

    @Override
    public Map.Entry<String, Long> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      TextWalk.Entry entry = Objects.requireNonNull(entries).get(at++);
      return Map.entry(entry.text(), entry.value);
    }
  }
}

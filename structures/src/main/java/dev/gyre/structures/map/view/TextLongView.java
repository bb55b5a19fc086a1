package dev.gyre.structures.map.view;

import dev.gyre.kernels.map.Change;
import dev.gyre.structures.map.access.TextAccess;
import dev.gyre.structures.map.access.TextWalk;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.TextKey;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A map from text to long as one of the Java library. */
public final class TextLongView extends MapView<String, Long> {

  private final TextStore store;
  private final TextAccess access;

  public TextLongView(TextStore store, TextAccess access) {
    super(store);
    this.store = store;
    this.access = access;
  }

  private static @Nullable Long boxed(OptionalLong found) {
    return found.isPresent() ? (Long) found.getAsLong() : null;
  }

  @Override
  public @Nullable Long get(@Nullable Object key) {
    return key instanceof String text ? boxed(access.get(text)) : null;
  }

  @Override
  public @Nullable Long put(String key, Long value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return boxed(access.change(TextKey.of(key), value, Change.Policy.ASSIGN));
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
    return boxed(access.replace(TextKey.lookedFor(key), value));
  }

  @Override
  public boolean replace(String key, Long oldValue, Long newValue) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(oldValue, "oldValue");
    Objects.requireNonNull(newValue, "newValue");
    return access.replace(TextKey.lookedFor(key), oldValue, newValue);
  }

  @Override
  Iterator<Map.Entry<String, Long>> walk() {
    store.requireOnJvm();
    return new Walk(new TextWalk(store));
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

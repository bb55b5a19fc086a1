package dev.gyre.structures.map.view;

import dev.gyre.kernels.map.Change;
import dev.gyre.structures.map.access.TextAccess;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.TextKey;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** View of a map from text to long as a map of the Java library. */
public final class TextLongView extends MapView<String, Long> {

  private final TextAccess access;

  public TextLongView(TextStore store, TextAccess access) {
    super(store);
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
  public @Nullable Long remove(@Nullable Object key) {
    return key instanceof String text ? boxed(access.remove(TextKey.lookedFor(text))) : null;
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    return key instanceof String text
        && value instanceof Long expected
        && access.remove(TextKey.lookedFor(text), expected);
  }

  @Override
  <T> Spliterator<T> parts(
      Function<? super Map.Entry<String, Long>, ? extends T> part, int distinct) {
    return access.entries(e -> part.apply(entry(e.text(), e.value)), distinct);
  }
}

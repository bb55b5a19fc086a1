package dev.gyre.structures.map.view;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.map.Change;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.access.WalkSpliterator;
import dev.gyre.structures.map.store.LongStore;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** View of a map from long to long as a map of the Java library. */
@IntSpecialized(mixed = true)
public final class LongLongView extends MapView<Long, Long> {

  private final LongAccess access;

  public LongLongView(LongStore store, LongAccess access) {
    super(store);
    this.access = access;
  }

  private static @Nullable Long boxed(OptionalLong found) {
    return found.isPresent() ? (Long) found.getAsLong() : null;
  }

  @Override
  public @Nullable Long get(@Nullable Object key) {
    return key instanceof Long boxed ? boxed(access.get(boxed)) : null;
  }

  @Override
  public @Nullable Long put(Long key, Long value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return boxed(access.change(key, value, Change.Policy.ASSIGN));
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

  @Override
  public @Nullable Long remove(@Nullable Object key) {
    return key instanceof Long boxed ? boxed(access.remove(boxed)) : null;
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    return key instanceof Long boxed
        && value instanceof Long expected
        && access.remove(boxed, expected);
  }

  @Override
  <T> Spliterator<T> parts(
      Function<? super Map.Entry<Long, Long>, ? extends T> part, int distinct) {
    return new WalkSpliterator<>(
        access.walk(),
        walk -> part.apply(entry(/* (int) */ walk.key(), /* (int) */ walk.value())),
        distinct);
  }
}

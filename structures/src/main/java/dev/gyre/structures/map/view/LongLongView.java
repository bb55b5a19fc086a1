package dev.gyre.structures.map.view;

import dev.gyre.kernels.map.Change;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.access.LongWalk;
import dev.gyre.structures.map.store.LongStore;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A map from long to long as one of the Java library. */
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
  Iterator<Map.Entry<Long, Long>> walk() {
    return new Walk(access.walk());
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

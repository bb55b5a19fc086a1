package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Fold;
import dev.gyre.structures.TargetUnderTest;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Single-key operations of a map under test, of either type. */
record SingleSubject(@Nullable LongLongMap longs, @Nullable IntIntMap ints)
    implements AutoCloseable {

  /** Every type and layout. */
  static List<MapSubject.Kind> kinds() {
    return MapSubject.Kind.layouts();
  }

  static SingleSubject of(MapSubject.Kind kind, long capacity, boolean fixed) {
    return kind.longs()
        ? new SingleSubject(set(LongLongMap.builder(), kind, capacity, fixed).build(), null)
        : new SingleSubject(null, set(IntIntMap.builder(), kind, capacity, fixed).build());
  }

  private static <M> MapBuilder<M> set(
      MapBuilder<M> builder, MapSubject.Kind kind, long capacity, boolean fixed) {
    Launcher device = TargetUnderTest.device();
    builder.layout(kind.layout()).workers(2).seed(42).waiting(kind.waiting());
    if (device != null) {
      builder.launcher(device);
    }
    return fixed ? builder.fixedCapacity(capacity) : builder.capacity(capacity);
  }

  /** The same map for bulk operations. */
  MapSubject bulk() {
    return longs != null ? new MapSubject.OfLongs(longs) : new MapSubject.OfInts(ints());
  }

  private static OptionalLong widened(java.util.OptionalInt found) {
    return found.isPresent() ? OptionalLong.of(found.getAsInt()) : OptionalLong.empty();
  }

  OptionalLong get(long key) {
    return longs != null ? longs.get(key) : widened(ints().get((int) key));
  }

  OptionalLong putIfAbsent(long key, long value) {
    return longs != null
        ? longs.putIfAbsent(key, value)
        : widened(ints().putIfAbsent((int) key, (int) value));
  }

  OptionalLong put(long key, long value) {
    return longs != null ? longs.put(key, value) : widened(ints().put((int) key, (int) value));
  }

  OptionalLong replace(long key, long value) {
    return longs != null
        ? longs.replace(key, value)
        : widened(ints().replace((int) key, (int) value));
  }

  boolean replace(long key, long oldValue, long newValue) {
    return longs != null
        ? longs.replace(key, oldValue, newValue)
        : ints().replace((int) key, (int) oldValue, (int) newValue);
  }

  long merge(long key, long value, Apply apply) {
    return longs != null
        ? longs.merge(key, value, apply)
        : ints().merge((int) key, (int) value, apply);
  }

  long merge(long key, long value, Fold fold) {
    return longs != null
        ? longs.merge(key, value, fold)
        : ints().merge((int) key, (int) value, fold);
  }

  long size() {
    return longs != null ? longs.size() : ints().size();
  }

  void clear() {
    if (longs != null) {
      longs.clear();
    } else {
      ints().clear();
    }
  }

  /** Rehashes, unless the map has grown since its capacity was asked for, which is as good. */
  void rehash() {
    try {
      if (longs != null) {
        longs.rehash(longs.capacity());
      } else {
        ints().rehash(ints().capacity());
      }
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("too small");
    }
  }

  void forEach(LongLongConsumer action) {
    if (longs != null) {
      longs.forEach(action);
    } else {
      ints().forEach(action::accept);
    }
  }

  /** A new entry by {@code compute} of the view, which is atomic. */
  void compute(long key, LongUnaryOperator function) {
    if (longs != null) {
      ConcurrentMap<Long, Long> map = longs.asMap();
      map.compute(key, (_, v) -> function.applyAsLong(v == null ? 0 : v));
    } else {
      ConcurrentMap<Integer, Integer> map = ints().asMap();
      map.compute((int) key, (_, v) -> (int) function.applyAsLong(v == null ? 0 : v));
    }
  }

  Map<?, ?> view() {
    return longs != null ? longs.asMap() : ints().asMap();
  }

  @Override
  public IntIntMap ints() {
    return java.util.Objects.requireNonNull(ints);
  }

  @Override
  public void close() {
    if (longs != null) {
      longs.close();
    } else {
      ints().close();
    }
  }
}

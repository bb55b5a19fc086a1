package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Iterators of the views of all maps end, and stay at their end. */
class ViewIteratorsTest {

  private static final int KEYS = 3_000;

  /** A view, and the map that is to be closed after it. */
  record View(String name, Map<?, ?> map, Runnable owner) implements AutoCloseable {
    @Override
    public void close() {
      owner.run();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static View longs(Layout layout, int keys) {
    LongLongMap map = LongLongMap.builder().layout(layout).capacity(1).workers(1).build();
    for (int i = 0; i < keys; i++) {
      var _ = map.putIfAbsent(i, i);
    }
    return new View("longs " + layout + " " + keys, map.asMap(), map::close);
  }

  private static View ints(Layout layout, int keys) {
    IntIntMap map = IntIntMap.builder().layout(layout).capacity(1).workers(1).build();
    for (int i = 0; i < keys; i++) {
      var _ = map.putIfAbsent(i, i);
    }
    return new View("ints " + layout + " " + keys, map.asMap(), map::close);
  }

  private static View texts(int keys) {
    TextLongMap map = TextLongMap.builder().capacity(1).workers(1).build();
    for (int i = 0; i < keys; i++) {
      var _ = map.putIfAbsent("key " + i, i);
    }
    return new View("texts " + keys, map.asMap(), map::close);
  }

  static Stream<View> views() {
    return Stream.of(0, 1, 10, KEYS)
        .flatMap(
            keys ->
                Stream.of(
                    longs(Layout.REFERENCE, keys),
                    longs(Layout.LINE, keys),
                    ints(Layout.REFERENCE, keys),
                    ints(Layout.PACKED, keys),
                    texts(keys)));
  }

  @ParameterizedTest
  @MethodSource("views")
  @SuppressWarnings("unchecked")
  void anEntryWritesThrough(View view) {
    try (view) {
      for (var entry : (Iterable<Map.Entry<Object, Object>>) (Iterable<?>) view.map.entrySet()) {
        Object old = entry.getValue();
        Object next =
            old instanceof Integer ? (Object) (-1 - (int) old) : (Object) (-1 - (long) old);
        assertThat(entry.setValue(next)).isEqualTo(old);
        assertThat(entry.getValue()).isEqualTo(next);
        assertThat(view.map.get(entry.getKey())).isEqualTo(next);
        assertThatThrownBy(() -> entry.setValue(null)).isInstanceOf(NullPointerException.class);
      }
      assertThat(view.map.values()).allMatch(value -> ((Number) value).longValue() < 0);
    }
  }

  @ParameterizedTest
  @MethodSource("views")
  void anIteratorStaysAtItsEnd(View view) {
    try (view) {
      for (Collection<?> all : List.of(view.map.entrySet(), view.map.keySet(), view.map.values())) {
        Iterator<?> asked = all.iterator();
        List<Object> seen = new ArrayList<>();
        while (asked.hasNext()) {
          seen.add(asked.next());
        }
        assertThat(seen).hasSize(view.map.size()).doesNotHaveDuplicates();
        assertEnded(asked);
        Iterator<?> unasked = all.iterator();
        for (int i = 0; i < seen.size(); i++) {
          assertThat(unasked.next()).isEqualTo(seen.get(i));
        }
        assertEnded(unasked);
        Iterator<?> streamed = all.stream().iterator();
        streamed.forEachRemaining(element -> assertThat(element).isNotNull());
        assertEnded(streamed);
      }
    }
  }

  private static void assertEnded(Iterator<?> iterator) {
    for (int i = 0; i < 3; i++) {
      assertThat(iterator.hasNext()).isFalse();
      assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    }
  }
}

package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.structures.Others;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
                    ints(Layout.LINE, keys),
                    ints(Layout.PACKED, keys),
                    texts(keys)));
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

  /** The home of all keys is the last slot, so that they go around the end of the table. */
  record AtTheEnd() implements Hash, TextHash {
    @Override
    public long hash(long key, long seed) {
      return -1;
    }

    @Override
    public long hash(Text text, long seed) {
      return -1;
    }
  }

  @Test
  @Timeout(120)
  void aNumberThatIsInsertedMeanwhileComesOnceAtMost() {
    for (int round = 0; round < 20; round++) {
      try (LongLongMap map =
          LongLongMap.builder().hash(new AtTheEnd()).capacity(8_192).loadFactor(1).build()) {
        requireOnceAtMost(
            key -> map.putIfAbsent(key, key),
            seen -> map.asMap().keySet().forEach(key -> seen.accept(key.intValue())));
      }
    }
  }

  @Test
  @Timeout(120)
  void aTextThatIsInsertedMeanwhileComesOnceAtMost() {
    for (int round = 0; round < 5; round++) {
      try (TextLongMap map =
          TextLongMap.builder().textHash(new AtTheEnd()).capacity(8_192).loadFactor(1).build()) {
        requireOnceAtMost(
            key -> map.putIfAbsent(Integer.toString(key), key),
            seen -> map.forEach((key, _) -> seen.accept(Integer.parseInt(key))));
      }
    }
  }

  private static void requireOnceAtMost(IntConsumer insert, Consumer<IntConsumer> walk) {
    int before = 1_100;
    int all = 1_900;
    IntStream.range(0, before).forEach(insert);
    CompletableFuture<Void> inserter =
        Others.start(() -> IntStream.range(before, all).forEach(insert));
    while (!inserter.isDone()) {
      int[] times = new int[all];
      walk.accept(key -> times[key]++);
      assertThat(Arrays.stream(times).limit(before)).containsOnly(1);
      assertThat(Arrays.stream(times).skip(before)).allMatch(seen -> seen <= 1);
    }
    inserter.join();
  }

  private static void assertEnded(Iterator<?> iterator) {
    for (int i = 0; i < 3; i++) {
      assertThat(iterator.hasNext()).isFalse();
      assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    }
  }
}

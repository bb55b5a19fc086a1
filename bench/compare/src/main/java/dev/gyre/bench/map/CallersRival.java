package dev.gyre.bench.map;

import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.TextLongMap;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/** What many threads share in {@link ManyCallersBenchmark}. Keys are numbers from 0 on. */
public enum CallersRival {
  GYRE_INTS,
  GYRE_LONGS,
  GYRE_SET,
  GYRE_TEXTS,
  CONCURRENT_HASH_MAP,
  /** Counts texts, each by a LongAdder. */
  CONCURRENT_HASH_MAP_TEXTS;

  /**
   * A map or set.
   *
   * @param put inserts or counts one key
   * @param insert does the same to several keys
   */
  record Shared(IntConsumer put, Consumer<int[]> insert, LongSupplier sizes, Runnable end) {
    void insert(int first, int count) {
      insert.accept(IntStream.range(first, first + count).toArray());
    }

    long size() {
      return sizes.getAsLong();
    }

    void close() {
      end.run();
    }
  }

  /**
   * Makes one.
   *
   * @param capacity keys that it has capacity for
   */
  Shared make(int capacity) {
    return switch (this) {
      case GYRE_INTS -> {
        IntIntMap map = IntIntMap.builder().capacity(capacity).build();
        yield new Shared(
            key -> map.put(key, key), keys -> map.insert(keys, keys), map::size, map::close);
      }
      case GYRE_LONGS -> {
        LongLongMap map = LongLongMap.builder().capacity(capacity).build();
        yield new Shared(
            key -> map.put(key, key),
            keys -> map.insert(longs(keys), longs(keys)),
            map::size,
            map::close);
      }
      case GYRE_SET -> {
        LongSet set = LongSet.builder().capacity(capacity).build();
        yield new Shared(set::add, keys -> set.addAll(longs(keys)), set::size, set::close);
      }
      case GYRE_TEXTS -> {
        TextLongMap map = TextLongMap.builder().capacity(capacity).build();
        yield new Shared(
            key -> map.put(text(key), key),
            keys ->
                map.insert(IntStream.of(keys).mapToObj(CallersRival::text).toList(), longs(keys)),
            map::size,
            map::close);
      }
      case CONCURRENT_HASH_MAP -> {
        ConcurrentHashMap<Long, Long> map = new ConcurrentHashMap<>(capacity);
        yield single(key -> map.put((long) key, (long) key), map::mappingCount);
      }
      case CONCURRENT_HASH_MAP_TEXTS -> {
        ConcurrentHashMap<String, LongAdder> map = new ConcurrentHashMap<>(capacity);
        yield single(
            key -> map.computeIfAbsent(text(key), _ -> new LongAdder()).increment(),
            map::mappingCount);
      }
    };
  }

  private static Shared single(IntConsumer put, LongSupplier size) {
    return new Shared(put, keys -> IntStream.of(keys).forEach(put), size, () -> {});
  }

  private static String text(int key) {
    return "word" + key;
  }

  private static long[] longs(int[] keys) {
    return Arrays.stream(keys).asLongStream().toArray();
  }
}

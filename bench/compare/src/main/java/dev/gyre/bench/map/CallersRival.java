package dev.gyre.bench.map;

import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.TextLongMap;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
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

  /** One of them. */
  public interface Shared extends AutoCloseable {
    /** Inserts or counts one key. */
    void put(int key);

    /** The same of all keys from one on. */
    void insert(int first, int count);

    long size();

    @Override
    default void close() {}
  }

  /**
   * Makes one.
   *
   * @param capacity keys that there is room for
   */
  public Shared make(int capacity) {
    return switch (this) {
      case GYRE_INTS -> new Ints(IntIntMap.builder().capacity(capacity).build());
      case GYRE_LONGS -> new Longs(LongLongMap.builder().capacity(capacity).build());
      case GYRE_SET -> new Keys(LongSet.builder().capacity(capacity).build());
      case GYRE_TEXTS -> new Texts(TextLongMap.builder().capacity(capacity).build());
      case CONCURRENT_HASH_MAP -> new Boxes(new ConcurrentHashMap<>(capacity));
      case CONCURRENT_HASH_MAP_TEXTS -> new Adders(new ConcurrentHashMap<>(capacity));
    };
  }

  private static String text(int key) {
    return "word" + key;
  }

  private static long[] longs(int first, int count) {
    return IntStream.range(first, first + count).asLongStream().toArray();
  }

  private record Ints(IntIntMap map) implements Shared {
    @Override
    public void put(int key) {
      var _ = map.put(key, key);
    }

    @Override
    public void insert(int first, int count) {
      int[] keys = IntStream.range(first, first + count).toArray();
      var _ = map.insert(keys, keys);
    }

    @Override
    public long size() {
      return map.size();
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private record Longs(LongLongMap map) implements Shared {
    @Override
    public void put(int key) {
      var _ = map.put(key, key);
    }

    @Override
    public void insert(int first, int count) {
      long[] keys = longs(first, count);
      var _ = map.insert(keys, keys);
    }

    @Override
    public long size() {
      return map.size();
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private record Keys(LongSet set) implements Shared {
    @Override
    public void put(int key) {
      boolean _ = set.add(key);
    }

    @Override
    public void insert(int first, int count) {
      var _ = set.addAll(longs(first, count));
    }

    @Override
    public long size() {
      return set.size();
    }

    @Override
    public void close() {
      set.close();
    }
  }

  private record Texts(TextLongMap map) implements Shared {
    @Override
    public void put(int key) {
      var _ = map.put(text(key), key);
    }

    @Override
    public void insert(int first, int count) {
      List<String> keys =
          IntStream.range(first, first + count).mapToObj(CallersRival::text).toList();
      long[] ones = new long[count];
      Arrays.fill(ones, 1);
      var _ = map.insert(keys, ones);
    }

    @Override
    public long size() {
      return map.size();
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private record Boxes(ConcurrentHashMap<Long, Long> map) implements Shared {
    @Override
    public void put(int key) {
      var _ = map.put((long) key, (long) key);
    }

    @Override
    public void insert(int first, int count) {
      for (int key = first; key < first + count; key++) {
        put(key);
      }
    }

    @Override
    public long size() {
      return map.mappingCount();
    }
  }

  private record Adders(ConcurrentHashMap<String, LongAdder> map) implements Shared {
    @Override
    public void put(int key) {
      map.computeIfAbsent(text(key), _ -> new LongAdder()).increment();
    }

    @Override
    public void insert(int first, int count) {
      for (int key = first; key < first + count; key++) {
        put(key);
      }
    }

    @Override
    public long size() {
      return map.mappingCount();
    }
  }
}

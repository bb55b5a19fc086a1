package dev.gyre.structures.map;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ObjLongConsumer;

/** A small map of each kind that files can hold, always the same, and what files are loaded as. */
enum SavedMaps {
  INTS_REFERENCE(Layout.REFERENCE),
  INTS_PACKED(Layout.PACKED),
  LONGS_REFERENCE(Layout.REFERENCE),
  LONGS_LINE(Layout.LINE),
  TEXTS(Layout.LINE);

  static final int[] INTS = {0, 1, -1, 5, Integer.MIN_VALUE, Integer.MIN_VALUE + 1};
  static final long[] LONGS = {0, 1, -1, 5, Long.MIN_VALUE, 1L << 40};
  static final String[] WORDS = {"", "a", "eight by", "nine byte", "a key of more words", "ü"};

  private static final int CAPACITY = 6;
  private static final long SEED = 42;

  private final Layout layout;

  SavedMaps(Layout layout) {
    this.layout = layout;
  }

  Layout layout() {
    return layout;
  }

  /** A map of any kind. */
  interface Loaded extends AutoCloseable {
    HashTable<?, ?, ?> map();

    void forEach(ObjLongConsumer<Object> action);

    /** The value of a key; fails where it is absent. */
    long get(Object key);

    /** How many of these keys a bulk operation finds. */
    long findAll(List<Object> keys);

    /** Inserts keys by a bulk operation; returns how many were absent. */
    long insertAll(List<Object> keys);

    long size();

    /** Inserts keys enough for the map to grow, in bulk and one by one. */
    void insertMore();

    @Override
    void close();
  }

  private <M> MapBuilder<M> settings(MapBuilder<M> builder) {
    return builder.layout(layout).workers(1).capacity(CAPACITY).textBytes(64).tableSeed(SEED);
  }

  /** The value of a key, by its number. */
  static int value(int number) {
    return 100 - 70 * number;
  }

  /** Saves the map. */
  void save(Path file) {
    switch (this) {
      case TEXTS -> {
        try (TextLongMap map = settings(TextLongMap.builder()).build()) {
          for (int i = 0; i < WORDS.length; i++) {
            var _ = map.putIfAbsent(WORDS[i], value(i));
          }
          map.save(file);
        }
      }
      case LONGS_LINE, LONGS_REFERENCE -> {
        try (LongLongMap map = settings(LongLongMap.builder()).build()) {
          for (int i = 0; i < LONGS.length; i++) {
            var _ = map.putIfAbsent(LONGS[i], value(i));
          }
          map.save(file);
        }
      }
      case INTS_REFERENCE, INTS_PACKED -> {
        try (IntIntMap map = settings(IntIntMap.builder()).build()) {
          for (int i = 0; i < INTS.length; i++) {
            var _ = map.putIfAbsent(INTS[i], value(i));
          }
          map.save(file);
        }
      }
    }
  }

  /** What a file holds. */
  Loaded load(Path file) {
    return switch (this) {
      case TEXTS -> new OfTexts(TextLongMap.builder().workers(1).load(file));
      case LONGS_LINE, LONGS_REFERENCE -> new OfLongs(LongLongMap.builder().workers(1).load(file));
      case INTS_REFERENCE, INTS_PACKED -> new OfInts(IntIntMap.builder().workers(1).load(file));
    };
  }

  private static final int MORE = 40;

  private record OfTexts(TextLongMap map) implements Loaded {
    @Override
    public void forEach(ObjLongConsumer<Object> action) {
      map.forEachBytes(
          (key, value) -> action.accept(new String(key, StandardCharsets.ISO_8859_1), value));
    }

    @Override
    public long get(Object key) {
      return map.get(bytes(key)).orElseThrow();
    }

    private static byte[] bytes(Object key) {
      return ((String) key).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static TextKeys batch(List<Object> keys) {
      return TextKeys.of(keys.stream().map(OfTexts::bytes).toArray(byte[][]::new));
    }

    @Override
    public long findAll(List<Object> keys) {
      try (TextKeys batch = batch(keys)) {
        return map.contains(batch, BulkOptions.NONE).found();
      }
    }

    @Override
    public long insertAll(List<Object> keys) {
      try (TextKeys batch = batch(keys)) {
        return map.insert(batch, Longs.of(new long[keys.size()]), BulkOptions.NONE).inserted();
      }
    }

    @Override
    public long size() {
      return map.size();
    }

    @Override
    public void insertMore() {
      for (int i = 0; i < MORE; i++) {
        var _ = map.putIfAbsent("another key " + i, i);
      }
      var _ = map.insert(List.of("one more key", "one"), new long[2]);
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private record OfLongs(LongLongMap map) implements Loaded {
    @Override
    public void forEach(ObjLongConsumer<Object> action) {
      map.forEach(action::accept);
    }

    @Override
    public long get(Object key) {
      return map.get((Long) key).orElseThrow();
    }

    private static long[] batch(List<Object> keys) {
      return keys.stream().mapToLong(key -> (Long) key).toArray();
    }

    @Override
    public long findAll(List<Object> keys) {
      return map.contains(batch(keys)).found();
    }

    @Override
    public long insertAll(List<Object> keys) {
      return map.insert(batch(keys), new long[keys.size()]).inserted();
    }

    @Override
    public long size() {
      return map.size();
    }

    @Override
    public void insertMore() {
      var _ = map.insert(new long[] {1L << 50, 1L << 51}, new long[2]);
      for (int i = 0; i < MORE; i++) {
        var _ = map.putIfAbsent(1000 + i, i);
      }
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private record OfInts(IntIntMap map) implements Loaded {
    @Override
    public void forEach(ObjLongConsumer<Object> action) {
      map.forEach(action::accept);
    }

    @Override
    public long get(Object key) {
      return map.get((Integer) key).orElseThrow();
    }

    private static int[] batch(List<Object> keys) {
      return keys.stream().mapToInt(key -> (Integer) key).toArray();
    }

    @Override
    public long findAll(List<Object> keys) {
      return map.contains(batch(keys)).found();
    }

    @Override
    public long insertAll(List<Object> keys) {
      return map.insert(batch(keys), new int[keys.size()]).inserted();
    }

    @Override
    public long size() {
      return map.size();
    }

    @Override
    public void insertMore() {
      var _ = map.insert(new int[] {1 << 20, 1 << 21}, new int[2]);
      for (int i = 0; i < MORE; i++) {
        var _ = map.putIfAbsent(1000 + i, i);
      }
    }

    @Override
    public void close() {
      map.close();
    }
  }
}

package dev.gyre.structures.map;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The calls of a map that {@link MapAdapter} lacks, whatever its keys: keys and values are longs
 * here, and fit in ints.
 */
interface ComputingMap extends AutoCloseable {

  HashTable<?, ?, ?> table();

  OptionalLong get(long key);

  long getOrDefault(long key, long otherwise);

  OptionalLong put(long key, long value);

  OptionalLong putIfAbsent(long key, long value);

  OptionalLong replace(long key, long value);

  boolean replace(long key, long oldValue, long newValue);

  OptionalLong compute(long key, UnaryOperator<OptionalLong> function);

  long computeIfAbsent(long key, LongUnaryOperator function);

  OptionalLong computeIfPresent(long key, LongUnaryOperator function);

  long increment(long key);

  void putAll(Map<Long, Long> entries);

  LongStream keys();

  LongStream values();

  Map<Long, Long> entries();

  Map<?, ?> view();

  /** Inserts keys, each as its own value. */
  InsertCounts insert(long[] keys, BulkOptions options);

  @Override
  default void close() {
    table().close();
  }

  /** All kinds of maps. */
  enum Kind {
    LONGS_BY_REFERENCE {
      @Override
      ComputingMap open(Consumer<MapBuilder<?>> settings) {
        return new OfLongs(built(LongLongMap.builder().layout(Layout.REFERENCE), settings));
      }
    },
    LONGS_IN_LINES {
      @Override
      ComputingMap open(Consumer<MapBuilder<?>> settings) {
        return new OfLongs(built(LongLongMap.builder().layout(Layout.LINE), settings));
      }
    },
    PACKED_INTS {
      @Override
      ComputingMap open(Consumer<MapBuilder<?>> settings) {
        return new OfInts(built(IntIntMap.builder().layout(Layout.PACKED), settings));
      }
    },
    INTS_BY_REFERENCE {
      @Override
      ComputingMap open(Consumer<MapBuilder<?>> settings) {
        return new OfInts(built(IntIntMap.builder().layout(Layout.REFERENCE), settings));
      }
    },
    STRINGS {
      @Override
      ComputingMap open(Consumer<MapBuilder<?>> settings) {
        return new OfStrings(built(TextLongMap.builder(), settings));
      }
    },
    BYTES {
      @Override
      ComputingMap open(Consumer<MapBuilder<?>> settings) {
        return new OfBytes(built(TextLongMap.builder(), settings));
      }
    },
    PACKED_RECORDS {
      @Override
      ComputingMap open(Consumer<MapBuilder<?>> settings) {
        return new OfPackedRecords(
            built(RecordMap.builder(RecordSchema.of(Packed.class, One.class)), settings));
      }
    },
    RECORDS_OF_ONE_COLUMN {
      @Override
      ComputingMap open(Consumer<MapBuilder<?>> settings) {
        return new OfRecords(
            built(RecordMap.builder(RecordSchema.of(Wide.class, One.class)), settings));
      }
    },
    RECORDS_OF_TWO_COLUMNS {
      @Override
      ComputingMap open(Consumer<MapBuilder<?>> settings) {
        return new OfWideRecords(
            built(RecordMap.builder(RecordSchema.of(Wide.class, Two.class)), settings));
      }
    };

    abstract ComputingMap open(Consumer<MapBuilder<?>> settings);

    /** Returns a small map, which grows. */
    final ComputingMap open() {
      return open(builder -> builder.capacity(1));
    }

    private static <M> M built(MapBuilder<M> builder, Consumer<MapBuilder<?>> settings) {
      settings.accept(builder);
      return builder.build();
    }
  }

  record OfLongs(LongLongMap table) implements ComputingMap {
    @Override
    public OptionalLong get(long key) {
      return table.get(key);
    }

    @Override
    public long getOrDefault(long key, long otherwise) {
      return table.getOrDefault(key, otherwise);
    }

    @Override
    public OptionalLong put(long key, long value) {
      return table.put(key, value);
    }

    @Override
    public OptionalLong putIfAbsent(long key, long value) {
      return table.putIfAbsent(key, value);
    }

    @Override
    public OptionalLong replace(long key, long value) {
      return table.replace(key, value);
    }

    @Override
    public boolean replace(long key, long oldValue, long newValue) {
      return table.replace(key, oldValue, newValue);
    }

    @Override
    public OptionalLong compute(long key, UnaryOperator<OptionalLong> function) {
      return table.compute(key, function);
    }

    @Override
    public long computeIfAbsent(long key, LongUnaryOperator function) {
      return table.computeIfAbsent(key, function);
    }

    @Override
    public OptionalLong computeIfPresent(long key, LongUnaryOperator function) {
      return table.computeIfPresent(key, function);
    }

    @Override
    public long increment(long key) {
      return table.increment(key);
    }

    @Override
    public void putAll(Map<Long, Long> entries) {
      table.putAll(entries);
    }

    @Override
    public LongStream keys() {
      return table.keys();
    }

    @Override
    public LongStream values() {
      return table.values();
    }

    @Override
    public Map<Long, Long> entries() {
      return table.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public Map<?, ?> view() {
      return table.asMap();
    }

    @Override
    public InsertCounts insert(long[] keys, BulkOptions options) {
      return table.insert(Longs.of(keys), Longs.of(keys), options);
    }
  }

  record OfInts(IntIntMap table) implements ComputingMap {
    private static OptionalLong wide(OptionalInt value) {
      return value.isPresent() ? OptionalLong.of(value.getAsInt()) : OptionalLong.empty();
    }

    private static OptionalInt narrow(OptionalLong value) {
      return value.isPresent()
          ? OptionalInt.of(Math.toIntExact(value.getAsLong()))
          : OptionalInt.empty();
    }

    @Override
    public OptionalLong get(long key) {
      return wide(table.get((int) key));
    }

    @Override
    public long getOrDefault(long key, long otherwise) {
      return table.getOrDefault((int) key, (int) otherwise);
    }

    @Override
    public OptionalLong put(long key, long value) {
      return wide(table.put((int) key, (int) value));
    }

    @Override
    public OptionalLong putIfAbsent(long key, long value) {
      return wide(table.putIfAbsent((int) key, (int) value));
    }

    @Override
    public OptionalLong replace(long key, long value) {
      return wide(table.replace((int) key, (int) value));
    }

    @Override
    public boolean replace(long key, long oldValue, long newValue) {
      return table.replace((int) key, (int) oldValue, (int) newValue);
    }

    @Override
    public OptionalLong compute(long key, UnaryOperator<OptionalLong> function) {
      return wide(table.compute((int) key, before -> narrow(function.apply(wide(before)))));
    }

    @Override
    public long computeIfAbsent(long key, LongUnaryOperator function) {
      return table.computeIfAbsent((int) key, k -> (int) function.applyAsLong(k));
    }

    @Override
    public OptionalLong computeIfPresent(long key, LongUnaryOperator function) {
      return wide(table.computeIfPresent((int) key, v -> (int) function.applyAsLong(v)));
    }

    @Override
    public long increment(long key) {
      return table.increment((int) key);
    }

    @Override
    public void putAll(Map<Long, Long> entries) {
      table.putAll(
          entries.entrySet().stream()
              .collect(Collectors.toMap(e -> e.getKey().intValue(), e -> e.getValue().intValue())));
    }

    @Override
    public LongStream keys() {
      return table.keys().asLongStream();
    }

    @Override
    public LongStream values() {
      return table.values().asLongStream();
    }

    @Override
    public Map<Long, Long> entries() {
      return table.stream()
          .collect(Collectors.toMap(e -> (long) e.getKey(), e -> (long) e.getValue()));
    }

    @Override
    public Map<?, ?> view() {
      return table.asMap();
    }

    @Override
    public InsertCounts insert(long[] keys, BulkOptions options) {
      int[] all = LongStream.of(keys).mapToInt(Math::toIntExact).toArray();
      return table.insert(Ints.of(all), Ints.of(all), options);
    }
  }

  /** Maps of texts; most keys are too long for a slot. */
  abstract class OfTexts implements ComputingMap {
    private static final String PREFIX = "the key ";

    final TextLongMap map;

    OfTexts(TextLongMap map) {
      this.map = map;
    }

    static String text(long key) {
      return PREFIX + key;
    }

    static long number(String text) {
      return Long.parseLong(text.substring(PREFIX.length()));
    }

    @Override
    public TextLongMap table() {
      return map;
    }

    @Override
    public void putAll(Map<Long, Long> entries) {
      map.putAll(
          entries.entrySet().stream()
              .collect(Collectors.toMap(e -> text(e.getKey()), Map.Entry::getValue)));
    }

    @Override
    public LongStream keys() {
      return map.keys().mapToLong(OfTexts::number);
    }

    @Override
    public LongStream values() {
      return map.values();
    }

    @Override
    public Map<Long, Long> entries() {
      return map.stream().collect(Collectors.toMap(e -> number(e.getKey()), Map.Entry::getValue));
    }

    @Override
    public Map<?, ?> view() {
      return map.asMap();
    }

    @Override
    public InsertCounts insert(long[] keys, BulkOptions options) {
      try (TextKeys all = TextKeys.of(LongStream.of(keys).mapToObj(OfTexts::text).toList())) {
        return map.insert(all, Longs.of(keys), options);
      }
    }
  }

  /** Keys as strings. */
  final class OfStrings extends OfTexts {
    OfStrings(TextLongMap map) {
      super(map);
    }

    @Override
    public OptionalLong get(long key) {
      return map.get(text(key));
    }

    @Override
    public long getOrDefault(long key, long otherwise) {
      return map.getOrDefault(text(key), otherwise);
    }

    @Override
    public OptionalLong put(long key, long value) {
      return map.put(text(key), value);
    }

    @Override
    public OptionalLong putIfAbsent(long key, long value) {
      return map.putIfAbsent(text(key), value);
    }

    @Override
    public OptionalLong replace(long key, long value) {
      return map.replace(text(key), value);
    }

    @Override
    public boolean replace(long key, long oldValue, long newValue) {
      return map.replace(text(key), oldValue, newValue);
    }

    @Override
    public OptionalLong compute(long key, UnaryOperator<OptionalLong> function) {
      return map.compute(text(key), function);
    }

    @Override
    public long computeIfAbsent(long key, LongUnaryOperator function) {
      return map.computeIfAbsent(text(key), k -> function.applyAsLong(number(k)));
    }

    @Override
    public OptionalLong computeIfPresent(long key, LongUnaryOperator function) {
      return map.computeIfPresent(text(key), function);
    }

    @Override
    public long increment(long key) {
      return map.increment(text(key));
    }
  }

  /** Keys as bytes. */
  final class OfBytes extends OfTexts {
    OfBytes(TextLongMap map) {
      super(map);
    }

    private static byte[] bytes(long key) {
      return text(key).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public OptionalLong get(long key) {
      return map.get(bytes(key));
    }

    @Override
    public long getOrDefault(long key, long otherwise) {
      return map.getOrDefault(bytes(key), otherwise);
    }

    @Override
    public OptionalLong put(long key, long value) {
      return map.put(bytes(key), value);
    }

    @Override
    public OptionalLong putIfAbsent(long key, long value) {
      return map.putIfAbsent(bytes(key), value);
    }

    @Override
    public OptionalLong replace(long key, long value) {
      return map.replace(bytes(key), value);
    }

    @Override
    public boolean replace(long key, long oldValue, long newValue) {
      return map.replace(bytes(key), oldValue, newValue);
    }

    @Override
    public OptionalLong compute(long key, UnaryOperator<OptionalLong> function) {
      return map.compute(bytes(key), function);
    }

    @Override
    public long computeIfAbsent(long key, LongUnaryOperator function) {
      return map.computeIfAbsent(bytes(key), _ -> function.applyAsLong(key));
    }

    @Override
    public OptionalLong computeIfPresent(long key, LongUnaryOperator function) {
      return map.computeIfPresent(bytes(key), function);
    }

    @Override
    public long increment(long key) {
      return map.increment(bytes(key));
    }
  }

  record Packed(int first, int second) {}

  record Wide(long first, int second, int third) {}

  record One(long value) {}

  record Two(double mean, long value) {}

  /** Maps of records. */
  abstract class OfAnyRecords<K extends Record, V extends Record> implements ComputingMap {
    private final RecordMap<K, V> map;

    OfAnyRecords(RecordMap<K, V> map) {
      this.map = map;
    }

    abstract K key(long number);

    abstract V value(long number);

    abstract long keyOf(K key);

    abstract long valueOf(V value);

    abstract Columns keyColumns(long[] keys);

    abstract Columns valueColumns(long[] keys);

    private OptionalLong number(Optional<V> value) {
      return value.isPresent() ? OptionalLong.of(valueOf(value.get())) : OptionalLong.empty();
    }

    private Optional<V> record(OptionalLong value) {
      return value.isPresent() ? Optional.of(value(value.getAsLong())) : Optional.empty();
    }

    @Override
    public RecordMap<K, V> table() {
      return map;
    }

    @Override
    public OptionalLong get(long key) {
      return number(map.get(key(key)));
    }

    @Override
    public long getOrDefault(long key, long otherwise) {
      return valueOf(map.getOrDefault(key(key), value(otherwise)));
    }

    @Override
    public OptionalLong put(long key, long value) {
      return number(map.put(key(key), value(value)));
    }

    @Override
    public OptionalLong putIfAbsent(long key, long value) {
      return number(map.putIfAbsent(key(key), value(value)));
    }

    @Override
    public OptionalLong replace(long key, long value) {
      return number(map.replace(key(key), value(value)));
    }

    @Override
    public boolean replace(long key, long oldValue, long newValue) {
      return map.replace(key(key), value(oldValue), value(newValue));
    }

    @Override
    public OptionalLong compute(long key, UnaryOperator<OptionalLong> function) {
      return number(map.compute(key(key), before -> record(function.apply(number(before)))));
    }

    @Override
    public long computeIfAbsent(long key, LongUnaryOperator function) {
      return valueOf(map.computeIfAbsent(key(key), k -> value(function.applyAsLong(keyOf(k)))));
    }

    @Override
    public OptionalLong computeIfPresent(long key, LongUnaryOperator function) {
      return number(map.computeIfPresent(key(key), v -> value(function.applyAsLong(valueOf(v)))));
    }

    /** Records have no number to add 1 to: a compute does the same. */
    @Override
    public long increment(long key) {
      return compute(key, before -> OptionalLong.of(before.orElse(0) + 1)).orElseThrow();
    }

    @Override
    public void putAll(Map<Long, Long> entries) {
      map.putAll(
          entries.entrySet().stream()
              .collect(Collectors.toMap(e -> key(e.getKey()), e -> value(e.getValue()))));
    }

    @Override
    public LongStream keys() {
      return map.keys().mapToLong(this::keyOf);
    }

    @Override
    public LongStream values() {
      return map.values().mapToLong(this::valueOf);
    }

    @Override
    public Map<Long, Long> entries() {
      return map.stream()
          .collect(Collectors.toMap(e -> keyOf(e.getKey()), e -> valueOf(e.getValue())));
    }

    @Override
    public Map<?, ?> view() {
      return map.asMap();
    }

    @Override
    public InsertCounts insert(long[] keys, BulkOptions options) {
      return map.insert(keyColumns(keys), valueColumns(keys), options);
    }
  }

  /** Stored as a map of longs. */
  final class OfPackedRecords extends OfAnyRecords<Packed, One> {
    OfPackedRecords(RecordMap<Packed, One> map) {
      super(map);
    }

    @Override
    Packed key(long number) {
      return new Packed((int) number, (int) -number);
    }

    @Override
    One value(long number) {
      return new One(number);
    }

    @Override
    long keyOf(Packed key) {
      return key.first;
    }

    @Override
    long valueOf(One value) {
      return value.value;
    }

    @Override
    Columns keyColumns(long[] keys) {
      return Columns.ints(
          LongStream.of(keys).mapToInt(Math::toIntExact).toArray(),
          LongStream.of(keys).mapToInt(k -> (int) -k).toArray());
    }

    @Override
    Columns valueColumns(long[] keys) {
      return Columns.longs(keys);
    }
  }

  /** Keys of three columns. */
  abstract class OfWide<V extends Record> extends OfAnyRecords<Wide, V> {
    OfWide(RecordMap<Wide, V> map) {
      super(map);
    }

    @Override
    Wide key(long number) {
      return new Wide(number, (int) number, 7);
    }

    @Override
    long keyOf(Wide key) {
      return key.first;
    }

    @Override
    Columns keyColumns(long[] keys) {
      return Columns.longs(keys)
          .and(
              Columns.ints(
                  LongStream.of(keys).mapToInt(Math::toIntExact).toArray(),
                  LongStream.of(keys).mapToInt(_ -> 7).toArray()));
    }
  }

  /** Values that change in one step. */
  final class OfRecords extends OfWide<One> {
    OfRecords(RecordMap<Wide, One> map) {
      super(map);
    }

    @Override
    One value(long number) {
      return new One(number);
    }

    @Override
    long valueOf(One value) {
      return value.value;
    }

    @Override
    Columns valueColumns(long[] keys) {
      return Columns.longs(keys);
    }
  }

  /** Values that are replaced exclusively. */
  final class OfWideRecords extends OfWide<Two> {
    OfWideRecords(RecordMap<Wide, Two> map) {
      super(map);
    }

    @Override
    Two value(long number) {
      return new Two(number / 2.0, number);
    }

    @Override
    long valueOf(Two value) {
      if (value.mean != value.value / 2.0) {
        throw new AssertionError("columns of two values: " + value);
      }
      return value.value;
    }

    @Override
    Columns valueColumns(long[] keys) {
      return Columns.doubles(LongStream.of(keys).mapToDouble(k -> k / 2.0).toArray())
          .and(Columns.longs(keys));
    }
  }
}

package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Keys that come in the order of another table: they must not crowd in the one they come to, not
 * even while it grows, and not even if both were built with one seed. No time is taken; the slots
 * that a search for an absent key passes are counted.
 */
@Tag("slow")
class OrderOfAnotherTableTest {

  private static final long SEED = 42;
  private static final int KEYS = 20_000;

  /** Capacity of tables that are of one size, and have room for some more keys. */
  private static final int SIZE = 16_384;

  /** After so many keys the table is looked at. */
  private static final int PIECE = 500;

  @TempDir private Path folder;

  /** A hash of a user's by which all tables have one order, if it is taken as it is. */
  record WithoutSeed() implements Hash, TextHash, RecordHash {

    private static final long FACTOR = 0x9e3779b97f4a7c15L;

    @Override
    public long hash(long key, long seed) {
      return key * FACTOR;
    }

    @Override
    public long hash(Text key, long seed) {
      return (key.word(0) ^ key.length()) * FACTOR;
    }

    @Override
    public long hash(KeyParts key, long seed) {
      return (key.first() ^ (key.second() << 32)) * FACTOR;
    }
  }

  record Single(long number) {}

  record Pair(int one, int two) {}

  record Row(long one, long two) {}

  record Value(long number) {}

  /** A structure of some kind; a key stands for a number. */
  abstract static class Filled implements AutoCloseable {
    final HashTable<?, ?, ?> table;

    Filled(HashTable<?, ?, ?> table) {
      this.table = table;
    }

    /** One by one. */
    abstract void put(long[] keys);

    abstract void insert(long[] keys);

    /** All keys, in the order of the table. */
    abstract long[] keys();

    @Override
    public void close() {
      table.close();
    }
  }

  private static final class OfLongs extends Filled {
    private final LongLongMap map;

    OfLongs(LongLongMap map) {
      super(map);
      this.map = map;
    }

    @Override
    void put(long[] keys) {
      for (long key : keys) {
        var _ = map.put(key, 1);
      }
    }

    @Override
    void insert(long[] keys) {
      var _ = map.insert(keys, keys);
    }

    @Override
    long[] keys() {
      long[] keys = new long[(int) map.size()];
      assertThat(map.retrieveAll(keys, new long[keys.length])).isEqualTo(keys.length);
      return keys;
    }
  }

  private static int[] ints(long[] keys) {
    return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
  }

  private static long[] longs(int[] keys) {
    return Arrays.stream(keys).asLongStream().toArray();
  }

  private static final class OfInts extends Filled {
    private final IntIntMap map;

    OfInts(IntIntMap map) {
      super(map);
      this.map = map;
    }

    @Override
    void put(long[] keys) {
      for (long key : keys) {
        var _ = map.put((int) key, 1);
      }
    }

    @Override
    void insert(long[] keys) {
      var _ = map.insert(ints(keys), ints(keys));
    }

    @Override
    long[] keys() {
      int[] keys = new int[(int) map.size()];
      assertThat(map.retrieveAll(keys, new int[keys.length])).isEqualTo(keys.length);
      return longs(keys);
    }
  }

  private static final class OfLongSet extends Filled {
    private final LongSet set;

    OfLongSet(LongSet set) {
      super(set);
      this.set = set;
    }

    @Override
    void put(long[] keys) {
      for (long key : keys) {
        var _ = set.add(key);
      }
    }

    @Override
    void insert(long[] keys) {
      var _ = set.addAll(keys);
    }

    @Override
    long[] keys() {
      long[] keys = new long[(int) set.size()];
      assertThat(set.retrieveAll(keys)).isEqualTo(keys.length);
      return keys;
    }
  }

  private static final class OfIntSet extends Filled {
    private final IntSet set;

    OfIntSet(IntSet set) {
      super(set);
      this.set = set;
    }

    @Override
    void put(long[] keys) {
      for (long key : keys) {
        var _ = set.add((int) key);
      }
    }

    @Override
    void insert(long[] keys) {
      var _ = set.addAll(ints(keys));
    }

    @Override
    long[] keys() {
      int[] keys = new int[(int) set.size()];
      assertThat(set.retrieveAll(keys)).isEqualTo(keys.length);
      return longs(keys);
    }
  }

  /** Of one word, or of several. */
  private static String text(long key) {
    String number = Long.toString(key, 36);
    return key % 3 == 0 ? number + " and what takes room in the arena" : number;
  }

  private static long number(String text) {
    int end = text.indexOf(' ');
    return Long.parseLong(end < 0 ? text : text.substring(0, end), 36);
  }

  private static List<String> texts(long[] keys) {
    return Arrays.stream(keys).mapToObj(OrderOfAnotherTableTest::text).toList();
  }

  private static long[] numbers(List<String> keys) {
    return keys.stream().mapToLong(OrderOfAnotherTableTest::number).toArray();
  }

  private static final class OfTexts extends Filled {
    private final TextLongMap map;

    OfTexts(TextLongMap map) {
      super(map);
      this.map = map;
    }

    @Override
    void put(long[] keys) {
      for (long key : keys) {
        var _ = map.put(text(key), 1);
      }
    }

    @Override
    void insert(long[] keys) {
      var _ = map.insert(texts(keys), keys);
    }

    @Override
    long[] keys() {
      List<String> keys = new ArrayList<>();
      map.forEach((key, _) -> keys.add(key));
      return numbers(keys);
    }
  }

  private static final class OfTextSet extends Filled {
    private final TextSet set;

    OfTextSet(TextSet set) {
      super(set);
      this.set = set;
    }

    @Override
    void put(long[] keys) {
      for (long key : keys) {
        var _ = set.add(text(key));
      }
    }

    @Override
    void insert(long[] keys) {
      var _ = set.addAll(texts(keys));
    }

    @Override
    long[] keys() {
      List<String> keys = new ArrayList<>();
      set.forEach(keys::add);
      return numbers(keys);
    }
  }

  private static final class OfRecords<K extends Record> extends Filled {
    private final RecordMap<K, Value> map;
    private final Function<Long, K> wrap;
    private final Function<K, Long> unwrap;
    private final Function<long[], Columns> columns;

    OfRecords(
        RecordMap<K, Value> map,
        Function<Long, K> wrap,
        Function<K, Long> unwrap,
        Function<long[], Columns> columns) {
      super(map);
      this.map = map;
      this.wrap = wrap;
      this.unwrap = unwrap;
      this.columns = columns;
    }

    @Override
    void put(long[] keys) {
      for (long key : keys) {
        var _ = map.put(wrap.apply(key), new Value(1));
      }
    }

    @Override
    void insert(long[] keys) {
      var _ = map.insert(columns.apply(keys), Columns.longs(keys));
    }

    @Override
    long[] keys() {
      List<Long> keys = new ArrayList<>();
      map.forEach((key, _) -> keys.add(unwrap.apply(key)));
      return keys.stream().mapToLong(key -> key).toArray();
    }
  }

  enum Kind {
    LONGS_REFERENCE {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return of(LongLongMap.builder().layout(Layout.REFERENCE), build);
      }
    },
    LONGS_LINE {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return of(LongLongMap.builder().layout(Layout.LINE), build);
      }
    },
    LONGS_OF_A_USERS_HASH {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return of(LongLongMap.builder().hash(new WithoutSeed()), build);
      }
    },
    INTS_REFERENCE {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return of(IntIntMap.builder().layout(Layout.REFERENCE), build);
      }
    },
    INTS_PACKED {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return of(IntIntMap.builder().layout(Layout.PACKED), build);
      }
    },
    INTS_OF_A_USERS_HASH {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return of(IntIntMap.builder().hash(new WithoutSeed()), build);
      }
    },
    LONG_SET {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return of(LongSet.builder(), build);
      }
    },
    INT_SET {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return of(IntSet.builder(), build);
      }
    },
    TEXTS {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return of(TextLongMap.builder(), build);
      }
    },
    TEXTS_OF_A_USERS_HASH {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return of(TextLongMap.builder().textHash(new WithoutSeed()), build);
      }
    },
    TEXT_SET {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return of(TextSet.builder(), build);
      }
    },
    RECORDS_IN_A_LONG {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return of(RecordMap.builder(RecordSchema.of(Single.class, Value.class)), build);
      }
    },
    RECORDS_IN_A_LONG_OF_A_USERS_HASH {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return of(
            RecordMap.builder(RecordSchema.of(Single.class, Value.class).hash(new WithoutSeed())),
            build);
      }
    },
    RECORDS_IN_ROWS {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return rows(RecordMap.builder(RecordSchema.of(Row.class, Value.class)), build);
      }
    },
    RECORDS_IN_ROWS_OF_A_USERS_HASH {
      @Override
      Filled filled(Function<MapBuilder<?>, AutoCloseable> build) {
        return rows(
            RecordMap.builder(RecordSchema.of(Row.class, Value.class).hash(new WithoutSeed())),
            build);
      }
    };

    /** A structure of what a builder of its kind is told, and then builds or loads. */
    abstract Filled filled(Function<MapBuilder<?>, AutoCloseable> build);

    @SuppressWarnings("unchecked") // Each is what its own schema says.
    private static Filled of(MapBuilder<?> builder, Function<MapBuilder<?>, AutoCloseable> build) {
      return switch (build.apply(builder)) {
        case LongLongMap map -> new OfLongs(map);
        case IntIntMap map -> new OfInts(map);
        case LongSet set -> new OfLongSet(set);
        case IntSet set -> new OfIntSet(set);
        case TextLongMap map -> new OfTexts(map);
        case TextSet set -> new OfTextSet(set);
        case RecordMap<?, ?> map ->
            new OfRecords<>(
                (RecordMap<Single, Value>) map,
                Single::new,
                Single::number,
                keys -> Columns.longs(keys));
        default -> throw new AssertionError("no structure");
      };
    }

    @SuppressWarnings("unchecked") // It is what its schema says.
    private static Filled rows(
        MapBuilder<?> builder, Function<MapBuilder<?>, AutoCloseable> build) {
      return new OfRecords<>(
          (RecordMap<Row, Value>) build.apply(builder),
          key -> new Row(key, key >> 7),
          Row::one,
          keys -> Columns.longs(keys, Arrays.stream(keys).map(key -> key >> 7).toArray()));
    }

    /** An empty one of the seed that all of them have. */
    Filled empty(double load) {
      return filled(
          builder ->
              (AutoCloseable) builder.seed(SEED).loadFactor(load).textBytes(1 << 18).build());
    }

    Filled loaded(Path file, double load) {
      return filled(builder -> (AutoCloseable) builder.loadFactor(load).load(file));
    }

    /** So many keys, no two of which are equal, and none of which is of another part. */
    long[] random(int part, int count) {
      return new SplittableRandom(5 + part)
          .ints()
          .mapToLong(i -> (i & ~7) | part)
          .distinct()
          .limit(count)
          .toArray();
    }
  }

  private static void copy(long[] keys, Filled to, boolean single, double load) {
    for (int at = 0; at < keys.length; at += PIECE) {
      long[] piece = Arrays.copyOfRange(keys, at, Math.min(keys.length, at + PIECE));
      if (single) {
        to.put(piece);
      } else {
        to.insert(piece);
      }
      assertThat(Probes.ofAbsent(to.table))
          .as("after %d keys", at + PIECE)
          .isLessThan(Probes.most(load));
    }
  }

  private static Set<Long> set(long[] keys) {
    Set<Long> set = new HashSet<>();
    Arrays.stream(keys).forEach(set::add);
    return set;
  }

  @ParameterizedTest
  @EnumSource
  void copiesAndCopiesOfThose(Kind kind) {
    for (double load : new double[] {0.5, 0.9}) {
      try (Filled first = kind.empty(load);
          Filled second = kind.empty(load);
          Filled third = kind.empty(load)) {
        long[] keys = kind.random(0, KEYS);
        first.insert(keys);
        copy(first.keys(), second, true, load);
        copy(second.keys(), third, false, load);
        assertThat(set(third.keys())).isEqualTo(set(keys));
      }
    }
  }

  /** To a table of the same size, which holds other keys already. */
  @ParameterizedTest
  @EnumSource
  void severalAreMerged(Kind kind) {
    double load = 0.9;
    try (Filled first = kind.empty(load);
        Filled second = kind.empty(load)) {
      first.insert(kind.random(1, 9_000));
      second.insert(kind.random(2, 15_000));
      first.table.rehash(SIZE);
      second.table.rehash(SIZE);
      copy(second.keys(), first, true, load);
      assertThat(first.table.size()).isEqualTo(24_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatWasLoadedIsCopied(Kind kind) {
    double load = 0.9;
    Path file = folder.resolve("half");
    Path whole = folder.resolve("whole");
    try (Filled saved = kind.empty(load)) {
      saved.insert(kind.random(0, 4_000));
      saved.table.rehash(SIZE);
      saved.table.save(file);
      saved.insert(kind.random(1, KEYS));
      saved.table.save(whole);
      try (Filled one = kind.loaded(file, load);
          Filled other = kind.loaded(file, load);
          Filled all = kind.loaded(whole, load);
          Filled empty = kind.empty(load)) {
        // Two loads of one file, to which other keys came since.
        one.insert(kind.random(2, 8_000));
        other.insert(kind.random(3, 8_000));
        copy(other.keys(), one, false, load);
        assertThat(one.table.size()).isEqualTo(20_000);
        // The saved one itself to a load of what it was, and a load to an empty one.
        copy(saved.keys(), other, true, load);
        copy(all.keys(), empty, true, load);
        assertThat(set(empty.keys())).isEqualTo(set(saved.keys()));
      }
    }
  }

  /** Lists of what a table had before it was cleared come back to it. */
  @ParameterizedTest
  @EnumSource
  void whatWasClearedComesBack(Kind kind) {
    double load = 0.9;
    try (Filled filled = kind.empty(load)) {
      filled.insert(kind.random(0, 12_000));
      long[] before = filled.keys();
      filled.table.clear();
      assertThat(filled.table.size()).isZero();
      filled.insert(kind.random(1, 9_000));
      copy(before, filled, true, load);
      assertThat(filled.table.size()).isEqualTo(21_000);
      filled.table.clear();
      filled.table.rehash(1);
      copy(before, filled, false, load);
      assertThat(set(filled.keys())).isEqualTo(set(before));
    }
  }

  @ParameterizedTest
  @CsvSource({"0.5", "0.9"})
  void tablesOfAllSizes(double load) {
    for (int count = 1_000; count < 300_000; count = count * 7 / 4) {
      try (Filled from = Kind.LONGS_REFERENCE.empty(load);
          Filled to = Kind.LONGS_REFERENCE.empty(load)) {
        from.insert(Kind.LONGS_REFERENCE.random(0, count));
        long[] keys = from.keys();
        for (int part = 0; part < 16; part++) {
          to.insert(
              Arrays.copyOfRange(
                  keys, (int) ((long) count * part / 16), (int) ((long) count * (part + 1) / 16)));
          assertThat(Probes.ofAbsent(to.table))
              .as("%d of %d", part, count)
              .isLessThan(Probes.most(load));
        }
      }
    }
  }

  /** What a map says does not depend on the seed, nor on the order of its entries. */
  @Test
  void equalSeedsGiveEqualResultsInAnyOrder() {
    long[] keys = Kind.LONGS_REFERENCE.random(0, KEYS);
    try (LongLongMap one = LongLongMap.builder().seed(SEED).build();
        LongLongMap other = LongLongMap.builder().seed(SEED).build()) {
      assertThat(one.insert(keys, keys)).isEqualTo(other.insert(keys, keys));
      assertThat(one.asMap()).isEqualTo(other.asMap());
      assertThat(one.capacity()).isEqualTo(other.capacity());
      assertThat(new OfLongs(one).keys()).isNotEqualTo(new OfLongs(other).keys());
    }
  }
}

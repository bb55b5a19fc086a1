package dev.gyre.structures.map.sharded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.Launcher;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.Ints;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.Outcome;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Any operations on sharded maps and sets, against those of the JDK, on the target under test. */
@ConformanceSuite
@Timeout(180)
class ShardedConformanceTest {

  private static final int STEPS = 12;
  private static final int KEYS = 5_000;

  private static final Launcher GROUP = TargetUnderTest.group();

  @AfterAll
  static void close() {
    GROUP.close();
  }

  /** A sharded map or set, whose keys and values are told as numbers; a set has the value 0. */
  interface Subject extends AutoCloseable {
    ShardedTable<?, ?, ?, ?> table();

    default boolean isSet() {
      return false;
    }

    /** Adds to values; returns how many keys were new. */
    long add(long[] keys, long[] values, BulkOptions options);

    /** Looks up; returns how many are there. */
    long find(long[] keys, long[] found, BulkOptions options);

    /** Adds to the value of one key; returns what it is now. */
    long addOne(long key, long value);

    Map<Long, Long> walked();

    Map<Long, Long> retrieved();

    /** Sends all to an ordinary map and back, cleared in between. */
    void there();

    @Override
    default void close() {
      table().close();
    }
  }

  @FunctionalInterface
  interface Maker {
    Subject make();
  }

  static Stream<Named<Maker>> kinds() {
    return Stream.of(
        Named.of("longs", OfLongs::new),
        Named.of("ints", OfInts::new),
        Named.of("texts", OfTexts::new),
        Named.of("records", OfRecords::new),
        Named.of("set of longs", OfLongSet::new),
        Named.of("set of ints", OfIntSet::new),
        Named.of("set of texts", OfTextSet::new));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void anySequenceOfOperationsIsThatOfAHashMap(Maker kind) {
    SplittableRandom random = new SplittableRandom(3);
    Map<Long, Long> model = new HashMap<>();
    try (Subject subject = kind.make()) {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(6)) {
          case 0 -> subject.there();
          case 1 -> subject.table().rehash(model.size() + random.nextLong(1_000));
          case 2 -> single(random, subject, model);
          default -> bulk(random, subject, model);
        }
        assertThat(subject.table().size()).as("step %d", step).isEqualTo(model.size());
        assertThat(subject.walked()).as("step %d", step).isEqualTo(model);
        assertThat(subject.retrieved()).as("step %d", step).isEqualTo(model);
      }
      subject.table().clear();
      assertThat(subject.walked()).isEmpty();
    }
  }

  private static void single(SplittableRandom random, Subject subject, Map<Long, Long> model) {
    for (int i = 0; i < 10; i++) {
      long key = random.nextLong(KEYS);
      long expected = model.merge(key, subject.isSet() ? 0L : 2L, Long::sum);
      assertThat(subject.addOne(key, 2)).isEqualTo(expected);
    }
  }

  private static void bulk(SplittableRandom random, Subject subject, Map<Long, Long> model) {
    long[] keys = random.longs(random.nextInt(1, 4 * KEYS), 0, KEYS).toArray();
    long[] values = LongStream.of(keys).map(key -> subject.isSet() ? 0 : 1 + key % 3).toArray();
    boolean[] mask = new boolean[keys.length];
    byte[] outcomes = new byte[keys.length];
    long before = model.size();
    for (int i = 0; i < keys.length; i++) {
      mask[i] = random.nextInt(5) > 0;
      if (mask[i]) {
        model.merge(keys[i], values[i], Long::sum);
      }
    }
    BulkOptions options = BulkOptions.NONE.where(mask).outcomes(outcomes);
    assertThat(subject.add(keys, values, options)).isEqualTo(model.size() - before);
    for (int i = 0; i < keys.length; i++) {
      assertThat(outcomes[i] == Outcome.SKIPPED.code()).isEqualTo(!mask[i]);
    }
    long[] found = new long[keys.length];
    Arrays.fill(found, -1);
    long[] expected = new long[keys.length];
    long there = 0;
    for (int i = 0; i < keys.length; i++) {
      boolean isThere = model.containsKey(keys[i]);
      there += mask[i] && isThere ? 1 : 0;
      expected[i] = mask[i] && !subject.isSet() ? model.getOrDefault(keys[i], 0L) : -1;
    }
    assertThat(subject.find(keys, found, options)).isEqualTo(there);
    assertThat(found).isEqualTo(expected);
  }

  private static final class OfLongs implements Subject {
    private final ShardedLongMap map =
        ShardedLongMap.of(GROUP, on -> LongLongMap.builder().launcher(on).build());

    @Override
    public ShardedLongMap table() {
      return map;
    }

    @Override
    public long add(long[] keys, long[] values, BulkOptions options) {
      return map.insertOrApply(Longs.of(keys), Longs.of(values), Apply.ADD, options).inserted();
    }

    @Override
    public long find(long[] keys, long[] found, BulkOptions options) {
      return map.find(Longs.of(keys), Longs.of(found), options).found();
    }

    @Override
    public long addOne(long key, long value) {
      return map.merge(key, value, Apply.ADD);
    }

    @Override
    public Map<Long, Long> walked() {
      Map<Long, Long> entries = new HashMap<>();
      map.forEach((key, value) -> assertThat(entries.put(key, value)).isNull());
      return entries;
    }

    @Override
    public Map<Long, Long> retrieved() {
      long[] keys = new long[(int) map.size()];
      long[] values = new long[keys.length];
      long count = map.retrieveAll(Longs.of(keys), Longs.of(values));
      Map<Long, Long> entries = new HashMap<>();
      for (int i = 0; i < count; i++) {
        assertThat(entries.put(keys[i], values[i])).isNull();
      }
      return entries;
    }

    @Override
    public void there() {
      try (LongLongMap one = LongLongMap.create()) {
        map.copyTo(one);
        map.clear();
        var _ = map.copyFrom(one);
      }
    }
  }

  private static int[] ints(long[] numbers) {
    return LongStream.of(numbers).mapToInt(n -> (int) n).toArray();
  }

  private static final class OfInts implements Subject {
    private final ShardedIntMap map =
        ShardedIntMap.of(GROUP, on -> IntIntMap.builder().launcher(on).build());

    @Override
    public ShardedIntMap table() {
      return map;
    }

    @Override
    public long add(long[] keys, long[] values, BulkOptions options) {
      return map.insertOrApply(Ints.of(ints(keys)), Ints.of(ints(values)), Apply.ADD, options)
          .inserted();
    }

    @Override
    public long find(long[] keys, long[] found, BulkOptions options) {
      int[] values = ints(found);
      long count = map.find(Ints.of(ints(keys)), Ints.of(values), options).found();
      Arrays.setAll(found, i -> values[i]);
      return count;
    }

    @Override
    public long addOne(long key, long value) {
      return map.merge((int) key, (int) value, Apply.ADD);
    }

    @Override
    public Map<Long, Long> walked() {
      Map<Long, Long> entries = new HashMap<>();
      map.forEach((key, value) -> assertThat(entries.put((long) key, (long) value)).isNull());
      return entries;
    }

    @Override
    public Map<Long, Long> retrieved() {
      int[] keys = new int[(int) map.size()];
      int[] values = new int[keys.length];
      long count = map.retrieveAll(Ints.of(keys), Ints.of(values));
      Map<Long, Long> entries = new HashMap<>();
      for (int i = 0; i < count; i++) {
        assertThat(entries.put((long) keys[i], (long) values[i])).isNull();
      }
      return entries;
    }

    @Override
    public void there() {
      try (IntIntMap one = IntIntMap.create()) {
        map.copyTo(one);
        map.clear();
        var _ = map.copyFrom(one);
      }
    }
  }

  private static String text(long key) {
    return (key % 2 == 0 ? "a rather long key " : "k") + key;
  }

  private static long number(String text) {
    return Long.parseLong(text.replaceAll("[^0-9]", ""));
  }

  private static TextKeys texts(long[] keys) {
    return TextKeys.of(LongStream.of(keys).mapToObj(ShardedConformanceTest::text).toList());
  }

  private static final class OfTexts implements Subject {
    private final ShardedTextMap map =
        ShardedTextMap.of(GROUP, on -> TextLongMap.builder().launcher(on).build());

    @Override
    public ShardedTextMap table() {
      return map;
    }

    @Override
    public long add(long[] keys, long[] values, BulkOptions options) {
      try (TextKeys all = texts(keys)) {
        return map.insertOrApply(all, Longs.of(values), Apply.ADD, options).inserted();
      }
    }

    @Override
    public long find(long[] keys, long[] found, BulkOptions options) {
      try (TextKeys all = texts(keys)) {
        return map.find(all, Longs.of(found), options).found();
      }
    }

    @Override
    public long addOne(long key, long value) {
      return map.merge(text(key), value, Apply.ADD);
    }

    @Override
    public Map<Long, Long> walked() {
      Map<Long, Long> entries = new HashMap<>();
      map.forEach((key, value) -> assertThat(entries.put(number(key), value)).isNull());
      return entries;
    }

    @Override
    public Map<Long, Long> retrieved() {
      long[] values = new long[(int) map.size()];
      Map<Long, Long> entries = new HashMap<>();
      try (TextKeys keys = new TextKeys()) {
        long count = map.retrieveAll(keys, Longs.of(values));
        for (int i = 0; i < count; i++) {
          assertThat(entries.put(number(keys.text(i)), values[i])).isNull();
        }
      }
      return entries;
    }

    @Override
    public void there() {
      try (TextLongMap one = TextLongMap.create()) {
        map.copyTo(one);
        map.clear();
        var _ = map.copyFrom(one);
      }
    }
  }

  record Id(long first, int second) {}

  record Sum(long sum, double half) {}

  private static final class OfRecords implements Subject {
    private static final RecordSchema<Id, Sum> SCHEMA = RecordSchema.of(Id.class, Sum.class);
    private static final Changes ADD = Changes.of("sum", Apply.ADD);

    private final ShardedRecordMap<Id, Sum> map =
        ShardedRecordMap.of(GROUP, on -> RecordMap.builder(SCHEMA).launcher(on).build());

    @Override
    public ShardedRecordMap<Id, Sum> table() {
      return map;
    }

    private static Columns keys(long[] keys) {
      return Columns.longs(keys).and(Columns.ints(ints(keys)));
    }

    private static Columns values(long[] values) {
      return Columns.longs(values).and(Columns.doubles(new double[values.length]));
    }

    @Override
    public long add(long[] keys, long[] values, BulkOptions options) {
      return map.insertOrApply(keys(keys), values(values), ADD, options).inserted();
    }

    @Override
    public long find(long[] keys, long[] found, BulkOptions options) {
      return map.find(keys(keys), values(found), options).found();
    }

    @Override
    public long addOne(long key, long value) {
      return map.merge(new Id(key, (int) key), new Sum(value, 0), ADD).sum();
    }

    @Override
    public Map<Long, Long> walked() {
      Map<Long, Long> entries = new HashMap<>();
      map.forEach((key, value) -> assertThat(entries.put(key.first(), value.sum())).isNull());
      return entries;
    }

    @Override
    public Map<Long, Long> retrieved() {
      long[] firsts = new long[(int) map.size()];
      long[] sums = new long[firsts.length];
      Columns all = Columns.longs(firsts).and(Columns.ints(new int[firsts.length]));
      long count = map.retrieveAll(all, values(sums));
      Map<Long, Long> entries = new HashMap<>();
      for (int i = 0; i < count; i++) {
        assertThat(entries.put(firsts[i], sums[i])).isNull();
      }
      return entries;
    }

    @Override
    public void there() {
      try (RecordMap<Id, Sum> one = RecordMap.builder(SCHEMA).build()) {
        map.copyTo(one);
        map.clear();
        var _ = map.copyFrom(one);
      }
    }
  }

  /** What sets have in common. */
  private interface OfSet extends Subject {
    @Override
    default boolean isSet() {
      return true;
    }

    static Map<Long, Long> zeros(Iterable<Long> keys) {
      Map<Long, Long> entries = new HashMap<>();
      keys.forEach(key -> assertThat(entries.put(key, 0L)).isNull());
      return entries;
    }
  }

  private static final class OfLongSet implements OfSet {
    private final ShardedLongSet set =
        ShardedLongSet.of(GROUP, on -> LongSet.builder().launcher(on).build());

    @Override
    public ShardedLongSet table() {
      return set;
    }

    @Override
    public long add(long[] keys, long[] values, BulkOptions options) {
      return set.addAll(Longs.of(keys), options).inserted();
    }

    @Override
    public long find(long[] keys, long[] found, BulkOptions options) {
      return set.containsAll(Longs.of(keys), options).found();
    }

    @Override
    public long addOne(long key, long value) {
      boolean there = set.contains(key);
      assertThat(set.add(key)).isEqualTo(!there);
      return 0;
    }

    @Override
    public Map<Long, Long> walked() {
      Set<Long> keys = new HashSet<>();
      set.forEach(key -> assertThat(keys.add(key)).isTrue());
      return OfSet.zeros(keys);
    }

    @Override
    public Map<Long, Long> retrieved() {
      long[] keys = new long[(int) set.size()];
      return OfSet.zeros(
          LongStream.of(keys).limit(set.retrieveAll(Longs.of(keys))).boxed().toList());
    }

    @Override
    public void there() {
      try (LongSet one = LongSet.create()) {
        set.copyTo(one);
        set.clear();
        var _ = set.copyFrom(one);
      }
    }
  }

  private static final class OfIntSet implements OfSet {
    private final ShardedIntSet set =
        ShardedIntSet.of(GROUP, on -> IntSet.builder().launcher(on).build());

    @Override
    public ShardedIntSet table() {
      return set;
    }

    @Override
    public long add(long[] keys, long[] values, BulkOptions options) {
      return set.addAll(Ints.of(ints(keys)), options).inserted();
    }

    @Override
    public long find(long[] keys, long[] found, BulkOptions options) {
      return set.containsAll(Ints.of(ints(keys)), options).found();
    }

    @Override
    public long addOne(long key, long value) {
      boolean there = set.contains((int) key);
      assertThat(set.add((int) key)).isEqualTo(!there);
      return 0;
    }

    @Override
    public Map<Long, Long> walked() {
      Set<Long> keys = new HashSet<>();
      set.forEach(key -> assertThat(keys.add((long) key)).isTrue());
      return OfSet.zeros(keys);
    }

    @Override
    public Map<Long, Long> retrieved() {
      int[] keys = new int[(int) set.size()];
      long count = set.retrieveAll(Ints.of(keys));
      return OfSet.zeros(Arrays.stream(keys).limit(count).asLongStream().boxed().toList());
    }

    @Override
    public void there() {
      try (IntSet one = IntSet.create()) {
        set.copyTo(one);
        set.clear();
        var _ = set.copyFrom(one);
      }
    }
  }

  private static final class OfTextSet implements OfSet {
    private final ShardedTextSet set =
        ShardedTextSet.of(GROUP, on -> TextSet.builder().launcher(on).build());

    @Override
    public ShardedTextSet table() {
      return set;
    }

    @Override
    public long add(long[] keys, long[] values, BulkOptions options) {
      try (TextKeys all = texts(keys)) {
        return set.addAll(all, options).inserted();
      }
    }

    @Override
    public long find(long[] keys, long[] found, BulkOptions options) {
      try (TextKeys all = texts(keys)) {
        return set.containsAll(all, options).found();
      }
    }

    @Override
    public long addOne(long key, long value) {
      boolean there = set.contains(text(key));
      assertThat(set.add(text(key))).isEqualTo(!there);
      return 0;
    }

    @Override
    public Map<Long, Long> walked() {
      Set<Long> keys = new HashSet<>();
      set.forEach(key -> assertThat(keys.add(number(key))).isTrue());
      return OfSet.zeros(keys);
    }

    @Override
    public Map<Long, Long> retrieved() {
      try (TextKeys keys = new TextKeys()) {
        long count = set.retrieveAll(keys);
        List<Long> numbers =
            LongStream.range(0, count).mapToObj(i -> number(keys.text((int) i))).toList();
        return OfSet.zeros(numbers);
      }
    }

    @Override
    public void there() {
      try (TextSet one = TextSet.create()) {
        set.copyTo(one);
        set.clear();
        var _ = set.copyFrom(one);
      }
    }
  }
}

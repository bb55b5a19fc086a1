package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.TextHashing;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.MapAdapter.Scale;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Maps with text keys beside those of the Java library; on the JVM or the device under test. */
@ConformanceSuite
@Timeout(300)
class TextConformanceTest {

  private static final long SEED = 42;

  private static MapBuilder<TextLongMap> builder(int threads) {
    MapBuilder<TextLongMap> builder = TextLongMap.builder().workers(threads).tableSeed(SEED);
    Launcher device = TargetUnderTest.device();
    return device == null ? builder : builder.launcher(device);
  }

  private static Map<String, Long> entries(TextLongMap map) {
    Map<String, Long> entries = new HashMap<>();
    try (TextKeys keys = new TextKeys()) {
      long[] values = new long[(int) map.size()];
      assertThat(map.retrieveAll(keys, Longs.of(values))).isEqualTo(map.size());
      for (int i = 0; i < values.length; i++) {
        assertThat(entries.put(keys.text(i), values[i])).as(keys.text(i)).isNull();
      }
    }
    Map<String, Long> walked = new HashMap<>();
    map.forEach((key, value) -> assertThat(walked.put(key, value)).as(key).isNull());
    assertThat(walked).isEqualTo(entries);
    return entries;
  }

  /** Keys that are hard for a map: empty, short, of equal beginnings, with zeros, long. */
  private static List<String> hardKeys() {
    List<String> keys = new ArrayList<>();
    keys.add("");
    for (int length = 1; length < 40; length++) {
      keys.add("x".repeat(length));
      keys.add("x".repeat(length - 1) + "y");
      keys.add("\0".repeat(length));
    }
    for (char c = 0; c < 128; c++) {
      keys.add(String.valueOf(c));
    }
    String large = "m".repeat(1 << 20);
    keys.add(large);
    keys.add(large + "n");
    keys.add(large.substring(1) + "n");
    keys.add("naïve, Москва, 鯨, \uD83D\uDC0B");
    return keys.stream().distinct().toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void holdsHardKeys(int threads) {
    List<String> keys = hardKeys();
    long[] values = LongStream.range(1, keys.size() + 1).toArray();
    try (TextLongMap map = builder(threads).capacity(1).textBytes(1).build()) {
      assertThat(map.insert(keys, values)).isEqualTo(new InsertCounts(keys.size(), 0, 0));
      long[] found = new long[keys.size()];
      assertThat(map.find(keys, found).absent()).isZero();
      assertThat(found).isEqualTo(values);
      assertThat(map.contains(keys.stream().map(k -> k + "!").toList()).found())
          .isEqualTo(keys.stream().map(k -> k + "!").filter(keys::contains).count());
      assertThat(map.insertOrApply(keys, values, Apply.ADD).present()).isEqualTo(keys.size());
      map.rehash(4 * map.capacity());
      for (int i = 0; i < keys.size(); i++) {
        assertThat(map.get(keys.get(i))).hasValue(2 * values[i]);
      }
      assertThat(entries(map)).hasSize(keys.size());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aFullMapDoesNotGrowForKeysThatAreThere(int threads) {
    List<String> keys = IntStream.range(0, 5_000).mapToObj(i -> "key " + i).toList();
    long[] ones = LongStream.generate(() -> 1).limit(keys.size()).toArray();
    try (TextLongMap map = builder(threads).capacity(keys.size()).textBytes(1).build()) {
      assertThat(map.insert(keys.subList(2, keys.size()), Arrays.copyOf(ones, 4_998)).inserted())
          .isEqualTo(4_998);
      assertThat(map.capacity()).isEqualTo(keys.size());
      // There is room for the two that are new, and may be none for their text.
      assertThat(map.insertOrApply(keys, ones, Apply.ADD)).isEqualTo(new InsertCounts(2, 4_998, 0));
      map.rehash(keys.size());
      for (int times = 0; times < 2; times++) {
        assertThat(map.insertOrApply(keys, ones, Apply.ADD).present()).isEqualTo(keys.size());
        assertThat(map.capacity()).isEqualTo(keys.size());
      }
      assertThat(map.get(keys.getFirst())).hasValue(3);
      assertThat(map.get(keys.getLast())).hasValue(4);
      List<String> others = IntStream.range(0, 5_000).mapToObj(i -> "other " + i).toList();
      assertThat(map.insert(others, ones).inserted()).isEqualTo(others.size());
      assertThat(map.capacity()).isGreaterThan(keys.size());
    }
  }

  /** Few keys, each often, so that many threads meet slots that are reserved. */
  @ParameterizedTest
  @EnumSource
  void deferringAndBlockingDoTheSame(Waiting waiting) {
    TargetUnderTest.assumeAlone();
    SplittableRandom random = new SplittableRandom(12);
    List<String> keys =
        random.ints(20_000, 0, 300).mapToObj(n -> "key number " + n + " of some length").toList();
    long[] ones = LongStream.generate(() -> 1).limit(keys.size()).toArray();
    Map<String, Long> expected = new HashMap<>();
    keys.forEach(key -> expected.merge(key, 1L, Long::sum));
    try (TextLongMap map = builder(4).waiting(waiting).capacity(1).textBytes(1).build();
        TextLongMap fixed =
            builder(4).waiting(waiting).fixedCapacity(300).textBytes(1 << 16).build()) {
      for (int round = 1; round < 4; round++) {
        InsertCounts counts = map.insertOrApply(keys, ones, Apply.ADD);
        assertThat(counts).isEqualTo(fixed.insertOrApply(keys, ones, Apply.ADD));
        assertThat(counts.inserted()).isEqualTo(round == 1 ? expected.size() : 0);
        assertThat(counts.inserted() + counts.present()).isEqualTo(keys.size());
      }
      expected.replaceAll((_, count) -> 3 * count);
      assertThat(entries(fixed)).isEqualTo(entries(map)).isEqualTo(expected);
      assertThat(map.contains(keys)).isEqualTo(new FindCounts(keys.size(), 0));
    }
  }

  @Test
  void noKeys() {
    try (TextLongMap map = builder(1).build()) {
      assertThat(map.insert(List.of(), new long[0])).isEqualTo(new InsertCounts(0, 0, 0));
      assertThat(map.find(List.of(), new long[0])).isEqualTo(new FindCounts(0, 0));
      assertThat(entries(map)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void doesWhatTheMapOfTheLibraryDoes(int threads) {
    SplittableRandom random = new SplittableRandom(threads);
    Map<String, Long> expected = new HashMap<>();
    try (TextLongMap map = builder(threads).capacity(4).textBytes(8).build()) {
      for (int round = 0; round < 12; round++) {
        int count = random.nextInt(1, 9_000);
        List<String> keys =
            IntStream.range(0, count)
                .mapToObj(_ -> "key".repeat(random.nextInt(4)) + random.nextInt(3_000))
                .toList();
        long[] values = random.longs(count, -1_000, 1_000).toArray();
        InsertCounts counts = map.insertOrApply(keys, values, Apply.ADD);
        int before = expected.size();
        for (int i = 0; i < count; i++) {
          expected.merge(keys.get(i), values[i], Long::sum);
        }
        int fresh = expected.size() - before;
        assertThat(counts).isEqualTo(new InsertCounts(fresh, count - fresh, 0));
        assertThat(entries(map)).isEqualTo(expected);
        if (round == 8) {
          map.clear();
          expected.clear();
        }
      }
    }
  }

  @Test
  void appliesAndAssignsAndFetches() {
    try (TextLongMap map = builder(2).build()) {
      List<String> keys = List.of("a", "longer than a word", "c");
      long[] found = new long[3];
      assertThat(map.insertAndFind(keys, new long[] {1, 2, 3}, found).inserted()).isEqualTo(3);
      assertThat(map.insertAndFind(keys, new long[] {7, 8, 9}, found).present()).isEqualTo(3);
      assertThat(found).containsExactly(1, 2, 3);
      assertThat(entries(map)).isEqualTo(Map.of("a", 1L, "longer than a word", 2L, "c", 3L));
      var _ = map.insertOrApply(keys, new long[] {0, 5, 3}, Apply.MIN);
      var _ = map.insertOrApply(keys, new long[] {0, 5, 9}, Apply.MAX);
      assertThat(entries(map)).isEqualTo(Map.of("a", 0L, "longer than a word", 5L, "c", 9L));
      var _ = map.insertOrAssign(keys, new long[] {4, 4, 4});
      assertThat(entries(map).values()).containsOnly(4L);
      var _ = map.insertOrApply(keys, new long[] {7, 7, 7}, Apply.ASSIGN);
      var _ = map.insertOrApply(keys, new long[] {5, 13, 15}, Apply.AND);
      var _ = map.insertOrApply(keys, new long[] {8, 8, 16}, Apply.OR);
      var _ = map.insertOrApply(keys, new long[] {1, -1, 7}, Apply.XOR);
      assertThat(entries(map)).isEqualTo(Map.of("a", 12L, "longer than a word", ~13L, "c", 16L));
      var _ = map.insertOrApply(keys, new long[] {1, 2, 3}, Scale.BY_ODD);
      var _ = map.insertOrApply(List.of("a", "new", "a"), new long[] {1, 9, 2}, new Scale(4));
      assertThat(entries(map))
          .isEqualTo(Map.of("a", 36L * 45, "longer than a word", 5 * ~13L, "c", 112L, "new", 9L));
      assertThat(map.merge("a", 1, Scale.BY_ODD)).isEqualTo(3 * 36L * 45);
    }
  }

  @Test
  void masksAndOutcomes() {
    try (TextLongMap map = builder(2).build();
        TextKeys keys = TextKeys.of(List.of("a", "b", "a very long key of many bytes", "a"))) {
      byte[] outcomes = new byte[4];
      boolean[] mask = {true, false, true, false};
      long[] found = {-1, -1, -1, -1};
      InsertCounts counts =
          map.insertAndFind(
              keys,
              Longs.of(1, 2, 3, 4),
              Longs.of(found),
              BulkOptions.NONE.where(mask).outcomes(outcomes));
      assertThat(counts).isEqualTo(new InsertCounts(2, 0, 0));
      assertThat(outcomes)
          .containsExactly(
              Outcome.INSERTED.code(),
              Outcome.SKIPPED.code(),
              Outcome.INSERTED.code(),
              Outcome.SKIPPED.code());
      assertThat(found[1]).isEqualTo(-1);
      var _ = map.find(keys, Longs.of(found), BulkOptions.NONE.outcomes(outcomes));
      assertThat(found).containsExactly(1, 0, 3, 1);
      assertThat(outcomes[1]).isEqualTo(Outcome.ABSENT.code());
    }
  }

  @Test
  void equalKeysAreInsertedOnce() {
    String key = "the same key, longer than a word";
    try (TextLongMap map = builder(4).capacity(1).textBytes(8).build()) {
      List<String> keys = Collections.nCopies(50_000, key);
      long[] ones = new long[keys.size()];
      Arrays.fill(ones, 1);
      assertThat(map.insertOrApply(keys, ones, Apply.ADD).inserted()).isEqualTo(1);
      assertThat(map.get(key)).hasValue(keys.size());
    }
  }

  /** Keys of 24 bytes whose hashes are equal: the second word makes up for the first. */
  @Test
  void equalHashes() {
    long multiplier = TextHashing.multiplier(SEED);
    List<byte[]> keys = new ArrayList<>();
    Set<Long> hashes = new HashSet<>();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 300; i++) {
      long first = random.nextLong();
      long state =
          ((SEED ^ first) * multiplier) ^ Math.unsignedMultiplyHigh(SEED ^ first, multiplier);
      long[] words = {first, state ^ 77, 5};
      byte[] key = new byte[24];
      MemorySegment.ofArray(key).copyFrom(MemorySegment.ofArray(words));
      hashes.add(TextHashing.hash(key, 24, SEED, multiplier, TextHashing.endMultiplier(SEED)));
      keys.add(key);
    }
    assertThat(hashes).hasSize(1);
    long[] values = LongStream.range(0, keys.size()).toArray();
    try (TextLongMap map = builder(2).capacity(10).build();
        TextKeys all = TextKeys.of(keys.toArray(byte[][]::new))) {
      assertThat(map.insert(all, Longs.of(values), BulkOptions.NONE).inserted())
          .isEqualTo(keys.size());
      long[] found = new long[keys.size()];
      assertThat(map.find(all, Longs.of(found), BulkOptions.NONE).absent()).isZero();
      assertThat(found).isEqualTo(values);
    }
  }

  @Test
  void aFixedMapReportsWhatThereIsNoRoomFor() {
    List<String> keys = List.of("a", "b", "a key of twenty-four byte", "another key of 24 bytes.");
    try (TextLongMap map = builder(1).fixedCapacity(3).textBytes(32).build()) {
      assertThat(map.insert(keys, new long[] {1, 2, 3, 4})).isEqualTo(new InsertCounts(3, 0, 1));
      assertThat(entries(map)).hasSize(3);
      assertThat(map.insert(keys, new long[] {1, 2, 3, 4})).isEqualTo(new InsertCounts(0, 3, 1));
    }
    // Capacity for keys, and none for their text.
    try (TextLongMap map = builder(1).fixedCapacity(10).textBytes(32).build()) {
      assertThat(map.insert(keys, new long[] {1, 2, 3, 4})).isEqualTo(new InsertCounts(3, 0, 1));
      assertThat(entries(map)).hasSize(3);
      if (TargetUnderTest.device() == null) {
        assertThatThrownBy(() -> map.putIfAbsent(keys.getLast(), 4))
            .isInstanceOf(MapFullException.class);
      }
    }
  }

  /** Each key comes up often, at the same time, and there is room for the text of half of them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void noKeyThatIsThereIsFull(int threads) {
    int distinct = 512;
    int count = 16 * distinct;
    try (TextKeys keys = new TextKeys()) {
      for (int i = 0; i < count; i++) {
        keys.add("a key of some length %06d".formatted(i % distinct));
      }
      long[] ones = new long[count];
      Arrays.fill(ones, 1);
      byte[] outcomes = new byte[count];
      for (int round = 0; round < 20; round++) {
        try (TextLongMap map =
            builder(threads).fixedCapacity(distinct).textBytes(16L * distinct).build()) {
          InsertCounts counts =
              map.insertOrApply(
                  keys, Longs.of(ones), Apply.ADD, BulkOptions.NONE.outcomes(outcomes));
          assertThat(counts.inserted()).as("all that there is room for").isEqualTo(distinct / 2);
          assertThat(counts.inserted() + counts.present() + counts.full()).isEqualTo(count);
          Map<String, Long> entries = entries(map);
          assertThat(entries.values()).containsOnly(16L);
          for (int i = 0; i < count; i++) {
            assertThat(outcomes[i] == Outcome.FULL.code())
                .as(keys.text(i))
                .isEqualTo(!entries.containsKey(keys.text(i)));
          }
        }
      }
    }
  }

  @Test
  void keysComeFromBytesAndOffsets() {
    MemorySegment text = MemorySegment.ofArray("onetwothree".getBytes(StandardCharsets.US_ASCII));
    try (TextLongMap map = builder(1).build();
        TextKeys keys = TextKeys.of(text, 0, 3, 6, 6, 11)) {
      assertThat(keys.count()).isEqualTo(4);
      assertThat(map.insert(keys, Longs.of(1, 2, 3, 4), BulkOptions.NONE).inserted()).isEqualTo(4);
      assertThat(entries(map)).isEqualTo(Map.of("one", 1L, "two", 2L, "", 3L, "three", 4L));
      keys.clear();
      keys.add("two").add(new byte[] {(byte) 0xff, 0}, 0, 2);
      assertThat(map.contains(keys, BulkOptions.NONE)).isEqualTo(new FindCounts(1, 1));
      assertThat(keys.bytes(1)).containsExactly(0xff, 0);
      assertThatThrownBy(() -> keys.add("\uD83D")).isInstanceOf(IllegalArgumentException.class);
      for (long[] offsets : new long[][] {{0, 12}, {3, 2}, {-1, 3}, {0, Long.MIN_VALUE}}) {
        assertThatThrownBy(() -> TextKeys.of(text, offsets))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("[%d, %d)".formatted(offsets[0], offsets[1]));
      }
      assertThatThrownBy(() -> keys.add(new byte[2], 1, 3))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}

package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.KernelException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.structures.AnyCase;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.map.sharded.ShardedTextMap;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Maps and sets of texts with a hash and an equality of a user's. */
@ConformanceSuite
class TextHashTest {

  private static final TextHash GOOD = new AnyCase(-1);
  private static final TextHash BAD = new AnyCase(7);

  static Stream<TextHash> hashes() {
    return Stream.of(GOOD, BAD, new ByBytes());
  }

  /** By which the equality is that of bytes. */
  record Longest(int most) implements TextHash {
    @Override
    public long hash(Text key, long seed) {
      long hash = seed;
      int length = Math.min(key.length(), most);
      for (int i = 0; i < length; i++) {
        hash = Hashing.hash(hash ^ key.byteAt(i), seed);
      }
      return hash;
    }
  }

  /** As the guide has it, a byte at a time. */
  record ByBytes() implements TextHash {
    @Override
    public long hash(Text key, long seed) {
      long hash = seed;
      for (int i = 0; i < key.length(); i++) {
        hash = Hashing.hash(hash ^ lower(key.byteAt(i)), seed);
      }
      return hash;
    }

    @Override
    public boolean same(Text one, Text other) {
      int differing = one.length() ^ other.length();
      int length = Math.min(one.length(), other.length());
      for (int i = 0; i < length; i++) {
        differing |= lower(one.byteAt(i)) ^ lower(other.byteAt(i));
      }
      return differing == 0;
    }

    private static int lower(int letter) {
      // One comparison: neither difference is less than 0.
      return ((letter - 'A') | ('Z' - letter)) >= 0 ? letter + 32 : letter;
    }
  }

  /** The equality and the hash do not agree on texts of one length, as a test of some shows. */
  record ByLength() implements TextHash {
    @Override
    public long hash(Text key, long seed) {
      return Hashing.hash(key.word(0), seed);
    }

    @Override
    public boolean same(Text one, Text other) {
      return one.length() == other.length();
    }
  }

  /** They do not agree on texts that no test has: those that begin with a question mark. */
  record Hidden() implements TextHash {
    @Override
    public long hash(Text key, long seed) {
      return Hashing.hash(key.word(0) ^ key.length(), seed);
    }

    @Override
    public boolean same(Text one, Text other) {
      int marks = (one.byteAt(0) ^ '?') | (other.byteAt(0) ^ '?');
      long words = marks == 0 ? 0 : one.word(0) ^ other.word(0);
      return (words | (one.length() ^ other.length())) == 0;
    }
  }

  record Failing() implements TextHash {
    @Override
    public long hash(Text key, long seed) {
      return key.byteAt(0) / (key.length() - 5);
    }
  }

  /** The beginning of a key's bytes. */
  record Begins(int letter) implements TextPredicate {
    @Override
    public boolean test(Text key, long value) {
      return key.byteAt(0) == letter;
    }
  }

  private static MapBuilder<TextLongMap> builder(TextHash hash) {
    Launcher device = TargetUnderTest.device();
    MapBuilder<TextLongMap> builder = TextLongMap.builder().textHash(hash);
    return device == null ? builder.workers(3) : builder.launcher(device);
  }

  /** Short, of two words, and long; each in one of several cases. */
  private static String key(SplittableRandom random, int range) {
    String key = "aB".repeat(random.nextInt(1, 15)) + random.nextInt(range);
    return switch (random.nextInt(3)) {
      case 0 -> key.toLowerCase(Locale.ROOT);
      case 1 -> key.toUpperCase(Locale.ROOT);
      default -> key;
    };
  }

  private static Map<String, Long> lower(TextLongMap map) {
    Map<String, Long> all = new HashMap<>();
    map.forEach((key, value) -> assertThat(all.put(key.toLowerCase(Locale.ROOT), value)).isNull());
    return all;
  }

  /** With growth of table and arena, single keys, walks and a rehash; by a bad hash as well. */
  @ParameterizedTest
  @MethodSource("hashes")
  void equalKeysAreOne(TextHash hash) {
    int count = hash.equals(BAD) ? 300 : 10_000;
    SplittableRandom random = new SplittableRandom(3);
    Map<String, Long> expected = new HashMap<>();
    try (TextLongMap map = builder(hash).capacity(4).textBytes(8).build()) {
      for (int round = 0; round < 3; round++) {
        List<String> keys =
            IntStream.range(0, count).mapToObj(_ -> key(random, count / 8)).toList();
        long[] ones = new long[count];
        for (int i = 0; i < count; i++) {
          ones[i] = i;
          expected.merge(keys.get(i).toLowerCase(Locale.ROOT), (long) i, Long::sum);
        }
        var _ = map.insertOrApply(keys, ones, Apply.ADD);
        assertThat(lower(map)).isEqualTo(expected);
        long[] found = new long[count];
        assertThat(map.find(keys, found).found()).isEqualTo(count);
        for (int i = 0; i < count; i++) {
          assertThat(found[i]).isEqualTo(expected.get(keys.get(i).toLowerCase(Locale.ROOT)));
        }
        map.rehash(expected.size());
      }
      for (int i = 0; i < 50; i++) {
        String key = key(random, count);
        long now = expected.merge(key.toLowerCase(Locale.ROOT), 5L, Long::sum);
        assertThat(map.merge(key, 5, Apply.ADD)).isEqualTo(now);
        assertThat(map.getOrDefault(key.toUpperCase(Locale.ROOT), -1)).isEqualTo(now);
      }
      assertThat(lower(map)).isEqualTo(expected);
    }
  }

  @Test
  void aKeyStaysAsItCame() {
    try (TextLongMap map = builder(GOOD).build()) {
      for (String key : List.of("Whale", "A much longer Whale", "WHALE", "a much longer whale")) {
        map.merge(key, 1, Apply.ADD);
      }
      List<String> keys = new ArrayList<>();
      map.forEach((key, count) -> keys.add(key + " " + count));
      assertThat(keys).containsExactlyInAnyOrder("Whale 2", "A much longer Whale 2");
      assertThat(map.containsKey("whale ")).isFalse();
      assertThat(map.containsKey("a much longer whal\u00e9")).isFalse();
      try (TextKeys some = new TextKeys()) {
        long[] values = new long[1];
        assertThat(map.retrieveIf(some, Longs.of(values), new Begins('W'))).isEqualTo(1);
        assertThat(some.text(0)).isEqualTo("Whale");
      }
    }
  }

  @Test
  void aHashAloneComparesBytes() {
    try (TextLongMap map = builder(new Longest(2)).capacity(1).build()) {
      List<String> keys =
          IntStream.range(0, 500).mapToObj(i -> "a key of more words than two " + i).toList();
      assertThat(map.insert(keys, new long[500]).inserted()).isEqualTo(500);
      assertThat(map.contains(keys).found()).isEqualTo(500);
      assertThat(map.containsKey("A key of more words than two 7")).isFalse();
    }
  }

  @Test
  void setsHaveOne() {
    try (TextSet set = TextSet.builder().textHash(GOOD).capacity(1).build()) {
      assertThat(set.addAll(List.of("one", "ONE", "two", "One")).inserted()).isEqualTo(2);
      assertThat(set.contains("oNE")).isTrue();
      assertThat(set.add("TWO")).isFalse();
    }
  }

  @Test
  void wordsAreCountedByIt() {
    byte[] text =
        "Sea sea SEA whaleboats Whaleboats circumnavigation CIRCUMNAVIGATION"
            .getBytes(StandardCharsets.UTF_8);
    try (TextLongMap map = builder(GOOD).build()) {
      long all = map.countWords(MemorySegment.ofArray(text), Words.NOT_BLANK);
      assertThat(all).isEqualTo(7);
      assertThat(lower(map)).isEqualTo(Map.of("sea", 3L, "whaleboats", 2L, "circumnavigation", 2L));
    }
  }

  @Test
  void equalKeysOfAGroupAreOne() {
    SplittableRandom random = new SplittableRandom(9);
    List<String> keys = IntStream.range(0, 5000).mapToObj(_ -> key(random, 100)).toList();
    Map<String, Long> expected = new HashMap<>();
    keys.forEach(key -> expected.merge(key.toLowerCase(Locale.ROOT), 1L, Long::sum));
    long[] ones = new long[5000];
    Arrays.fill(ones, 1);
    try (Launcher group =
            LauncherGroup.of(List.of(JvmLauncher.ofWorkers(1), JvmLauncher.ofWorkers(1)));
        TextKeys texts = TextKeys.of(keys);
        ShardedTextMap sharded =
            ShardedTextMap.of(
                group, on -> TextLongMap.builder().textHash(GOOD).launcher(on).build());
        TextLongMap map = TextLongMap.builder().textHash(GOOD).capacity(8).build()) {
      var _ = sharded.insertOrApply(texts, Longs.of(ones), Apply.ADD, BulkOptions.NONE);
      assertThat(sharded.contains(texts, BulkOptions.NONE).found()).isEqualTo(5000);
      assertThat(sharded.get(keys.get(7).toUpperCase(Locale.ROOT))).isPresent();
      sharded.copyTo(map);
      assertThat(lower(map)).isEqualTo(expected);
      sharded.clear();
      assertThat(sharded.copyFrom(map).inserted()).isEqualTo(expected.size());
      assertThat(sharded.contains(texts, BulkOptions.NONE).found()).isEqualTo(5000);
    }
  }

  @Test
  void aFileIsLoadedWithItsHashOnly(@TempDir Path folder) {
    Path file = folder.resolve("map");
    List<String> keys = IntStream.range(0, 900).mapToObj(i -> "Key number " + i).toList();
    try (TextLongMap map = builder(GOOD).build()) {
      map.insert(keys, new long[900]);
      map.save(file);
    }
    try (TextLongMap map = builder(new AnyCase(-1)).load(file)) {
      assertThat(map.size()).isEqualTo(900);
      assertThat(map.containsKey("KEY NUMBER 3")).isTrue();
    }
    for (TextHash other : List.of(new AnyCase(7), new Longest(3))) {
      assertThatThrownBy(() -> builder(other).load(file))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has the hash dev.gyre.structures.AnyCase")
          .hasMessageContaining("the builder has the hash " + other.getClass().getName());
    }
    assertThatThrownBy(() -> TextLongMap.load(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the builder has the hash of this library");
    try (TextLongMap ours = TextLongMap.create()) {
      ours.save(file);
    }
    assertThatThrownBy(() -> builder(GOOD).load(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has the hash of this library");
  }

  /** Keys whose hashes are all the same crowd: another seed cannot help, and all are there. */
  @Test
  void keysThatCrowdAreLoaded(@TempDir Path folder) {
    Path file = folder.resolve("map");
    TextHash bad = new AnyCase(0);
    List<String> keys = IntStream.range(0, 300).mapToObj(i -> "k" + (100 + i)).toList();
    try (TextLongMap map = builder(bad).build()) {
      map.insert(keys, new long[300]);
      map.save(file);
    }
    try (TextLongMap map = builder(bad).load(file)) {
      assertThat(map.contains(keys).found()).isEqualTo(300);
    }
  }

  @Test
  void hashesThatAreNone() {
    TextHash lambda = (key, seed) -> key.word(0) ^ seed;
    assertThatThrownBy(() -> TextLongMap.builder().textHash(lambda))
        .isInstanceOf(KernelException.class);
    Hash numbers = new HashTest.Few();
    assertThatThrownBy(() -> TextLongMap.builder().hash(numbers).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("HashTest$Few cannot hash texts; give the map a TextHash");
    assertThatThrownBy(() -> LongLongMap.builder().textHash(GOOD).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("AnyCase cannot hash numbers; give the map a Hash");
  }

  @Test
  void aHashThatDisagreesWithTheEqualityIsRefusedWhereItIsSeen() {
    assertThatThrownBy(() -> TextLongMap.builder().textHash(new ByLength()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("by " + ByLength.class.getName())
        .hasMessageContaining("are the same key, and so need the same hash");
  }

  /** Elsewhere, equal keys are several, and nothing else goes wrong. */
  @Test
  void aHashThatDisagreesUnseenMakesSeveralKeysOfOne() {
    List<String> keys = IntStream.range(100, 200).mapToObj(i -> "?" + i).toList();
    try (TextLongMap map = builder(new Hidden()).build()) {
      assertThat(map.insert(keys, new long[100]).inserted()).isEqualTo(100);
      assertThat(map.contains(keys).found()).isEqualTo(100);
      assertThat(map.containsKey("?no")).isFalse();
    }
  }

  @Test
  void whatAHashThrowsReachesTheCaller() {
    try (TextLongMap map = TextLongMap.builder().textHash(new Failing()).workers(1).build()) {
      assertThatThrownBy(() -> map.put("abcde", 1)).isInstanceOf(ArithmeticException.class);
      assertThatThrownBy(() -> map.insert(List.of("a", "abcde"), new long[2]))
          .hasStackTraceContaining("ArithmeticException");
      assertThat(map.put("ab", 1)).isEmpty();
      assertThat(map.getOrDefault("ab", 0)).isEqualTo(1);
    }
  }
}

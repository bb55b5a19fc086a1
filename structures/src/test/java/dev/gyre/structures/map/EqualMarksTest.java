package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.map.TextHashing;
import dev.gyre.kernels.map.TextLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Text keys that meet in a slot whose mark is that of both, and of which only one word, or only the
 * length, differs. Among random keys there is hardly such a pair.
 */
class EqualMarksTest {

  /** With it there are keys that {@link #keysThatDifferInLength} needs. */
  private static final long SEED = 1689701;

  private static final int CAPACITY = 4;
  private static final long SLOTS = 2 * CAPACITY;

  /** Among so many there are pairs of an equal mark and home. */
  private static final int TRIED = 1 << 17;

  /** The first word of keys of 14 and of 16 bytes, the others of which are 0, that meet. */
  private static final long FIRST_WORD = 1339;

  private static final class Pair {
    final byte[] one;
    final byte[] other;

    Pair(byte[] one, byte[] other) {
      this.one = one;
      this.other = other;
    }
  }

  private static byte[] bytes(long[] words, int length) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(words);
    return Arrays.copyOf(bytes.array(), length);
  }

  private static long hash(long[] words, int length) {
    return TextHashing.hash(
        bytes(words, length),
        length,
        SEED,
        TextHashing.multiplier(SEED),
        TextHashing.endMultiplier(SEED));
  }

  /** What decides whether words are compared: the home of the key, and the mark of its hash. */
  private static long met(long hash) {
    return TextLayout.mark(hash, 0) + TextLayout.home(hash, SLOTS);
  }

  /** Keys of some words that meet, and differ in one word. */
  private static Pair pair(int words, int differing) {
    Map<Long, Long> seen = new HashMap<>();
    for (long i = 1; i <= TRIED; i++) {
      long[] key = key(words, differing, i);
      Long before = seen.put(met(hash(key, 8 * words)), i);
      if (before != null) {
        return new Pair(bytes(key(words, differing, before), 8 * words), bytes(key, 8 * words));
      }
    }
    throw new AssertionError("no such pair: try more");
  }

  private static long[] key(int words, int differing, long value) {
    long[] key = new long[words];
    Arrays.fill(key, 0x6162636465666768L);
    key[differing] = value;
    return key;
  }

  private static TextLongMap map() {
    return TextLongMap.builder()
        .workers(1)
        .tableSeed(SEED)
        .fixedCapacity(CAPACITY)
        .textBytes(400)
        .build();
  }

  @ParameterizedTest
  @CsvSource({"1,0", "2,0", "2,1", "3,0", "3,1", "3,2", "5,1", "5,2", "5,4"})
  void keysThatDifferInOneWord(int words, int differing) {
    areTwoOneByOne(pair(words, differing));
  }

  @ParameterizedTest
  @CsvSource({"1,0", "2,0", "2,1", "3,0", "3,1", "3,2", "5,1", "5,2", "5,4"})
  void keysThatDifferInOneWordInBulk(int words, int differing) {
    areTwoInBulk(pair(words, differing));
  }

  @Test
  void keysThatDifferInLength() {
    long[] words = {FIRST_WORD, 0};
    for (int length = 9; length < 16; length++) {
      for (int longer = length + 1; longer <= 16; longer++) {
        if (met(hash(words, length)) == met(hash(words, longer))) {
          Pair pair = new Pair(bytes(words, length), bytes(words, longer));
          areTwoOneByOne(pair);
          areTwoInBulk(pair);
          return;
        }
      }
    }
    throw new AssertionError("no such pair");
  }

  private static void areTwoOneByOne(Pair pair) {
    try (TextLongMap map = map()) {
      assertThat(map.putIfAbsent(pair.one, 1)).isEmpty();
      assertThat(map.get(pair.other)).isEmpty();
      assertThat(map.putIfAbsent(pair.other, 2)).isEmpty();
      assertThat(map.get(pair.one)).hasValue(1);
      assertThat(map.get(pair.other)).hasValue(2);
    }
  }

  private static void areTwoInBulk(Pair pair) {
    long[] values = {1, 2};
    try (TextLongMap map = map();
        TextKeys one = TextKeys.of(pair.one);
        TextKeys other = TextKeys.of(pair.other);
        TextKeys both = TextKeys.of(pair.one, pair.other)) {
      assertThat(map.insert(one, Longs.of(1), BulkOptions.NONE).inserted()).isEqualTo(1);
      assertThat(map.contains(other, BulkOptions.NONE).absent()).isEqualTo(1);
      assertThat(map.insert(both, Longs.of(values), BulkOptions.NONE))
          .isEqualTo(new InsertCounts(1, 1, 0));
      long[] found = new long[2];
      assertThat(map.find(both, Longs.of(found), BulkOptions.NONE).found()).isEqualTo(2);
      assertThat(found).isEqualTo(values);
    }
    try (TextLongMap map = map();
        TextCombiner combiner = new TextCombiner(map, Apply.ADD)) {
      for (byte[] key : List.of(pair.one, pair.other, pair.one)) {
        combiner.add(key, 0, key.length, 1);
      }
      var _ = combiner.flush();
      assertThat(map.get(pair.one)).hasValue(2);
      assertThat(map.get(pair.other)).hasValue(1);
    }
  }

  /** Of keys that a combiner has one place for, some differ in one word, or in the length. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void keysThatMeetInACombiner(int differing) {
    int count = 1 << 14;
    Map<String, Long> expected = new HashMap<>();
    try (TextLongMap map = TextLongMap.create()) {
      try (TextCombiner combiner = new TextCombiner(map, Apply.ADD)) {
        for (int i = 0; i < 2 * count; i++) {
          int number = i / 2 + 1;
          int length = differing == 2 ? 9 + i % 8 : 16;
          byte[] key = bytes(key(2, Math.min(differing, 1), differing == 2 ? 0 : number), length);
          combiner.add(key, 0, length, 1);
          expected.merge(Arrays.toString(key), 1L, Long::sum);
        }
      }
      Map<String, Long> found = new HashMap<>();
      map.forEachBytes((key, value) -> found.put(Arrays.toString(key), value));
      assertThat(found).isEqualTo(expected);
    }
  }
}

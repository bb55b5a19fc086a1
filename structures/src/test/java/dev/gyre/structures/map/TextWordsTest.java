package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts of the words of a text, against a search byte by byte. */
@Timeout(180)
class TextWordsTest {

  private static boolean isInWord(char c, Words words) {
    return switch (words) {
      case ASCII_LETTERS -> (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      case NOT_BLANK -> c > ' ';
    };
  }

  /** Bytes are characters here. */
  private static Map<String, Long> counts(String text, Words words) {
    Map<String, Long> counts = new HashMap<>();
    int begin = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || !isInWord(text.charAt(i), words)) {
        String word = text.substring(begin, i);
        if (!word.isEmpty()) {
          String key = words == Words.ASCII_LETTERS ? word.toLowerCase(Locale.ROOT) : word;
          counts.merge(key, 1L, Long::sum);
        }
        begin = i + 1;
      }
    }
    return counts;
  }

  private static Map<String, Long> found(TextLongMap map) {
    Map<String, Long> found = new HashMap<>();
    try (TextKeys keys = new TextKeys()) {
      long[] values = new long[Math.toIntExact(map.size())];
      long count = map.retrieveAll(keys, Longs.of(values));
      for (int i = 0; i < count; i++) {
        found.put(new String(keys.bytes(i), StandardCharsets.ISO_8859_1), values[i]);
      }
    }
    return found;
  }

  /** Any bytes, mostly letters, in words of up to 20, and a few of thousands. */
  private static String text(int seed, int length) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      int letters = random.nextInt(500) == 0 ? random.nextInt(10_000) : random.nextInt(21);
      char first = random.nextBoolean() ? 'A' : 'a';
      for (int i = 0; i < letters; i++) {
        text.append((char) (first + random.nextInt(i < 5 ? 26 : 2)));
      }
      for (int i = random.nextInt(3); i >= 0; i--) {
        text.append(random.nextInt(4) == 0 ? (char) random.nextInt(256) : ' ');
      }
    }
    return text.toString();
  }

  private static MemorySegment bytes(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @ParameterizedTest
  @EnumSource
  void countsWhatASearchByteByByteFinds(Words words) {
    String text = text(1, 3_000_000);
    Map<String, Long> expected = counts(text, words);
    for (int threads : new int[] {1, 3}) {
      try (TextLongMap map = TextLongMap.builder().workers(threads).capacity(1).build()) {
        long all = map.countWords(bytes(text), words);
        assertThat(all).isEqualTo(expected.values().stream().mapToLong(n -> n).sum());
        assertThat(found(map)).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 16, 17, 63, 64, 65, 4095, 4096, 4097, 8192})
  void aWordEndsWithTheText(int length) {
    String word = "w".repeat(length);
    for (String before : new String[] {"", " ", "a ", "b".repeat(4090) + "."}) {
      String text = before + word;
      try (TextLongMap map = TextLongMap.builder().workers(1).build()) {
        long _ = map.countWords(bytes(text), Words.ASCII_LETTERS);
        assertThat(found(map)).isEqualTo(counts(text, Words.ASCII_LETTERS));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWordBelongsToThePartWhereItBegins(Words words) {
    String text = text(2, 20_000);
    Map<String, Long> expected = counts(text, words);
    for (int part : new int[] {1, 5, 64, 4096, 100_000}) {
      try (TextLongMap map = TextLongMap.builder().workers(1).build()) {
        try (TextCombiner combiner = new TextCombiner(map, Apply.ADD)) {
          for (int from = 0; from < text.length(); from += part) {
            int to = Math.min(text.length(), from + part);
            long _ = combiner.addWords(bytes(text), from, to, words, 2);
          }
        }
        Map<String, Long> twice = new HashMap<>(expected);
        twice.replaceAll((_, count) -> 2 * count);
        assertThat(found(map)).isEqualTo(twice);
      }
    }
  }

  @Test
  void everyByteIsToldApart() {
    for (Words words : Words.values()) {
      for (int b = 0; b < 256; b++) {
        boolean expected = isInWord((char) b, words);
        long bytes = (b & 0xffL) << 24;
        assertThat((words.members(bytes) >> 3 & 1) != 0).isEqualTo(expected);
        assertThat(words.members(bytes) & ~(1 << 3)).isZero();
      }
    }
  }

  @Test
  void refusesWhatItCannotDo() {
    try (TextLongMap map = TextLongMap.builder().fixedCapacity(2).build();
        Arena own = Arena.ofConfined()) {
      assertThatThrownBy(() -> map.countWords(bytes("one two three one"), Words.ASCII_LETTERS))
          .isInstanceOf(MapFullException.class);
      assertThat(map.size()).isEqualTo(2);
      assertThatThrownBy(() -> map.countWords(own.allocate(8), Words.ASCII_LETTERS))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}

package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.trie.Alphabet;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Words that begin and end anywhere in the blocks in which workers of the JVM find them. */
class BlockWordsTest {

  @ParameterizedTest
  @EnumSource(Alphabet.class)
  void wordsOfAllLengthsAtAllPlaces(Alphabet alphabet) {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 200; round++) {
      byte[] text = text(random, 1 + random.nextInt(5000));
      int strips = 1 + random.nextInt(9);
      try (Memory memory = Memory.ofBytes(text.length);
          WordTrie trie =
              WordTrie.builder()
                  .alphabet(alphabet)
                  .workers(1 + random.nextInt(3))
                  .deviceThreads(strips)
                  .initialNodes(1 + random.nextInt(3000))
                  .build()) {
        memory.segment().copyFrom(MemorySegment.ofArray(text));
        trie.add(memory, text.length);
        SortedMap<String, Long> words = new TreeMap<>();
        trie.forEach(word -> words.put(word.word(), word.count()));
        assertThat(words)
            .as("round %d, %d strips", round, strips)
            .isEqualTo(sequential(text, alphabet));
        words.forEach((word, count) -> assertThat(trie.count(word)).isEqualTo(count));
        assertThat(trie.total("ab")).isEqualTo(total(words, "ab"));
      }
    }
  }

  private static SortedMap<String, Long> sequential(byte[] text, Alphabet alphabet) {
    return new TreeMap<>(
        alphabet == Alphabet.ASCII_LETTERS
            ? WordTrieTest.sequential(text)
            : ScriptText.sequential(text));
  }

  private static long total(SortedMap<String, Long> words, String prefix) {
    return words.entrySet().stream()
        .filter(word -> word.getKey().startsWith(prefix))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Mostly short words of few letters, some as long as several blocks, some of other letters. */
  private static byte[] text(SplittableRandom random, int length) {
    byte[] text = new byte[length];
    int foreign = random.nextInt(2, 200);
    int left = 0;
    for (int i = 0; i < length; i++) {
      if (random.nextInt(foreign) == 0) {
        text[i] = (byte) random.nextInt(0x80, 0x100);
      } else if (left > 0) {
        text[i] = (byte) "abABz".charAt(random.nextInt(5));
      } else {
        text[i] = (byte) " @[`{\n".charAt(random.nextInt(6));
        left = random.nextInt(random.nextInt(20) == 0 ? 200 : 14);
      }
      left--;
    }
    return text;
  }
}

package dev.gyre.bench.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.bench.map.Rival;
import dev.gyre.bench.map.Rival.Use;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All rivals count the same words. */
class RivalCountersTest {

  private static final byte[] TEXT =
      ("The whale, the WHALE! It's th\u00e9 whale's sea; seas of a sea\n" + "x".repeat(5000) + " a")
          .getBytes(StandardCharsets.ISO_8859_1);

  static List<Rival> counters() {
    return Rival.of(Use.WORDS);
  }

  @ParameterizedTest
  @MethodSource("counters")
  void countsWords(Rival rival) {
    try (Memory text = Texts.repeated(TEXT, 3);
        RivalCounter counter = RivalCounter.open(rival, rival.is(Use.THREADS) ? 2 : 1)) {
      counter.prepare(text);
      counter.count(text);
      // The text three times in a row: "a" and "The" meet twice, and make "athe".
      assertThat(counter.total()).isEqualTo(3 * 16 - 2);
      assertThat(counter.distinct()).isEqualTo(11);
      assertThat(counter.words()).hasSize(11).contains("whale", "it", "s", "th", "athe");
      assertThat(counter.countsOf(List.of("whale", "sea", "absent"))).isEqualTo(9 + 6);
      if (rival.is(Use.PREFIXES)) {
        assertThat(counter.countsUnder(List.of("se", "q"))).isEqualTo(6 + 3);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("counters")
  void agreesOnGeneratedText(Rival rival) {
    try (Memory text = Texts.repeated(java.util.Arrays.copyOf(Texts.generated(), 200_000), 1);
        RivalCounter counter = RivalCounter.open(rival, 1);
        RivalCounter reference = RivalCounter.open(Rival.CONCURRENT_HASH_MAP, 2)) {
      reference.count(text);
      counter.prepare(text);
      counter.count(text);
      List<String> asked = Questions.words(reference.words(), 50);
      assertThat(counter.total()).isEqualTo(reference.total());
      assertThat(counter.countsOf(asked)).isEqualTo(reference.countsOf(asked)).isPositive();
      assertThat(counter.countsOfTop(20)).isEqualTo(reference.countsOfTop(20)).isPositive();
    }
  }
}

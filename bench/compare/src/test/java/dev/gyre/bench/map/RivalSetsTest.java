package dev.gyre.bench.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.bench.map.MapRival.Setup;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All sets take the same keys: only then are their entries as many. */
class RivalSetsTest {

  private static final Setup SETUP = new Setup(1, 0.5, 1);

  private static <A> void add(RivalSet<A> made, A three, A twoOfWhichOneIsNew) {
    try (RivalSet<A> set = made) {
      assertThat(set.add(three)).isEqualTo(3);
      assertThat(set.add(twoOfWhichOneIsNew)).isEqualTo(1);
      assertThat(set.bytesOutside()).isNotNegative();
    }
  }

  @ParameterizedTest
  @EnumSource
  void setsOfNumbersTellWhatIsNew(SetRival rival) {
    add(rival.ofLongs(SETUP), new long[] {0, -1, 1L << 40}, new long[] {1L << 40, 2});
    add(rival.ofInts(SETUP), new int[] {0, -1, 1 << 20}, new int[] {1 << 20, 2});
  }

  private static <A> void search(NumberSet<A> made, A keys, A others) {
    try (NumberSet<A> set = made) {
      assertThat(set.addSingly(keys)).isEqualTo(3);
      assertThat(set.count(keys)).isEqualTo(set.countSingly(keys)).isEqualTo(3);
      assertThat(set.count(others)).isEqualTo(set.countSingly(others)).isEqualTo(1);
      set.clear();
      assertThat(set.count(keys)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void setsOfNumbersTellWhatIsThere(SetRival rival) {
    search(rival.ofLongs(SETUP), new long[] {0, -1, 1L << 40}, new long[] {1L << 40, 2});
    search(rival.ofInts(SETUP), new int[] {0, -1, 1 << 20}, new int[] {1 << 20, 2});
  }

  @ParameterizedTest
  @EnumSource
  void textsTellWhatIsNew(TextRival rival) {
    add(rival.open(1), List.of("a", "ab", "a longer text"), List.of("a longer text", "b"));
  }

  @Test
  void oursAreOutsideTheHeap() {
    try (RivalSet<long[]> numbers = SetRival.GYRE.ofLongs(SETUP);
        RivalSet<List<String>> texts = TextRival.GYRE_TEXT_SET.open(1)) {
      assertThat(numbers.bytesOutside()).isPositive();
      assertThat(texts.bytesOutside()).isPositive();
    }
  }
}

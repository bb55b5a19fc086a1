package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.bench.compare.Differences.Pair;
import dev.gyre.bench.measure.Row;
import java.util.List;
import org.junit.jupiter.api.Test;

class DifferencesTest {

  private static Pair pair(double before, double now) {
    Row earlier = Rows.insert("gyre-line", 2, 1000, before);
    Row later = Rows.insert("gyre-line", 2, 1000, now);
    List<Pair> pairs = Differences.pairs(List.of(earlier), List.of(later));
    assertThat(pairs).hasSize(1);
    return pairs.getFirst();
  }

  /** The spread of the rows is a tenth each way. */
  @Test
  void aFifthMoreTimeIsNotable() {
    assertThat(pair(1, 1.2).isNotable()).isTrue();
    assertThat(pair(1.2, 1).isNotable()).isTrue();
    assertThat(pair(1, 1.2).time()).isEqualTo(1.2);
  }

  @Test
  void whatIsWithinTheSpreadIsNot() {
    assertThat(pair(1, 1.05).isNotable()).isFalse();
    assertThat(pair(1, 0.95).isNotable()).isFalse();
  }

  @Test
  void otherThreadsOrParametersAreOtherRows() {
    Row one = Rows.insert("gyre-line", 1, 1000, 1);
    Row two = Rows.insert("gyre-line", 2, 1000, 1);
    Row zipf = Rows.row("map-insert", "gyre-line", "jvm", 1000, 1, "type=long keys=zipf", 1);
    assertThat(Differences.pairs(List.of(one), List.of(two, zipf))).isEmpty();
  }
}

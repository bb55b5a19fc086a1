package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.bench.measure.Row;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowerTest {

  private static String sentence(List<Row> rows) {
    return Slower.sentence(Ratios.all(new Ranking(rows)));
  }

  @Test
  void nothingIsToldWhereGyreIsFaster() {
    assertThat(sentence(Rows.all())).isEmpty();
  }

  @Test
  void whatTwoDigitsShowAsEqualIsNotSlower() {
    List<Row> rows = List.of(Rows.insert("gyre-line", 1, 10, 1), Rows.insert("HPPC", 1, 10, 0.996));
    assertThat(sentence(rows)).isEmpty();
  }

  /** Small rows hide no large ones: how far it goes is told, too. */
  @Test
  void theSlowestOfAKindSpeaksForTheOthers() {
    List<Row> rows = new ArrayList<>(Rows.all());
    rows.add(Rows.insert("HPPC", 1, 1 << 10, (1 << 10) * 0.25e-8));
    rows.add(Rows.insert("Agrona", 1, 1 << 20, (1 << 20) * 0.75e-8));
    assertThat(sentence(rows))
        .isEqualTo(
            "Slower than a rival in 2 of 6 comparisons; the slowest of each kind: insert 1,024"
                + " unique longs, 0.25 of HPPC (slower up to 1,048,576).");
  }
}

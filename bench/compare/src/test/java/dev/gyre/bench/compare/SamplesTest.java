package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.gyre.bench.compare.Samples.Interval;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class SamplesTest {

  private static Samples of(double... seconds) {
    Samples samples = new Samples();
    DoubleStream.of(seconds)
        .mapToObj(each -> Rows.insert("gyre-reference", 1, 1000, each))
        .forEach(samples::add);
    return samples;
  }

  @Test
  void aMedianIsSteadyIfNoForkMovesItFar() {
    assertThat(of(1, 1.04).isSteady()).isTrue();
    assertThat(of(1, 1.2).isSteady()).isFalse();
    // The middle of the forks agrees, whatever one of them met.
    assertThat(of(1, 1.02, 1.01, 1.03, 3).isSteady()).isTrue();
    assertThat(of(1, 1.2, 1.5).isSteady()).isFalse();
  }

  @Test
  void forksBecomeARow() {
    Row row = of(2, 1, 1.5).merged();
    assertThat(row.median()).isEqualTo(1.5);
    assertThat(row.min()).isEqualTo(1);
    assertThat(row.max()).isEqualTo(2);
    assertThat(row.forks()).isEqualTo(3);
    assertThat(row.throughput()).isCloseTo(1000 / 1.5, within(0.1));
    assertThat(row.collections()).isEqualTo(21);
    assertThat(row.pageFaults()).isEqualTo(33);
    assertThat(row.marks()).isEqualTo("unsteady spread");
    assertThat(of(1, 1.01, 1.02).merged().marks()).isEmpty();
  }

  @Test
  void theSpeedOfTwoBuildsHasAnInterval() {
    double[] forks = DoubleStream.iterate(1, x -> x + 0.001).limit(10).toArray();
    double[] slow = DoubleStream.of(forks).map(x -> x * 1.1).toArray();
    Interval same = of(forks).speedOf(of(forks));
    assertThat(same.low()).isLessThanOrEqualTo(1);
    assertThat(same.high()).isGreaterThanOrEqualTo(1);
    Interval slower = of(forks).speedOf(of(slow));
    assertThat(slower.ratio()).isCloseTo(1 / 1.1, within(1e-9));
    assertThat(slower.high()).isLessThan(Comparison.SLOWER_THAN_OLD);
    // What is noisy is not called slower.
    double[] noisy = slow.clone();
    for (int i = 0; i < noisy.length; i += 2) {
      noisy[i] *= 0.8;
    }
    assertThat(of(forks).speedOf(of(noisy)).high()).isGreaterThan(Comparison.SLOWER_THAN_OLD);
  }
}

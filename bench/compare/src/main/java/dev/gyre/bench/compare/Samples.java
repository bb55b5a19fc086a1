package dev.gyre.bench.compare;

import dev.gyre.bench.chart.Median;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The forks of one case: a row of each, with the median of the fork. */
final class Samples {

  /** By how much a fork may move the median at most, for the median to be steady. */
  static final double STEADY = 0.05;

  /** From which spread of the forks on a row is marked. */
  static final double SPREAD = 0.3;

  private static final int RESAMPLES = 4_000;
  private static final long SEED = 42;

  private final List<Row> forks = new ArrayList<>();

  void add(Row fork) {
    forks.add(fork);
  }

  private double[] medians() {
    return forks.stream().mapToDouble(Row::median).toArray();
  }

  /** Returns whether the median moves by no more than {@link #STEADY} if any fork is left out. */
  boolean isSteady() {
    double[] all = medians();
    double median = Median.of(all);
    if (all.length == 1) {
      return forks.getFirst().spread() <= STEADY;
    }
    return IntStream.range(0, all.length)
        .mapToDouble(
            left ->
                Median.of(
                    IntStream.range(0, all.length)
                        .filter(i -> i != left)
                        .mapToDouble(i -> all[i])
                        .toArray()))
        .allMatch(without -> Math.abs(without - median) <= STEADY * median);
  }

  /** Returns one row for all forks. */
  Row merged() {
    Row first = forks.getFirst();
    if (first.isMemory()) {
      return first;
    }
    double[] all = medians();
    double median = Median.of(all);
    boolean single = all.length == 1;
    long faults = forks.stream().mapToLong(Row::pageFaults).sum();
    Row merged =
        first.with(
            Map.of(
                "seconds_median",
                median,
                "seconds_min",
                single ? first.min() : DoubleStream.of(all).min().orElse(median),
                "seconds_max",
                single ? first.max() : DoubleStream.of(all).max().orElse(median),
                "forks",
                all.length,
                "collections",
                forks.stream().mapToLong(Row::collections).sum(),
                "collection_millis",
                forks.stream().mapToLong(Row::collectionMillis).sum(),
                "page_faults",
                Math.max(-1, faults),
                "throughput",
                first.throughput() * first.median() / median));
    Row steady = isSteady() ? merged : merged.marked("unsteady");
    return merged.spread() > SPREAD ? steady.marked("spread") : steady;
  }

  /**
   * Returns the speed of other forks against these, and the 95 % interval of it: resampled forks,
   * and the ratio of their medians.
   */
  Interval speedOf(Samples other) {
    double[] mine = medians();
    double[] theirs = other.medians();
    SplittableRandom random = new SplittableRandom(SEED);
    double[] ratios =
        DoubleStream.generate(
                () -> Median.of(resampled(mine, random)) / Median.of(resampled(theirs, random)))
            .limit(RESAMPLES)
            .sorted()
            .toArray();
    return new Interval(
        Median.of(mine) / Median.of(theirs),
        ratios[(int) (RESAMPLES * 0.025)],
        ratios[(int) (RESAMPLES * 0.975)]);
  }

  private static double[] resampled(double[] values, SplittableRandom random) {
    return IntStream.range(0, values.length)
        .mapToDouble(_ -> values[random.nextInt(values.length)])
        .toArray();
  }

  /** A ratio, and the interval in which it lies with 95 %. */
  record Interval(double ratio, double low, double high) {}
}

package dev.gyre.bench.chart;

import java.util.stream.DoubleStream;

/** The median of values: what every result of this project states. */
public final class Median {

  private Median() {}

  /** Returns the middle value, or the mean of the two in the middle. */
  public static double of(double... values) {
    double[] sorted = DoubleStream.of(values).sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}

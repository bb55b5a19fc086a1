package dev.gyre.bench.measure;

import dev.gyre.kernels.Stage;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Times calls, and prints a line for each.
 *
 * @param runs how often a call is timed
 */
record CallTimer(int runs) {

  private static final int WARMUPS = 3;
  private static final long WARM_NANOS = 1_500_000_000;

  /** A call to be timed. */
  interface Call {
    void run();

    default void before() {}
  }

  /**
   * Times calls once the JVM has compiled what is in their way: for so long it warms up.
   *
   * @param bytes what a call moves; 0 where that is not told
   */
  void time(String what, long bytes, Call call) {
    long until = System.nanoTime() + WARM_NANOS;
    for (int i = 0; i < WARMUPS || System.nanoTime() < until; i++) {
      call.before();
      call.run();
    }
    long[] nanos = new long[runs];
    for (int i = 0; i < runs; i++) {
      call.before();
      long begin = System.nanoTime();
      call.run();
      nanos[i] = System.nanoTime() - begin;
    }
    Arrays.sort(nanos);
    double median = nanos[runs / 2] / 1e6;
    System.out.printf(
        Locale.ROOT,
        "%-36s %10.3f ms, least %10.3f%s%n",
        what,
        median,
        nanos[0] / 1e6,
        bytes == 0 ? "" : String.format(Locale.ROOT, ", %.1f GB/s", bytes / 1e6 / median));
  }

  /**
   * Times two stages, each alone and both at once, by turns, once the JVM has compiled what is in
   * their way.
   */
  void both(String what, Supplier<Stage<?>> one, Supplier<Stage<?>> other) {
    List<Runnable> ways =
        List.of(
            () -> one.get().join(),
            () -> other.get().join(),
            () -> {
              Stage<?> first = one.get();
              Object _ = other.get().join();
              Object _ = first.join();
            });
    long until = System.nanoTime() + WARM_NANOS;
    for (int i = 0; i < WARMUPS || System.nanoTime() < until; i++) {
      ways.forEach(Runnable::run);
    }
    double[][] millis = new double[ways.size()][runs];
    for (int i = 0; i < runs; i++) {
      for (int way = 0; way < ways.size(); way++) {
        long begin = System.nanoTime();
        ways.get(way).run();
        millis[way][i] = (System.nanoTime() - begin) / 1e6;
      }
    }
    for (double[] times : millis) {
      Arrays.sort(times);
    }
    double alone = millis[0][runs / 2];
    double too = millis[1][runs / 2];
    double together = millis[2][runs / 2];
    System.out.printf(
        Locale.ROOT,
        "%-48s one %10.3f ms, other %10.3f, both %10.3f, by their sum %.2f%n",
        what,
        alone,
        too,
        together,
        together / (alone + too));
  }
}

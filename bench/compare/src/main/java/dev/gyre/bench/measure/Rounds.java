package dev.gyre.bench.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Times trials in rounds, so that what changes on the machine meanwhile changes all of them. In its
 * turn a trial runs again and again, for {@link #turnNanos} or twice, and what it did in the second
 * half counts: caches are then its own, as they are of the C++ rivals, which are alone in their
 * processes, and not what the trial before left there.
 *
 * @param warmups rounds that do not count, at most; at least one does not
 * @param runs rounds that do, at most
 * @param seconds half of which warming up may take, and after which no further round begins, if
 *     there have been {@link #LEAST}
 */
record Rounds(int warmups, int runs, double seconds) {

  /** Rounds that count, at least. */
  private static final int LEAST = 3;

  /** A turn takes so long, or so large a part of all seconds where that is less. */
  private static final double TURN_SECONDS = 0.1;

  private static final double TURN_SHARE = 0.01;

  static Rounds of(Arguments arguments) {
    return new Rounds(
        arguments.number("warmups", 30),
        arguments.number("runs", 11),
        arguments.real("seconds", 20));
  }

  /** Times all trials; nanoseconds of each run that counts. */
  Map<Trial, List<Long>> measure(List<? extends Trial> trials) {
    Map<Trial, List<Long>> times = new LinkedHashMap<>();
    long start = System.nanoTime();
    int counted = 0;
    double told = 0;
    for (int round = 0; counted < runs; round++) {
      double elapsed = (System.nanoTime() - start) / 1e9;
      if (elapsed > seconds && counted >= LEAST) {
        break;
      }
      boolean counts = round > 0 && (round >= warmups || elapsed > seconds / 2);
      for (Trial trial : trials) {
        List<Long> own = turn(trial);
        if (counts) {
          times.computeIfAbsent(trial, _ -> new ArrayList<>()).addAll(own);
        }
      }
      counted += counts ? 1 : 0;
      double share = Math.min(1, Math.max(counted / (double) runs, elapsed / seconds));
      if (share - told >= 0.001) {
        progress(share);
        told = share;
      }
    }
    return times;
  }

  private long turnNanos() {
    return (long) (Math.min(TURN_SECONDS, seconds * TURN_SHARE) * 1e9);
  }

  private List<Long> turn(Trial trial) {
    long nanos = turnNanos();
    long begin = System.nanoTime();
    do {
      long _ = time(trial);
    } while (System.nanoTime() - begin < nanos / 2);
    List<Long> times = new ArrayList<>();
    do {
      times.add(time(trial));
    } while (System.nanoTime() - begin < nanos);
    return times;
  }

  private static long time(Trial trial) {
    trial.before();
    long begin = System.nanoTime();
    trial.run();
    long nanos = System.nanoTime() - begin;
    trial.after();
    return nanos;
  }

  /** Tells whoever reads the output how much of the work is done. */
  static void progress(double share) {
    System.out.printf(java.util.Locale.ROOT, "@progress %.3f%n", share);
    System.out.flush();
  }
}

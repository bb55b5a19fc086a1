package dev.gyre.bench.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Times trials in rounds, each once per round, so that what changes on the machine meanwhile
 * changes all of them.
 *
 * @param warmups rounds that do not count
 * @param runs rounds that do, at most
 * @param seconds after which no further round begins, if there have been {@link #LEAST}
 */
record Rounds(int warmups, int runs, double seconds) {

  /** Rounds that count, at least. */
  private static final int LEAST = 3;

  static Rounds of(Arguments arguments) {
    return new Rounds(
        arguments.number("warmups", 3),
        arguments.number("runs", 11),
        arguments.real("seconds", 20));
  }

  /** Times all trials; nanoseconds of each run that counts. */
  Map<Trial, List<Long>> measure(List<? extends Trial> trials) {
    Map<Trial, List<Long>> times = new LinkedHashMap<>();
    trials.forEach(trial -> times.put(trial, new ArrayList<>()));
    long start = System.nanoTime();
    for (int round = -warmups; round < runs; round++) {
      boolean late = System.nanoTime() - start > seconds * 1e9;
      if (late && round >= LEAST) {
        break;
      }
      // Where even warming up takes too long, once must be enough.
      if (late && round < 0) {
        round = 0;
      }
      for (Trial trial : trials) {
        trial.before();
        long begin = System.nanoTime();
        trial.run();
        long nanos = System.nanoTime() - begin;
        trial.after();
        if (round >= 0) {
          times.get(trial).add(nanos);
        }
      }
      progress((round + warmups + 1.0) / (runs + warmups));
    }
    return times;
  }

  /** Tells whoever reads the output how much of the work is done. */
  static void progress(double share) {
    System.out.printf(java.util.Locale.ROOT, "@progress %.3f%n", share);
    System.out.flush();
  }
}

package dev.gyre.bench.map;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that each take a part of the keys; the caller's own thread if one is enough. */
final class Team implements AutoCloseable {

  /** What a thread does with the keys in a range, whose end is exclusive. */
  @FunctionalInterface
  interface Part {
    long run(int from, int to);
  }

  private final int threads;
  private final ExecutorService pool;

  Team(int threads) {
    this.threads = threads;
    this.pool = Executors.newFixedThreadPool(threads);
  }

  /** Runs all parts to their end, and returns their sum. */
  long all(int length, Part part) {
    if (threads == 1) {
      return part.run(0, length);
    }
    List<Future<Long>> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int from = (int) ((long) length * t / threads);
      int to = (int) ((long) length * (t + 1) / threads);
      running.add(pool.submit(() -> part.run(from, to)));
    }
    long sum = 0;
    try {
      for (Future<Long> each : running) {
        sum += each.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
    return sum;
  }

  @Override
  public void close() {
    pool.close();
  }
}

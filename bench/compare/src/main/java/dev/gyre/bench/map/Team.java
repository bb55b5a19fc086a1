package dev.gyre.bench.map;

import static java.util.concurrent.CompletableFuture.supplyAsync;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

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
    List<CompletableFuture<Long>> running =
        IntStream.range(0, threads)
            .mapToObj(
                t -> supplyAsync(() -> part.run(begin(length, t), begin(length, t + 1)), pool))
            .toList();
    return running.stream().mapToLong(CompletableFuture::join).sum();
  }

  private int begin(int length, int thread) {
    return (int) ((long) length * thread / threads);
  }

  @Override
  public void close() {
    pool.close();
  }
}

package dev.gyre.structures.map.work;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a bulk operation on a device into pieces, of which several are under way at a time: while
 * the kernel of one runs, the keys of the next are copied to the device, those of another to where
 * they are copied from, and what became of a third comes back. Each has a scratch memory of its
 * own.
 */
public final class Pieces {

  /** Pieces under way: one at each of those places. */
  public static final int AT_ONCE = 4;

  /** An operation is cut into so many, as far as they come out neither too small nor too large. */
  private static final int USUAL = 8;

  /** Fewest and most keys of a piece, beyond which launches, or memory that is locked, count. */
  private static final int SMALLEST = 1 << 18;

  private static final int LARGEST = 1 << 21;

  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("gyre-pieces-", 0).factory());

  /** Does the keys from some place on. */
  @FunctionalInterface
  public interface Piece {

    /**
     * Does them.
     *
     * @param later keys that are neither done nor in this piece
     */
    void run(long from, int length, long later);
  }

  private final long keys;
  private final int length;
  private final Piece piece;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicLong left;
  private @Nullable RuntimeException failure;

  private Pieces(long keys, int length, Piece piece) {
    this.keys = keys;
    this.length = length;
    this.piece = piece;
    this.left = new AtomicLong(keys);
  }

  /** Keys of a piece on a device. */
  public static int lengthFor(long keys) {
    return lengthFor(keys, LARGEST);
  }

  /** The same with so many keys at most. */
  public static int lengthFor(long keys, int largest) {
    return Math.clamp(Math.ceilDiv(keys, USUAL), SMALLEST, largest);
  }

  /**
   * Does all keys: a single piece on the thread that calls, which an interrupt then reaches; of
   * several, those of that thread.
   *
   * @throws RuntimeException what the first one threw that failed; no other has begun since, and
   *     all have ended
   */
  public static void run(long keys, int length, Piece piece) {
    run(keys, length, piece, THREADS);
  }

  /** The same with another number of pieces under way. */
  public static void run(long keys, int length, int atOnce, Piece piece) {
    run(keys, length, atOnce, piece, THREADS);
  }

  static void run(long keys, int length, Piece piece, ExecutorService executor) {
    run(keys, length, AT_ONCE, piece, executor);
  }

  private static void run(
      long keys, int length, int atOnce, Piece piece, ExecutorService executor) {
    Pieces all = new Pieces(keys, length, piece);
    // Others, which its interrupt does not reach, begin nothing that it is about to give up.
    boolean alone = Thread.currentThread().isInterrupted();
    int threads = alone ? 1 : (int) Math.min(atOnce, Math.ceilDiv(keys, length));
    List<Future<?>> others = new ArrayList<>();
    try {
      for (int i = 1; i < threads; i++) {
        others.add(executor.submit(all::work));
      }
    } catch (RuntimeException | Error e) {
      // There may be no thread to be had; those that have begun use what is the caller's.
      all.fail(e);
    }
    all.work();
    awaitAll(others);
    all.requireDone();
  }

  private void work() {
    long from = nextFrom();
    while (from < keys && !hasFailed()) {
      int count = (int) Math.min(length, keys - from);
      try {
        piece.run(from, count, left.get() - count);
      } catch (RuntimeException | Error e) {
        fail(e);
      }
      left.addAndGet(-count);
      from = nextFrom();
    }
  }

  private long nextFrom() {
    return (long) next.getAndIncrement() * length;
  }

  private synchronized boolean hasFailed() {
    return failure != null;
  }

  @SuppressWarnings("ReferenceEquality") // An exception cannot suppress itself.
  private synchronized void fail(Throwable e) {
    RuntimeException told =
        e instanceof RuntimeException known ? known : new IllegalStateException(e);
    if (failure == null) {
      failure = told;
    } else if (failure != told) {
      failure.addSuppressed(told);
    }
  }

  private synchronized void requireDone() {
    if (failure != null) {
      throw failure;
    }
  }

  private static void awaitAll(List<Future<?>> others) {
    boolean interrupted = false;
    for (Future<?> other : others) {
      boolean ended = false;
      while (!ended) {
        try {
          Object _ = other.get();
          ended = true;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

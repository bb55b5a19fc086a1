package dev.gyre.structures.map.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a bulk operation on a device into chunks, several of which are in flight.
 *
 * <p>While the kernel of one chunk runs, the keys of the next are copied to the device, another is
 * staged, and the results of a third are copied back. Each chunk has separate scratch memory.
 */
public final class Pieces {

  /** Number of chunks in flight: one in each of these stages. */
  public static final int AT_ONCE = 4;

  /** Usual number of chunks of an operation, if they are neither too small nor too large. */
  private static final int USUAL = 8;

  /**
   * Smallest and largest number of keys of a chunk: beyond them, launches or pinned memory
   * dominate.
   */
  private static final int SMALLEST = 1 << 18;

  private static final int LARGEST = 1 << 21;

  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("gyre-pieces-", 0).factory());

  /** Operation on the keys from an index on. */
  @FunctionalInterface
  public interface Piece {

    /**
     * Processes a chunk.
     *
     * @param later number of keys that are neither done nor in this chunk
     */
    void run(long from, int length, long later);
  }

  private final long keys;
  private final int length;
  private final Piece piece;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicLong left;
  private @Nullable Throwable failure;

  private Pieces(long keys, int length, Piece piece) {
    this.keys = keys;
    this.length = length;
    this.piece = piece;
    this.left = new AtomicLong(keys);
  }

  /** Returns the number of keys of a chunk on a device. */
  public static int lengthFor(long keys) {
    return Math.clamp(Math.ceilDiv(keys, USUAL), SMALLEST, LARGEST);
  }

  /**
   * Processes all keys: on the calling thread and, if there are several chunks, on others. An
   * interrupt of the calling thread reaches only the chunks that it processes itself.
   *
   * <p>Throws what the first chunk that failed threw. By then all chunks that had begun have ended.
   */
  public static void run(long keys, int length, Piece piece) {
    run(keys, length, AT_ONCE, piece, THREADS);
  }

  /** Processes all keys with another number of chunks in flight. */
  public static void run(long keys, int length, int atOnce, Piece piece) {
    run(keys, length, atOnce, piece, THREADS);
  }

  static void run(long keys, int length, int atOnce, Piece piece, ExecutorService executor) {
    Pieces all = new Pieces(keys, length, piece);
    // If the thread is interrupted, other threads, which the interrupt does not reach, must not
    // begin.
    boolean alone = Thread.currentThread().isInterrupted();
    int threads = alone ? 1 : (int) Math.min(atOnce, Math.ceilDiv(keys, length));
    // With capacity for all: the future of a thread that has started must not be lost.
    List<Future<?>> others = new ArrayList<>(threads);
    try {
      for (int i = 1; i < threads; i++) {
        others.add(executor.submit(all::work));
      }
    } catch (RuntimeException | Error e) {
      // No thread may be available; started threads still use memory of the caller.
      all.fail(e);
    }
    all.work();
    all.awaitAll(others);
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

  @SuppressWarnings("ReferenceEquality") // An exception cannot be suppressed in itself.
  private synchronized void fail(Throwable e) {
    if (failure == null) {
      failure = e;
    } else if (failure != e) {
      try {
        failure.addSuppressed(e);
      } catch (OutOfMemoryError lacking) {
        // Without heap, the first failure is reported alone.
      }
    }
  }

  private synchronized void requireDone() {
    switch (failure) {
      case null -> {}
      case Error e -> throw e;
      case RuntimeException e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }

  /** Waits for all threads, even if some fail: they use memory of the caller. */
  private void awaitAll(List<Future<?>> others) {
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
          fail(Objects.requireNonNullElse(e.getCause(), e));
          ended = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.gyre.structures.map.work;

import dev.gyre.structures.RetiredMemories;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Cache of the scratch memory of a map's last bulk operations: as many large ones as an operation
 * uses at a time, and small ones for threads with small operations.
 */
public final class ScratchPool<S extends ScratchBuffer> implements AutoCloseable {

  /** Smallest number of keys of a scratch memory; a power of two. */
  private static final int SMALLEST = 1 << 6;

  /** Largest number of keys of a small one; a power of two. */
  private static final int SMALL = 1 << 12;

  /**
   * Largest number of small ones. Many threads may be in an operation at the same time, for example
   * waiting for growth; {@link RetiredMemories} says why none of them should free one.
   */
  private static final int MOST_SMALL = 1 << 10;

  /** Approximate largest size of all small ones, in bytes. */
  private static final long MAX_SMALL_BYTES = 1 << 24;

  /** Largest number of large ones: as many as an operation uses at a time. */
  private static final int MOST_LARGE = Pieces.AT_ONCE;

  /** Allocates one for a number of keys and workers, whose keys may be ordered. */
  @FunctionalInterface
  public interface Maker<S> {
    S make(int length, int workers, boolean ordered);
  }

  private final Maker<S> maker;
  private final AtomicReferenceArray<@Nullable S> large = new AtomicReferenceArray<>(MOST_LARGE);
  private final AtomicReferenceArray<@Nullable S> small = new AtomicReferenceArray<>(MOST_SMALL);

  /** Size of the small ones that are kept, in bytes. */
  private final AtomicLong smallBytes = new AtomicLong();

  private final RetiredMemories spent = new RetiredMemories();
  private volatile boolean closed;

  public ScratchPool(Maker<S> maker) {
    this.maker = maker;
  }

  /** Calls {@link #borrow(int, int, boolean)} for keys that are not ordered. */
  public S borrow(int length, int workers) {
    return borrow(length, workers, false);
  }

  /** Returns scratch memory for a number of keys and workers, new or from the cache. */
  public S borrow(int length, int workers, boolean ordered) {
    if (length > SMALL) {
      S kept = take(large, 0, length, workers, ordered);
      return kept == null ? maker.make(length, workers, ordered) : kept;
    }
    S kept = take(small, home(), length, workers, ordered);
    if (kept != null) {
      smallBytes.addAndGet(-kept.bytes);
    }
    // Few different lengths, so that different operations can use it.
    int rounded = Integer.highestOneBit(2 * Math.max(length, SMALLEST) - 1);
    return kept == null ? maker.make(rounded, workers, ordered) : kept;
  }

  private @Nullable S take(
      AtomicReferenceArray<@Nullable S> from, int first, int length, int workers, boolean ordered) {
    for (int i = 0; i < from.length(); i++) {
      int place = (first + i) % from.length();
      S kept = from.get(place);
      if (kept != null
          && kept.holds(length, workers, ordered)
          && from.compareAndSet(place, kept, null)) {
        return kept;
      }
    }
    return null;
  }

  /** Returns the place that a thread tries first, so that threads do not exchange memory. */
  private int home() {
    return (int) (Thread.currentThread().threadId() % MOST_SMALL);
  }

  /** Calls {@link #giveBack(ScratchBuffer, int)} for an operation that uses one at a time. */
  public void giveBack(S scratch) {
    giveBack(scratch, 1);
  }

  /**
   * Keeps one for the next operation, or frees it if there are enough.
   *
   * @param atOnce number of large ones that an operation uses at a time
   */
  public void giveBack(S scratch, int atOnce) {
    if (scratch.length > SMALL) {
      free(put(large, scratch, 0, Math.min(atOnce, MOST_LARGE)));
    } else if (smallBytes.addAndGet(scratch.bytes) <= MAX_SMALL_BYTES) {
      freeSmall(put(small, scratch, home(), small.length()));
    } else {
      freeSmall(scratch);
    }
    // The map may have been closed meanwhile.
    if (closed) {
      close();
    }
  }

  /** Runs work with one, and frees it if the work fails, because a kernel may still write to it. */
  public <R> R use(S scratch, Supplier<R> work) {
    boolean ended = false;
    try {
      R result = work.get();
      ended = true;
      return result;
    } finally {
      if (ended) {
        giveBack(scratch);
      } else {
        free(scratch);
      }
    }
  }

  /**
   * Keeps one, in place of another if all places are taken: the latest is the most likely to
   * suffice.
   *
   * @return the other, or null
   */
  private @Nullable S put(AtomicReferenceArray<@Nullable S> to, S scratch, int first, int places) {
    for (int i = 0; i < places; i++) {
      if (to.compareAndSet((first + i) % places, null, scratch)) {
        return null;
      }
    }
    return to.getAndSet(first, scratch);
  }

  /** Frees all; memories in use are freed when this is closed. */
  public void drop() {
    for (int i = 0; i < large.length(); i++) {
      free(large.getAndSet(i, null));
    }
    for (int i = 0; i < small.length(); i++) {
      freeSmall(small.getAndSet(i, null));
    }
  }

  /** Frees one that was borrowed, when it is no longer in use. */
  public void giveUp(S scratch) {
    free(scratch);
  }

  /** Frees one of the small ones that are kept. */
  private void freeSmall(@Nullable S scratch) {
    if (scratch != null) {
      smallBytes.addAndGet(-scratch.bytes);
      free(scratch);
    }
  }

  private void free(@Nullable S scratch) {
    if (scratch != null) {
      spent.free(scratch.all());
    }
  }

  /**
   * Frees all. May be called again.
   *
   * @throws dev.gyre.atomics.MemoryInUseException if some are still in use
   */
  @Override
  public void close() {
    closed = true;
    drop();
    spent.close();
  }
}

package dev.gyre.structures.map.work;

import dev.gyre.structures.SpentMemories;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the scratch memory of a map's last bulk operations for the next ones: as many large ones as
 * an operation uses at a time, and small ones for threads that do small operations at the same
 * time.
 */
public final class Scratches<S extends Scratch> implements AutoCloseable {

  /** Fewest keys that one is for; a power of two. */
  private static final int SMALLEST = 1 << 6;

  /** Most keys of one that is small; a power of two. */
  private static final int SMALL = 1 << 12;

  /**
   * Most small ones that are kept. Many threads are in the middle of an operation at a time, such
   * as threads that wait for growth; {@link SpentMemories} says why none of them should free one.
   */
  private static final int MOST_SMALL = 1 << 10;

  /** Most bytes of small ones that are kept, about. */
  private static final long MAX_SMALL_BYTES = 1 << 24;

  /** Most large ones that are kept: as many as an operation uses at a time. */
  private static final int MOST_LARGE = Pieces.AT_ONCE;

  /** Makes one for so many keys and workers, whose keys may have to be put in order. */
  @FunctionalInterface
  public interface Maker<S> {
    S make(int length, int workers, boolean ordered);
  }

  private final Maker<S> maker;
  private final AtomicReferenceArray<@Nullable S> large = new AtomicReferenceArray<>(MOST_LARGE);
  private final AtomicReferenceArray<@Nullable S> small = new AtomicReferenceArray<>(MOST_SMALL);

  /** Bytes of the small ones that are kept. */
  private final AtomicLong smallBytes = new AtomicLong();

  private final SpentMemories spent = new SpentMemories();
  private volatile boolean closed;

  public Scratches(Maker<S> maker) {
    this.maker = maker;
  }

  /** {@link #borrow(int, int, boolean)} for keys that stay in their order. */
  public S borrow(int length, int workers) {
    return borrow(length, workers, false);
  }

  /** Scratch memory for so many keys and workers; new, or what was given back. */
  public S borrow(int length, int workers, boolean ordered) {
    if (length > SMALL) {
      S kept = take(large, 0, length, workers, ordered);
      return kept == null ? maker.make(length, workers, ordered) : kept;
    }
    S kept = take(small, home(), length, workers, ordered);
    if (kept != null) {
      smallBytes.addAndGet(-kept.bytes);
    }
    // Of few different lengths, so that one operation after another can use it.
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

  /** Where a thread looks first, so that threads do not share one in turns. */
  private int home() {
    return (int) (Thread.currentThread().threadId() % MOST_SMALL);
  }

  /** {@link #giveBack(Scratch, int)} of an operation that uses one at a time. */
  public void giveBack(S scratch) {
    giveBack(scratch, 1);
  }

  /**
   * Keeps one for the next operation, or frees it where there are enough.
   *
   * @param atOnce how many large ones an operation uses at a time
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

  /** Does work with one, and frees it where that fails, since a kernel may still write to it. */
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
   * Keeps one, in place of another where all places are taken: the latest is the likeliest to do.
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

  /** Keeps nothing for the next operation; what is in use is freed when this is closed. */
  public void drop() {
    for (int i = 0; i < large.length(); i++) {
      free(large.getAndSet(i, null));
    }
    for (int i = 0; i < small.length(); i++) {
      freeSmall(small.getAndSet(i, null));
    }
  }

  /** Frees one that was borrowed, as soon as nobody uses it. */
  public void giveUp(S scratch) {
    free(scratch);
  }

  /** Frees one that is counted among the small ones that are kept. */
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
   * Keeps nothing any more; may be called again.
   *
   * @throws dev.gyre.atomics.MemoryInUseException if some is still in use
   */
  @Override
  public void close() {
    closed = true;
    drop();
    spent.close();
  }
}

package dev.gyre.structures.map.work;

import dev.gyre.structures.SpentMemories;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the scratch memory of a map's last bulk operations for the next ones: as many large ones as
 * an operation uses at a time, and small ones for threads that do small operations at the same
 * time.
 */
public final class Scratches<S extends Scratch> implements AutoCloseable {

  /** Most keys of one that is small. */
  private static final int SMALL = 1 << 12;

  private static final int MOST = 8;

  /** Most large ones that are kept: of an operation on a group, whose parts have all its pieces. */
  private static final int MOST_LARGE = 8 * Pieces.AT_ONCE;

  /** Makes one for so many keys and workers, whose keys may have to be put in order. */
  @FunctionalInterface
  public interface Maker<S> {
    S make(int length, int workers, boolean ordered);
  }

  private final Maker<S> maker;
  private final AtomicReferenceArray<@Nullable S> large = new AtomicReferenceArray<>(MOST_LARGE);
  private final AtomicReferenceArray<@Nullable S> small =
      new AtomicReferenceArray<>(Math.min(MOST, Runtime.getRuntime().availableProcessors()));
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
    S kept = length <= SMALL ? take(small, home()) : take(large, 0);
    if (kept != null && kept.holds(length, workers, ordered)) {
      return kept;
    }
    free(kept);
    return maker.make(length, workers, ordered);
  }

  private @Nullable S take(AtomicReferenceArray<@Nullable S> from, int first) {
    S kept = null;
    for (int i = 0; i < from.length() && kept == null; i++) {
      kept = from.getAndSet((first + i) % from.length(), null);
    }
    return kept;
  }

  /** Where a thread looks first, so that threads do not share one in turns. */
  private int home() {
    return (int) (Thread.currentThread().threadId() % small.length());
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
    boolean kept =
        scratch.length <= SMALL
            ? put(small, scratch, home(), small.length())
            : put(large, scratch, 0, Math.min(atOnce, MOST_LARGE));
    if (!kept) {
      // The latest is the likeliest to do for the next.
      free(scratch.length <= SMALL ? scratch : large.getAndSet(0, scratch));
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

  /** Keeps one where there is a place for it, and returns whether there is. */
  private boolean put(AtomicReferenceArray<@Nullable S> to, S scratch, int first, int places) {
    boolean kept = false;
    for (int i = 0; i < places && !kept; i++) {
      kept = to.compareAndSet((first + i) % places, null, scratch);
    }
    return kept;
  }

  /** Keeps nothing for the next operation; what is in use is freed when this is closed. */
  public void drop() {
    for (AtomicReferenceArray<@Nullable S> kept : List.of(large, small)) {
      for (int i = 0; i < kept.length(); i++) {
        free(kept.getAndSet(i, null));
      }
    }
  }

  /** Frees one that was borrowed, as soon as nobody uses it. */
  public void giveUp(S scratch) {
    free(scratch);
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

package dev.gyre.structures.map.work;

import dev.gyre.structures.SpentMemories;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the scratch memory of a map's last bulk operations for the next ones: one that is large,
 * and small ones for threads that do small operations at the same time.
 */
public final class Scratches<S extends Scratch> implements AutoCloseable {

  /** Most keys of one that is small. */
  private static final int SMALL = 1 << 12;

  private static final int MOST = 8;

  /** Makes one for so many keys and workers, whose keys may have to be put in order. */
  @FunctionalInterface
  public interface Maker<S> {
    S make(int length, int workers, boolean ordered);
  }

  private final Maker<S> maker;
  private final AtomicReference<@Nullable S> large = new AtomicReference<>();
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
    S kept = length <= SMALL ? takeSmall() : large.getAndSet(null);
    if (kept != null && kept.holds(length, workers, ordered)) {
      return kept;
    }
    free(kept);
    return maker.make(length, workers, ordered);
  }

  private @Nullable S takeSmall() {
    int home = home();
    S kept = null;
    for (int i = 0; i < small.length() && kept == null; i++) {
      kept = small.getAndSet((home + i) % small.length(), null);
    }
    return kept;
  }

  /** Where a thread looks first, so that threads do not share one in turns. */
  private int home() {
    return (int) (Thread.currentThread().threadId() % small.length());
  }

  public void giveBack(S scratch) {
    free(scratch.length <= SMALL ? putSmall(scratch) : large.getAndSet(scratch));
    // The map may have been closed meanwhile.
    if (closed) {
      close();
    }
  }

  /** Keeps one where there is a place for it; else returns it. */
  private @Nullable S putSmall(S scratch) {
    int home = home();
    boolean kept = false;
    for (int i = 0; i < small.length() && !kept; i++) {
      kept = small.compareAndSet((home + i) % small.length(), null, scratch);
    }
    return kept ? null : scratch;
  }

  /** Keeps nothing for the next operation; what is in use is freed when this is closed. */
  public void drop() {
    free(large.getAndSet(null));
    for (int i = 0; i < small.length(); i++) {
      free(small.getAndSet(i, null));
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

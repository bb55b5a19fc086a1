package dev.gyre.structures.map;

import dev.gyre.structures.SpentMemories;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the scratch memory of a map's last bulk operations for the next ones: one stage that is
 * large, and small ones for threads that do small operations at the same time.
 */
final class Stages<S extends Stage> implements AutoCloseable {

  /** Most keys of a stage that is small. */
  private static final int SMALL = 1 << 12;

  private static final int MOST = 8;

  /** Makes a stage for so many keys and workers, whose keys may have to be put in order. */
  @FunctionalInterface
  interface Maker<S> {
    S make(int length, int workers, boolean ordered);
  }

  private final Maker<S> maker;
  private final AtomicReference<@Nullable S> large = new AtomicReference<>();
  private final AtomicReferenceArray<@Nullable S> small =
      new AtomicReferenceArray<>(Math.min(MOST, Runtime.getRuntime().availableProcessors()));
  private final SpentMemories spent = new SpentMemories();
  private volatile boolean closed;

  Stages(Maker<S> maker) {
    this.maker = maker;
  }

  /** {@link #borrow(int, int, boolean)} for keys that stay in their order. */
  S borrow(int length, int workers) {
    return borrow(length, workers, false);
  }

  /** Scratch memory for so many keys and workers; new, or what was given back. */
  S borrow(int length, int workers, boolean ordered) {
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

  /** Where a thread looks first, so that threads do not share a stage in turns. */
  private int home() {
    return (int) (Thread.currentThread().threadId() % small.length());
  }

  void giveBack(S stage) {
    free(stage.length <= SMALL ? putSmall(stage) : large.getAndSet(stage));
    // The map may have been closed meanwhile.
    if (closed) {
      close();
    }
  }

  /** Keeps a stage where there is a place for it; else returns it. */
  private @Nullable S putSmall(S stage) {
    int home = home();
    boolean kept = false;
    for (int i = 0; i < small.length() && !kept; i++) {
      kept = small.compareAndSet((home + i) % small.length(), null, stage);
    }
    return kept ? null : stage;
  }

  /** Keeps nothing for the next operation; what is in use is freed when this is closed. */
  void drop() {
    free(large.getAndSet(null));
    for (int i = 0; i < small.length(); i++) {
      free(small.getAndSet(i, null));
    }
  }

  private void free(@Nullable S stage) {
    if (stage != null) {
      spent.free(stage.all());
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

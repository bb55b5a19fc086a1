package dev.gyre.structures.map;

import dev.gyre.structures.SpentMemories;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Keeps the scratch memory of a map's last bulk operation for the next one. */
final class LongStages implements AutoCloseable {

  private final AtomicReference<@Nullable LongStage> spare = new AtomicReference<>();
  private final SpentMemories spent = new SpentMemories();
  private volatile boolean closed;

  /** Scratch memory for so many keys and workers; new, or what was given back. */
  LongStage borrow(int length, int workers, boolean ordered) {
    LongStage kept = spare.getAndSet(null);
    if (kept != null && kept.holds(length, workers, ordered)) {
      return kept;
    }
    free(kept);
    return new LongStage(length, workers, ordered);
  }

  void giveBack(LongStage stage) {
    free(spare.getAndSet(stage));
    // The map may have been closed meanwhile.
    if (closed) {
      close();
    }
  }

  /** Keeps nothing for the next operation; what is in use is freed when this is closed. */
  void drop() {
    free(spare.getAndSet(null));
  }

  private void free(@Nullable LongStage stage) {
    if (stage != null) {
      spent.free(stage.memories());
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

package dev.gyre.structures.map;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Keeps the scratch memory of a map's last bulk operation for the next one. */
final class LongStages implements AutoCloseable {

  private final AtomicReference<@Nullable LongStage> spare = new AtomicReference<>();
  private volatile boolean closed;

  /** Scratch memory for so many keys and workers; new, or what was given back. */
  LongStage borrow(int length, int workers, boolean ordered) {
    LongStage kept = spare.getAndSet(null);
    if (kept != null && kept.holds(length, workers, ordered)) {
      return kept;
    }
    if (kept != null) {
      kept.close();
    }
    return new LongStage(length, workers, ordered);
  }

  void giveBack(LongStage stage) {
    LongStage other = spare.getAndSet(stage);
    if (other != null) {
      other.close();
    }
    // The map may have been closed meanwhile.
    if (closed) {
      drop();
    }
  }

  /** Frees what is kept. */
  void drop() {
    LongStage kept = spare.getAndSet(null);
    if (kept != null) {
      kept.close();
    }
  }

  /** Keeps nothing any more. */
  @Override
  public void close() {
    closed = true;
    drop();
  }
}

package dev.gyre.structures.map;

import dev.gyre.structures.SpentMemories;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Keeps the scratch memory of a map's last bulk operations for the next ones. */
final class TextStages implements AutoCloseable {

  /** One for each thread that may be at it, within reason. */
  private final BlockingQueue<TextStage> spares =
      new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());

  private final SpentMemories spent = new SpentMemories();
  private volatile boolean closed;

  /** Scratch memory for so many keys and workers; new, or what was given back. */
  TextStage borrow(int length, int workers) {
    TextStage kept = spares.poll();
    if (kept != null && kept.holds(length, workers)) {
      return kept;
    }
    if (kept != null) {
      spent.free(kept.all());
    }
    return new TextStage(length, workers);
  }

  void giveBack(TextStage stage) {
    if (!spares.offer(stage)) {
      spent.free(stage.all());
    }
    // The map may have been closed meanwhile.
    if (closed) {
      close();
    }
  }

  /** Keeps nothing for the next operation; what is in use is freed when this is closed. */
  void drop() {
    for (TextStage kept = spares.poll(); kept != null; kept = spares.poll()) {
      spent.free(kept.all());
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

package dev.gyre.structures.map;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Keeps the scratch memory of a map's last bulk operations for the next ones. */
final class TextStages implements AutoCloseable {

  /** One for each thread that may be at it, within reason. */
  private final BlockingQueue<TextStage> spares =
      new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());

  private volatile boolean closed;

  /** Scratch memory for so many keys and workers; new, or what was given back. */
  TextStage borrow(int length, int workers) {
    TextStage kept = spares.poll();
    if (kept != null && kept.holds(length, workers)) {
      return kept;
    }
    if (kept != null) {
      kept.close();
    }
    return new TextStage(length, workers);
  }

  void giveBack(TextStage stage) {
    if (!spares.offer(stage)) {
      stage.close();
    }
    // The map may have been closed meanwhile.
    if (closed) {
      drop();
    }
  }

  /** Frees what is kept. */
  void drop() {
    for (TextStage kept = spares.poll(); kept != null; kept = spares.poll()) {
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

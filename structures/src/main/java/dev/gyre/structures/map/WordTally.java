package dev.gyre.structures.map;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the words of a text with a map. Each worker takes pieces of the text and adds them to its
 * own combiner.
 */
final class WordTally {

  /** Smallest size of a worker's share, in bytes. */
  private static final long LEAST_WORK = 1 << 16;

  private static final long LEAST_PIECE = 1 << 14;
  private static final long LARGEST_PIECE = 1 << 20;

  /** Pieces per worker, enough that a late one does not delay the others. */
  private static final int PIECES = 8;

  private final TextStore store;
  private final MemorySegment text;
  private final Words words;
  private final long piece;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong counted = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  private WordTally(TextStore store, MemorySegment text, Words words, long workers) {
    this.store = store;
    this.text = text;
    this.words = words;
    this.piece = Math.clamp(text.byteSize() / (PIECES * workers), LEAST_PIECE, LARGEST_PIECE);
  }

  /** Counts all words; returns their number. */
  static long run(TextStore store, MemorySegment text, Words words) {
    Longs.requireShared(text);
    Memories.requireReadable(text);
    Workers workers = store.workers();
    long most = Math.max(1, Math.ceilDiv(text.byteSize(), LEAST_WORK));
    long used = Math.min(workers.count(), most);
    WordTally tally = new WordTally(store, text, words, used);
    try {
      workers.run("countWords", TaskRange.cut(0, used, 1), (_, _) -> tally.countPieces());
    } catch (RuntimeException e) {
      RuntimeException failure = orClosed(store, e);
      if (failure instanceof GyreException ours) {
        // Replaces the progress that an exception of a combiner reported for its batch.
        tally.attachCounts(ours);
      }
      throw failure;
    }
    if (tally.refused.get() > 0) {
      MapFullException full = new MapFullException(store.name(), store.capacity());
      tally.attachCounts(full);
      throw full;
    }
    return tally.counted.get();
  }

  /**
   * Returns the exception to throw for a failure: closing the map cancels its launches, and a
   * ClosedException says so.
   */
  private static RuntimeException orClosed(TextStore store, RuntimeException failure) {
    try {
      store.requireOpen();
      return failure;
    } catch (ClosedException e) {
      return e;
    }
  }

  private void attachCounts(GyreException failure) {
    long known = counted.get();
    failure.attach(
        known, "%d words are known to be counted; the rest may be counted or not", known);
  }

  private void countPieces() {
    try (TextCombiner combiner = new TextCombiner(store, Apply.ADD)) {
      long all = 0;
      long from = next.getAndAdd(piece);
      while (from < text.byteSize()) {
        all += combiner.addWords(text, from, Math.min(text.byteSize(), from + piece), words, 1);
        from = next.getAndAdd(piece);
      }
      long full = combiner.flush().full();
      refused.addAndGet(full);
      // If some words were refused, the number of counted words is unknown.
      counted.addAndGet(full == 0 ? all : 0);
    }
  }
}

package dev.gyre.structures.map.table;

import org.jspecify.annotations.Nullable;

/**
 * Words of an arena that a call which inserts several keys takes at a time, so that threads change
 * the counter that they share less often. Used by one thread.
 *
 * <p>A chunk is used, and closed, in one entry of the operation lock: outside, the table may be
 * cleared or replaced. What is left of a chunk when another is taken, or at the end, is given back
 * if no other thread has taken words behind it. Otherwise it is a gap, which the arena's next
 * compaction removes.
 */
public final class ArenaChunk implements AutoCloseable {

  /** Most words that are taken at a time. */
  private static final long MAX_WORDS = 1 << 8;

  /** Words that are taken at a time for each key to come, at most. */
  private static final long WORDS_PER_KEY = 2;

  /** At most this part of what is left of the arena is taken at a time. */
  private static final long MAX_PART = 64;

  private final long most;
  private @Nullable TextTable table;
  private long next;
  private long end;

  /**
   * Creates a chunk without words.
   *
   * @param keys how many keys are to come, at most; for one, no more is taken than it needs
   */
  public ArenaChunk(int keys) {
    this.most = keys == 1 ? 0 : Math.min(WORDS_PER_KEY * keys, MAX_WORDS);
  }

  /**
   * Takes words for a key.
   *
   * @return the first of them; the arena may end before the last
   */
  long take(TextTable used, int words) {
    if (end - next < words) {
      close();
      // relaxed, as all accesses to the counter: whose words they are
      long left = used.arena.length() - used.bump.loadRelaxed(0);
      long taken = Math.max(words, Math.min(left / MAX_PART, most));
      table = used;
      next = used.bump.fetchAddRelaxed(0, taken);
      end = next + taken;
    }
    next += words;
    return next - words;
  }

  /** Gives back the words that were taken last. */
  void giveBack(int words) {
    next -= words;
  }

  /** Gives back what is left. */
  @Override
  public void close() {
    if (table != null && next < end) {
      // Fails if another thread has taken words behind it.
      long _ = table.bump.compareAndExchangeRelaxed(0, end, next);
    }
    table = null;
    next = 0;
    end = 0;
  }
}

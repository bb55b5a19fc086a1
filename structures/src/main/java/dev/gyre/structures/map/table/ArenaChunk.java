package dev.gyre.structures.map.table;

/**
 * Words of an arena that one thread has taken for keys that it is about to insert, so that threads
 * seldom change the counter that they share.
 *
 * <p>A chunk is taken, used and closed in one entry of the operation lock: outside, the table may
 * be cleared or replaced. When it is closed, the rest is given back, unless another thread has
 * taken words behind it. Then the rest is a gap, which the arena's next compaction removes.
 */
public final class ArenaChunk implements AutoCloseable {

  private final TextTable table;
  private final boolean isInside;
  private final long end;
  private long next;

  /** Takes words of a table's arena, of which there may be too few; see {@link #isInside}. */
  public ArenaChunk(TextTable table, long words) {
    this.table = table;
    long length = table.arena.length();
    boolean takes = words > 0 && table.bump.loadRelaxed(0) + words <= length;
    // relaxed: allocates words; publish makes their content visible
    this.next = takes ? table.bump.fetchAddRelaxed(0, words) : 0;
    this.end = takes ? next + words : 0;
    this.isInside = words == 0 || (takes && end <= length);
  }

  /** Returns whether the arena has all words of the chunk. */
  public boolean isInside() {
    return isInside;
  }

  /** Takes words for a key, for which there are enough; returns the first one. */
  long take(int words) {
    next += words;
    return next - words;
  }

  /** Gives back the words that were taken last. */
  void giveBack(int words) {
    next -= words;
  }

  /** Gives back the rest. */
  @Override
  public void close() {
    if (next < end) {
      // Fails if another thread has taken words behind it. relaxed: nothing was written there
      long _ = table.bump.compareAndExchangeRelaxed(0, end, next);
    }
  }
}

package dev.gyre.structures.map.table;

import dev.gyre.structures.OperationLock.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Words of an arena that one thread has taken for keys that it is about to insert, so that threads
 * seldom change the counter that they share.
 *
 * <p>A chunk is taken, used and closed in one entry of the operation lock: outside, the table may
 * be cleared or replaced. It is a part of the words of the caller's stripe, which takes many at a
 * time, so that texts of different threads are seldom neighbours. The rest stays with the stripe
 * until the table is replaced; it is a gap, which the arena's next compaction removes.
 *
 * <p>A caller without a stripe, or whose keys are long, takes exactly the words that it needs. It
 * gives back the rest, unless another thread has taken words behind it. Then the rest is a gap,
 * too.
 */
public final class ArenaChunk implements AutoCloseable {

  /** Least number of chunks in the words that a stripe takes, so that its rest is small. */
  private static final int MIN_CHUNKS = 8;

  private final TextTable table;
  private final @Nullable Entry stripe;
  private final boolean isInside;
  private final long end;
  private long next;

  /**
   * Takes words of a table's arena, of which there may be too few; see {@link #isInside}.
   *
   * @param entry entry whose stripe has words in advance; null to take exactly these words
   */
  public ArenaChunk(TextTable table, @Nullable Entry entry, long words) {
    this.table = table;
    boolean isFew = words > 0 && words <= table.stripeWords / MIN_CHUNKS;
    this.stripe = entry != null && entry.isStripe() && isFew ? entry : null;
    long first = stripe == null ? table.takeWords(words) : fromStripe(table, stripe, words);
    this.isInside = first >= 0;
    this.next = isInside ? first : 0;
    this.end = isInside ? first + words : 0;
    if (stripe != null && isInside) {
      // Now: if this is never closed, the words become a gap, and are not taken twice.
      stripe.arenaNext = end;
    }
  }

  /**
   * Returns the first of a stripe's next words, after the stripe has taken more if it has too few;
   * -1 if the arena has too few.
   */
  private static long fromStripe(TextTable table, Entry stripe, long words) {
    if (stripe.arena != table.number || stripe.arenaEnd - stripe.arenaNext < words) {
      long some = table.stripeWords;
      long first = table.takeWords(some);
      if (first < 0) {
        some = words;
        first = table.takeWords(some);
      }
      if (first < 0) {
        return first;
      }
      // They may never belong to a key, and a file must not contain texts of earlier keys.
      table.arenaMemory.segment().asSlice(first * Long.BYTES, some * Long.BYTES).fill((byte) 0);
      stripe.arena = table.number;
      stripe.arenaNext = first;
      stripe.arenaEnd = first + some;
    }
    return stripe.arenaNext;
  }

  /**
   * Returns the words of an arena that stripes have taken and not used, with exclusive access to
   * its table.
   */
  public static long left(TextTable table, Entry[] stripes) {
    long words = 0;
    for (Entry stripe : stripes) {
      words += stripe.arena == table.number ? stripe.arenaEnd - stripe.arenaNext : 0;
    }
    return words;
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
    if (!isInside) {
      return;
    }
    if (stripe != null) {
      stripe.arenaNext = next;
    } else if (next < end) {
      table.giveBackWords(next, end);
    }
  }
}

package dev.gyre.structures.map.file;

/**
 * How many steps it takes to look for every key of a table, at most: a search goes along a run of
 * slots that are not EMPTY. Told of all slots in order.
 *
 * <p>One slot in sixteen is EMPTY at least, and where keys lie as a seed has them that nobody knew
 * who chose them, a search takes some ten or hundred steps. A file, in which both are what its
 * writer liked, may have all keys in one run, so that looking for them takes steps by the square of
 * their number.
 */
public final class Runs {

  /** For each slot, or word of text. */
  private static final long MOST_STEPS = 512;

  private static final long MANY = Long.MAX_VALUE / 2;

  private long seen;
  private long run;
  private long steps;

  /**
   * Goes on to the next slot.
   *
   * @param words that are compared with a key that is looked for; 0 if the slot is EMPTY
   */
  public void next(long words) {
    seen += Math.max(1, words);
    run = words == 0 ? 0 : run + words;
    steps = Math.min(steps + run, MANY);
  }

  /** Whether they are longer than those of keys that nobody chose. */
  public boolean areLong() {
    return steps > MOST_STEPS * seen;
  }
}

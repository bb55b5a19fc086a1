package dev.gyre.structures.trie;

import dev.gyre.structures.StructureException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limit of a trie to 2^63 - 1 words, with repetitions, so that neither a count nor a sum of counts
 * overflows, however many threads add words.
 *
 * <p>Words that are added many times at once are summed up when they are added. As long as their
 * sum is less than 2^62, no other words count toward the limit: no machine reads 2^62 bytes of
 * texts, or makes 2^57 calls. So most additions share no counter. When the sum is larger, each
 * addition is exclusive, and first sums up all counts.
 */
final class CountLimit {

  private static final long NEAR = 1L << 62;

  /** Number of times from which one addition of a word counts toward the limit. */
  private static final long MANY = 1 << 4;

  private final TrieNodes nodes;
  private final AtomicLong given = new AtomicLong();

  CountLimit(TrieNodes nodes) {
    this.nodes = nodes;
    recount();
  }

  /**
   * Returns whether each addition needs exclusive access, and must first {@link #require} capacity.
   */
  boolean isNear() {
    return given.get() >= NEAR;
  }

  /**
   * Takes capacity for words, concurrently with other additions.
   *
   * @return false if the addition needs exclusive access
   */
  boolean take(long words) {
    long now = given.get();
    while (now < NEAR - words && !given.compareAndSet(now, now + words)) {
      now = given.get();
    }
    return now < NEAR - words;
  }

  /** Returns capacity that was taken; no exclusive operation ran in between. */
  void giveBack(long words) {
    given.addAndGet(-words);
  }

  /**
   * Takes capacity for words, with exclusive access; the host has all nodes.
   *
   * @throws StructureException if there is not enough
   */
  void require(long words) {
    long there = nodes.total();
    if (words > Long.MAX_VALUE - there) {
      throw new StructureException(
          "word trie: there are %d words, and %d more would be more than 2^63 - 1; nothing was added"
              .formatted(there, words));
    }
    given.set(there + words);
  }

  /** Returns how many words of one addition of a word count toward the limit. */
  static long counted(long times) {
    return times < MANY ? 0 : times;
  }

  /** Returns the largest number of words of a text of a number of bytes. */
  static long mostWords(long bytes) {
    return bytes / 2 + bytes % 2;
  }

  /** Recounts the words, with exclusive access. */
  void recount() {
    given.set(nodes.total());
  }
}

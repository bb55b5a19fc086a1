package dev.gyre.structures.trie;

import dev.gyre.structures.StructureException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits a trie to 2^63 - 1 words, each as often as it was found, so that neither a count nor a sum
 * of counts overflows, however many threads add.
 *
 * <p>Words that do not come from texts are summed up as they are given. As long as they are fewer
 * than 2^62, the words of texts are not counted for the limit: no machine reads 2^62 bytes. From
 * then on each addition is exclusive, and first sums up the words that are there.
 */
final class CountLimit {

  private static final long NEAR = 1L << 62;

  private final TrieNodes nodes;
  private final AtomicLong given = new AtomicLong();

  CountLimit(TrieNodes nodes) {
    this.nodes = nodes;
    recount();
  }

  /** Whether whoever adds something has to do so alone, and to {@link #require} room before. */
  boolean isNear() {
    return given.get() >= NEAR;
  }

  /**
   * Takes room for words, beside others who add.
   *
   * @return false if that is to be done alone
   */
  boolean take(long words) {
    long now = given.get();
    while (now < NEAR - words && !given.compareAndSet(now, now + words)) {
      now = given.get();
    }
    return now < NEAR - words;
  }

  /** Gives room back that was taken; nobody was alone in between. */
  void giveBack(long words) {
    given.addAndGet(-words);
  }

  /**
   * Takes room for words by one who is alone; the host has all nodes.
   *
   * @throws StructureException if there is not so much
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

  /** Most words of a text of so many bytes. */
  static long mostWords(long bytes) {
    return bytes / 2 + bytes % 2;
  }

  /** Counts anew what is there, by one who is alone. */
  void recount() {
    given.set(nodes.total());
  }
}

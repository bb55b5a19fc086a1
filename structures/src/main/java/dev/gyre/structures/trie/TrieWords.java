package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.Letter;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.kernels.trie.WordKey;
import dev.gyre.structures.Memories;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts of single words.
 *
 * <p>A word is looked up along its edges, or in a {@link WordIndex}. The index is made when lookups
 * have taken as many steps as there is capacity for nodes, and again after as many, so that its
 * cost is soon recovered. Until the trie changes, the index has the counts of words, too.
 *
 * <p>Words in the index stay valid while the trie grows. A word that it does not have is looked up
 * along the edges if the trie has changed since.
 */
final class TrieWords {

  /** Stands for an unknown count. */
  private static final long UNKNOWN = -1;

  /** Stands for no number of changes. */
  private static final long NEVER = -1;

  /** Divisor of the heap size that limits the index. */
  private static final int HEAP_SHARE = 16;

  /**
   * The steps of one word in 2 to this power are counted, because all threads count in one place.
   */
  private static final int NOTED_BITS = 6;

  /**
   * Index with its validity.
   *
   * @param numbering numbering of the pool of its nodes; see {@link TriePool#numbering}
   * @param change while this is the number of changes, other words do not exist, and counts are
   *     exact
   */
  private record Known(WordIndex index, Object numbering, long change) {}

  private static final byte[] NO_MORE = {};

  private final TrieNodes nodes;
  private final TrieLock guard;
  private final AtomicLong taken = new AtomicLong();
  private volatile @Nullable Known known;

  TrieWords(TrieNodes nodes, TrieLock guard) {
    this.nodes = nodes;
    this.guard = guard;
  }

  /** Returns whether an index of all words is kept. */
  boolean isIndexed() {
    Known all = known;
    return all != null && all.change == guard.changes();
  }

  /** Frees the memory that is kept for further queries. */
  void trim() {
    known = null;
    taken.set(0);
  }

  /** Returns the count of a word. */
  long count(String word) {
    int length = word.length();
    long key = WordKey.of(word, Math.min(length, WordKey.LETTERS));
    long count = atOnce(key, length);
    return count != UNKNOWN
        ? count
        : key != WordKey.NONE && length <= WordKey.LETTERS
            ? count(key, NO_MORE)
            : count(key, word.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the count of a word in UTF-8. */
  long count(byte[] word) {
    long key = WordKey.of(word, Math.min(word.length, WordKey.LETTERS));
    long count = atOnce(key, word.length);
    return count == UNKNOWN ? count(key, word) : count;
  }

  /**
   * Returns the count of a word if nothing has changed since the index was made, and the index has
   * the count. A word that is longer than the key does not exist if no node has the key.
   */
  private long atOnce(long key, int length) {
    Known all = known;
    if (all == null || key == WordKey.NONE) {
      return UNKNOWN;
    }
    long entry = all.index.find(key);
    long count =
        entry != WordIndex.NONE && length > WordKey.LETTERS ? UNKNOWN : WordIndex.count(entry);
    // Read afterwards: until then, there was no change.
    return all.change == guard.changes() && guard.isOpen() ? count : UNKNOWN;
  }

  /**
   * Returns the count of a word.
   *
   * @param key key of its first letters
   * @param word word in UTF-8; may be empty if the key has all letters
   */
  private long count(long key, byte[] word) {
    long count = UNKNOWN;
    if (guard.isOpen() && taken.get() < nodes.capacity()) {
      boolean interrupted = Thread.currentThread().isInterrupted();
      try {
        count = countIn(nodes.pool(), key, word);
      } catch (IllegalStateException | IndexOutOfBoundsException e) {
        // The pool was replaced meanwhile, so that the index has nodes that it lacks, or the trie
        // was closed.
        Memories.forgetInterrupt(interrupted);
        count = UNKNOWN;
      }
    }
    return count == UNKNOWN ? guard.read(() -> countHere(key, word)) : count;
  }

  /** Returns the count of a word, while the pool of nodes is not replaced. */
  private long countHere(long key, byte[] word) {
    long seen = taken.get();
    if (seen >= nodes.capacity() && taken.compareAndSet(seen, Long.MIN_VALUE / 2)) {
      prepare();
    }
    return countIn(nodes.pool(), key, word);
  }

  private void prepare() {
    long now = guard.watchChanges();
    // Concurrent additions may be missing.
    long valid = guard.isChanging() ? NEVER : now;
    long made = nodes.size();
    if (made <= Runtime.getRuntime().maxMemory() / HEAP_SHARE / WordIndex.NODE_BYTES) {
      TriePool pool = nodes.pool();
      known = new Known(WordIndex.of(pool, (int) made), pool.numbering(), valid);
      taken.set(0);
    }
  }

  private long countIn(TriePool pool, long key, byte[] word) {
    if (key == WordKey.NONE) {
      return Steps.of(nodes.alphabet(), word).map(steps -> countOf(pool, steps)).orElse(0L);
    }
    int node = node(pool, key);
    for (int at = WordKey.LETTERS; at < word.length && node != TrieLayout.ROOT; at++) {
      int step = nodes.alphabet().letterOf(word[at] & 0xff);
      if (step == Alphabet.NO_LETTER) {
        return countIn(pool, WordKey.NONE, word);
      }
      node = pool.through(node, step);
    }
    return countOf(pool, node);
  }

  private long countOf(TriePool pool, byte[] steps) {
    long key = WordKey.NONE;
    int length = Math.min(steps.length, WordKey.LETTERS);
    for (int at = 0; at < length; at++) {
      key |= (steps[at] + 1L) << (at * Letter.STEP_BITS);
    }
    int node = node(pool, key);
    for (int at = length; at < steps.length && node != TrieLayout.ROOT; at++) {
      node = pool.through(node, steps[at]);
    }
    return countOf(pool, node);
  }

  private static long countOf(TriePool pool, int node) {
    return node == TrieLayout.ROOT ? 0 : pool.count(node);
  }

  /** Returns the node to which a key leads; the root if none exists. */
  private int node(TriePool pool, long key) {
    Known all = known;
    if (all != null && all.numbering.equals(pool.numbering())) {
      int node = WordIndex.node(all.index.find(key));
      // Read afterwards: until then, there was no change.
      if (node != TrieLayout.ROOT || all.change == guard.changes()) {
        return node;
      }
    }
    return walk(pool, key);
  }

  private int walk(TriePool pool, long key) {
    int node = TrieLayout.ROOT;
    int steps = 0;
    for (long rest = key; rest != 0; rest >>>= Letter.STEP_BITS) {
      node = pool.through(node, Letter.step((int) rest));
      steps++;
      if (node == TrieLayout.ROOT) {
        break;
      }
    }
    if (WordIndex.hash(key) >>> (Long.SIZE - NOTED_BITS) == 0) {
      long _ = taken.addAndGet((long) steps << NOTED_BITS);
    }
    return node;
  }
}

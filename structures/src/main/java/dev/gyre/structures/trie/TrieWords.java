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
 * How often single words were found.
 *
 * <p>A word is looked up along its edges, or in a {@link WordIndex}. That is made once as many
 * steps were taken as there is room for nodes, and again after as many, so that what it costs is
 * soon made up for. Until the trie changes, it has their counts, too. Words that it has stay in it
 * while the trie grows; one that it has not is looked up along the edges where the trie has changed
 * since.
 */
final class TrieWords {

  /** What is no count. */
  private static final long UNKNOWN = -1;

  /** What is no number of changes. */
  private static final long NEVER = -1;

  /** The index takes at most this part of the heap. */
  private static final int HEAP_SHARE = 16;

  /** Of two to that words, the steps of one are noted: all threads note them in one place. */
  private static final int NOTED_BITS = 6;

  /**
   * An index, and what is true of it.
   *
   * @param numbering of the pool that its nodes are of; see {@link TriePool#numbering}
   * @param change while the number of changes is this, words that are not in it are not there, and
   *     counts are those in it
   */
  private record Known(WordIndex index, Object numbering, long change) {}

  private static final byte[] NO_MORE = {};

  private final TrieNodes nodes;
  private final TrieGuard guard;
  private final AtomicLong taken = new AtomicLong();
  private volatile @Nullable Known known;

  TrieWords(TrieNodes nodes, TrieGuard guard) {
    this.nodes = nodes;
    this.guard = guard;
  }

  /** Whether an index is kept that has all words. */
  boolean isIndexed() {
    Known all = known;
    return all != null && all.change == guard.changes();
  }

  /** Keeps nothing for further questions. */
  void trim() {
    known = null;
    taken.set(0);
  }

  /** How often a word was found. */
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

  /** How often a word in UTF-8 was found. */
  long count(byte[] word) {
    long key = WordKey.of(word, Math.min(word.length, WordKey.LETTERS));
    long count = atOnce(key, word.length);
    return count == UNKNOWN ? count(key, word) : count;
  }

  /**
   * How often a word was found, where nothing has changed since the index was made, and that has
   * the count; a word that goes on behind the key is not there where no node has the key.
   */
  private long atOnce(long key, int length) {
    Known all = known;
    if (all == null || key == WordKey.NONE) {
      return UNKNOWN;
    }
    long entry = all.index.find(key);
    long count =
        entry != WordIndex.NONE && length > WordKey.LETTERS ? UNKNOWN : WordIndex.count(entry);
    // Looked at afterwards: until then, there was no change.
    return all.change == guard.changes() && guard.isOpen() ? count : UNKNOWN;
  }

  /**
   * How often a word was found.
   *
   * @param key of its first letters
   * @param word in UTF-8; where the key is of all letters, it may be empty
   */
  private long count(long key, byte[] word) {
    long count = UNKNOWN;
    if (guard.isOpen() && taken.get() < nodes.capacity()) {
      boolean interrupted = Thread.currentThread().isInterrupted();
      try {
        count = countIn(nodes.pool(), key, word);
      } catch (IllegalStateException e) {
        // The pool was replaced meanwhile, or the trie closed.
        Memories.forgetInterrupt(interrupted);
        count = UNKNOWN;
      }
    }
    return count == UNKNOWN ? guard.read(() -> countHere(key, word)) : count;
  }

  /** As {@link #count}, where the pool of nodes stays. */
  private long countHere(long key, byte[] word) {
    long seen = taken.get();
    if (seen >= nodes.capacity() && taken.compareAndSet(seen, Long.MIN_VALUE / 2)) {
      prepare();
    }
    return countIn(nodes.pool(), key, word);
  }

  private void prepare() {
    long made = nodes.size();
    if (made <= Runtime.getRuntime().maxMemory() / HEAP_SHARE / WordIndex.NODE_BYTES) {
      TriePool pool = nodes.pool();
      long now = guard.changes();
      WordIndex index = WordIndex.of(pool, (int) made);
      // What is added meanwhile may be missing.
      known = new Known(index, pool.numbering(), guard.isSince(now) ? now : NEVER);
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

  /** The node that a key leads to, or the root if there is none. */
  private int node(TriePool pool, long key) {
    Known all = known;
    if (all != null && all.numbering.equals(pool.numbering())) {
      int node = WordIndex.node(all.index.find(key));
      // Looked at afterwards: until then, there was no change.
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

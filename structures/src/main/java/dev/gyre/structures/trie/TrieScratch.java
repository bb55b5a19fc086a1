package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.kernels.trie.TrieWorkers;
import dev.gyre.structures.KeptMemories;
import dev.gyre.structures.TextPieces;
import java.lang.foreign.MemorySegment;
import java.lang.ref.SoftReference;
import org.jspecify.annotations.Nullable;

/** What is needed beside the nodes while a text is added: kept for the next text. */
final class TrieScratch implements AutoCloseable {

  /** A worker's cache of words has room for one per so many bytes of its texts, within bounds. */
  private static final int BYTES_PER_CACHED_WORD = 64;

  private static final int MIN_CACHED_WORDS = 16;
  private static final int MAX_CACHED_WORDS = 1 << 16;

  /** All workers together have room for a word that they learn per so many bytes of all texts. */
  private static final int BYTES_PER_LEARNT_WORD = 16;

  private static final int MAX_LEARNT_WORDS = 1 << 17;

  /** Of texts before, so many times as much counts as the next one has: a cache is gone through. */
  private static final int MOST_BEFORE = 4;

  /** To make room for a longer text takes less time than the text. */
  private static final long MOST_KEPT_TEXT = 1 << 20;

  // Numbers of memories, behind those of the pieces.
  private static final int TEXT = TextPieces.BUFFERS;
  private static final int LEFT = TEXT + 1;
  private static final int ENDED = LEFT + 1;

  private final KeptMemories kept = new KeptMemories(ENDED + 1);
  private final TextPieces pieces = new TextPieces(kept);

  /** Workers of the JVM, with the words of texts before; until the heap is needed. */
  private SoftReference<@Nullable TrieWorkers> team = new SoftReference<>(null);

  /** See {@link TriePool#numbering}; of the pool whose nodes the workers know. */
  private @Nullable Object numbering;

  /** Bytes of all texts that workers of the JVM had since nodes have these numbers. */
  private long before;

  /** A copy of a text. */
  Memory text(MemorySegment of) {
    Memory text = kept.get(TEXT, of.byteSize());
    MemorySegment.copy(of, 0, text.segment(), 0, of.byteSize());
    return text;
  }

  /** Keeps no copy of a text that is long. */
  void dropLongText() {
    if (kept.byteSize(TEXT) > MOST_KEPT_TEXT) {
      kept.drop(TEXT);
    }
  }

  /** Where a launch notes which words of so many chunks it did not count, an int for each. */
  Memory left(long chunks) {
    return kept.get(LEFT, chunks * Integer.BYTES);
  }

  /** Where a launch counts how it ended. */
  Memory ended() {
    return kept.get(ENDED, (long) TrieLayout.ENDED_LONGS * Long.BYTES);
  }

  /**
   * Workers of the JVM for a text, which know words of those before where they can.
   *
   * @param workers how many, at least
   * @param length of the text
   * @param of the numbers that nodes have
   */
  TrieWorkers hire(int workers, long length, Object of) {
    if (!of.equals(numbering)) {
      before = 0;
    }
    long words =
        (length + Math.min(before, MOST_BEFORE * length)) / workers / BYTES_PER_CACHED_WORD;
    int room = Integer.highestOneBit(Math.clamp(words, MIN_CACHED_WORDS, MAX_CACHED_WORDS));
    before += length;
    TrieWorkers known = of.equals(numbering) ? team.get() : null;
    team.clear();
    numbering = of;
    TrieWorkers hired;
    if (known == null) {
      hired = new TrieWorkers(workers, room);
    } else if (known.count() < workers || known.words() < room) {
      hired = known.followers(workers, room);
    } else {
      hired = known;
    }
    long learnt = before / BYTES_PER_LEARNT_WORD;
    hired.learn(Integer.highestOneBit(Math.clamp(learnt, MIN_CACHED_WORDS, MAX_LEARNT_WORDS)));
    return hired;
  }

  /** Keeps workers who have counted all that they met. */
  void keep(TrieWorkers hired) {
    team = new SoftReference<>(hired);
  }

  /** A way for texts to a device. */
  TextPieces pieces() {
    return pieces;
  }

  /** Bytes that are kept; any thread may ask. */
  long byteSize() {
    return kept.byteSize();
  }

  /** Keeps nothing for the next text; what is in use is freed when this is closed. */
  void drop() {
    team.clear();
    kept.drop();
  }

  /**
   * Keeps nothing any more; may be called again.
   *
   * @throws dev.gyre.atomics.MemoryInUseException if some is still in use
   */
  @Override
  public void close() {
    team.clear();
    kept.close();
  }
}

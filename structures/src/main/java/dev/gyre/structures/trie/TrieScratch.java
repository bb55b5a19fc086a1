package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.kernels.trie.TrieWorkers;
import dev.gyre.structures.MemoryCache;
import dev.gyre.structures.TextPieces;
import java.lang.foreign.MemorySegment;
import java.lang.ref.SoftReference;
import org.jspecify.annotations.Nullable;

/** Memory besides the nodes for the addition of a text, which is kept for the next text. */
final class TrieScratch implements AutoCloseable {

  /** Bytes of its texts for each word in the cache of a worker, within bounds. */
  private static final int BYTES_PER_CACHED_WORD = 64;

  private static final int MIN_CACHED_WORDS = 16;
  private static final int MAX_CACHED_WORDS = 1 << 16;

  /** Bytes of all texts for each word that all workers together can learn. */
  private static final int BYTES_PER_SHARED_WORD = 16;

  private static final int MAX_SHARED_WORDS = 1 << 17;

  /**
   * Earlier texts count up to this many times the length of the next one, because a pass over a
   * cache takes time.
   */
  private static final int MOST_BEFORE = 4;

  /**
   * Length of a text up to which its copy is kept, in bytes; for a longer text, an allocation takes
   * less time than the text.
   */
  private static final long MOST_KEPT_TEXT = 1 << 20;

  // Indexes of memories, after the memories of the pieces.
  private static final int TEXT = TextPieces.BUFFERS;
  private static final int LEFT = TEXT + 1;
  private static final int ENDED = LEFT + 1;

  private final MemoryCache kept = new MemoryCache(ENDED + 1);
  private final TextPieces pieces = new TextPieces(kept);

  /** Workers of the JVM, with the words of earlier texts, until the heap is needed. */
  private SoftReference<@Nullable TrieWorkers> team = new SoftReference<>(null);

  /** The {@link TriePool#numbering} of the pool whose nodes the workers know. */
  private @Nullable Object numbering;

  /** Number of bytes of all texts that workers of the JVM had since nodes have these numbers. */
  private long before;

  /** Returns a copy of a text. */
  Memory text(MemorySegment of) {
    Memory text = kept.get(TEXT, of.byteSize());
    MemorySegment.copy(of, 0, text.segment(), 0, of.byteSize());
    return text;
  }

  /** Frees the copy of a long text. */
  void dropLongText() {
    if (kept.byteSize(TEXT) > MOST_KEPT_TEXT) {
      kept.drop(TEXT);
    }
  }

  /**
   * Returns the memory where a launch notes which words of a number of chunks it did not count, an
   * int for each chunk.
   */
  Memory left(long chunks) {
    return kept.get(LEFT, chunks * Integer.BYTES);
  }

  /** Returns the memory where a launch counts its outcomes. */
  Memory ended() {
    return kept.get(ENDED, (long) TrieLayout.ENDED_LONGS * Long.BYTES);
  }

  /**
   * Returns workers of the JVM for a text, which know words of earlier texts if possible.
   *
   * @param workers smallest number of workers
   * @param length length of the text
   * @param of numbering of the nodes
   */
  TrieWorkers hire(int workers, long length, Object of) {
    if (!of.equals(numbering)) {
      before = 0;
    }
    long words =
        (length + Math.min(before, MOST_BEFORE * length)) / workers / BYTES_PER_CACHED_WORD;
    int size = Integer.highestOneBit(Math.clamp(words, MIN_CACHED_WORDS, MAX_CACHED_WORDS));
    before += length;
    TrieWorkers known = of.equals(numbering) ? team.get() : null;
    team.clear();
    numbering = of;
    TrieWorkers hired;
    if (known == null) {
      hired = new TrieWorkers(workers, size);
    } else if (known.count() < workers || known.words() < size) {
      hired = known.followers(workers, size);
    } else {
      hired = known;
    }
    long sharedWords = before / BYTES_PER_SHARED_WORD;
    hired.growShared(
        Integer.highestOneBit(Math.clamp(sharedWords, MIN_CACHED_WORDS, MAX_SHARED_WORDS)));
    return hired;
  }

  /** Keeps workers that have counted all their words. */
  void keep(TrieWorkers hired) {
    team = new SoftReference<>(hired);
  }

  /** Returns the buffers through which texts go to a device. */
  TextPieces pieces() {
    return pieces;
  }

  /** Returns the size of the memory that is kept, in bytes. Thread-safe. */
  long byteSize() {
    return kept.byteSize();
  }

  /**
   * Frees the memory that is kept for the next text; memory in use is freed when this is closed.
   */
  void drop() {
    team.clear();
    kept.drop();
  }

  /**
   * Frees all memory. May be called again.
   *
   * @throws dev.gyre.atomics.MemoryInUseException if some is still in use
   */
  @Override
  public void close() {
    team.clear();
    kept.close();
  }
}

package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.kernels.trie.TrieWorkers;
import dev.gyre.structures.SpentMemories;
import dev.gyre.structures.TextPieces;
import java.lang.ref.SoftReference;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is needed beside the nodes while a text is added: kept for the next text, since new memory
 * costs a device's driver about as long as it takes to copy the text.
 */
final class TrieScratch implements AutoCloseable {

  /** A worker's cache of words has room for one per so many bytes of its texts, within bounds. */
  private static final int BYTES_PER_CACHED_WORD = 64;

  private static final int MIN_CACHED_WORDS = 16;
  private static final int MAX_CACHED_WORDS = 1 << 16;

  /** Of texts before, so many times as much counts as the next one has: a cache is gone through. */
  private static final int MOST_BEFORE = 4;

  private final SpentMemories spent = new SpentMemories();

  /** Workers of the JVM, with the words of texts before; until the heap is needed. */
  private SoftReference<@Nullable TrieWorkers> team = new SoftReference<>(null);

  /** See {@link TriePool#numbering}; of the pool whose nodes the workers know. */
  private @Nullable Object numbering;

  /** Bytes of all texts that workers of the JVM had. */
  private long before;

  private @Nullable Memory left;
  private @Nullable Memory ended;
  private @Nullable TextPieces pieces;
  private volatile long bytes;

  /** Where a launch notes which words of so many chunks it did not count, an int for each. */
  Memory left(long chunks) {
    Memory kept = left;
    if (kept == null || kept.byteSize() < chunks * Integer.BYTES) {
      left = null;
      free(kept);
      count();
      kept = Memory.ofInts(chunks);
      left = kept;
      count();
    }
    return kept;
  }

  /** Where a launch counts how it ended. */
  Memory ended() {
    Memory kept = ended;
    if (kept == null) {
      kept = Memory.ofLongs(TrieLayout.ENDED_LONGS);
      ended = kept;
      count();
    }
    return kept;
  }

  /**
   * Workers of the JVM for a text, which know words of those before where they can.
   *
   * @param workers how many, at least
   * @param length of the text
   * @param of the numbers that nodes have
   */
  TrieWorkers hire(int workers, long length, Object of) {
    long words =
        (length + Math.min(before, MOST_BEFORE * length)) / workers / BYTES_PER_CACHED_WORD;
    int room = Integer.highestOneBit(Math.clamp(words, MIN_CACHED_WORDS, MAX_CACHED_WORDS));
    before += length;
    TrieWorkers known = of.equals(numbering) ? team.get() : null;
    boolean suits = known != null && known.count() >= workers && known.words() >= room;
    team.clear();
    numbering = of;
    return suits ? known : new TrieWorkers(workers, room);
  }

  /** Keeps workers who have counted all that they met. */
  void keep(TrieWorkers hired) {
    team = new SoftReference<>(hired);
  }

  /** A way for texts to a device. */
  TextPieces pieces() {
    TextPieces kept = pieces;
    if (kept == null) {
      kept = new TextPieces(this::count);
      pieces = kept;
    }
    return kept;
  }

  /** Bytes that are kept; any thread may ask. */
  long byteSize() {
    return bytes;
  }

  private void count() {
    Memory first = left;
    Memory second = ended;
    TextPieces third = pieces;
    bytes =
        (first == null ? 0 : first.byteSize())
            + (second == null ? 0 : second.byteSize())
            + (third == null ? 0 : third.byteSize());
  }

  private void free(@Nullable Memory memory) {
    spent.free(Collections.singletonList(memory));
  }

  /** Keeps nothing for the next text; what is in use is freed when this is closed. */
  void drop() {
    team.clear();
    dropMemories();
  }

  /** The same, but for workers of the JVM, who are on the heap. */
  void dropMemories() {
    List<@Nullable Memory> kept = Arrays.asList(left, ended);
    left = null;
    ended = null;
    try {
      spent.free(kept);
    } finally {
      if (pieces != null) {
        pieces.drop();
      }
      count();
    }
  }

  /**
   * Keeps nothing any more; may be called again.
   *
   * @throws dev.gyre.atomics.MemoryInUseException if some is still in use
   */
  @Override
  public void close() {
    try (spent;
        var _ = pieces) {
      drop();
    }
  }
}

package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.SpentMemories;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is needed beside the nodes while a text is added: kept for the next text, since new memory
 * costs a device's driver about as long as it takes to copy the text.
 */
final class TrieScratch implements AutoCloseable {

  private final SpentMemories spent = new SpentMemories();
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

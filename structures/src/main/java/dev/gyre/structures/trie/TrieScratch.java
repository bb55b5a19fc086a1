package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.TrieFunctions;
import dev.gyre.kernels.trie.TrieLayout;
import org.jspecify.annotations.Nullable;

/**
 * What strips need of their own while a text is added: kept for the next text, since new memory
 * costs a device's driver about as long as it takes to copy the text.
 */
final class TrieScratch implements AutoCloseable {

  private @Nullable Memory pending;
  private @Nullable Memory progress;
  private @Nullable TextPieces pieces;
  private volatile long bytes;

  /**
   * Caches of words, all empty, as every launch that ends well leaves them.
   *
   * @param longs at least so many
   */
  ThreadLongs pending(long longs, Launcher launcher) {
    Memory kept = pending;
    if (kept == null || kept.byteSize() < longs * Long.BYTES) {
      pending = null;
      free(kept);
      kept = Memory.ofLongs(longs);
      pending = kept;
      count();
      launcher.clear(kept);
    }
    return ThreadLongs.of(kept);
  }

  /** How far so many strips are: none has begun. */
  ThreadLongs progress(int strips, Launcher launcher) {
    long longs = (long) strips * TrieLayout.PROGRESS_LONGS;
    Memory kept = progress;
    if (kept == null || kept.byteSize() < longs * Long.BYTES) {
      progress = null;
      free(kept);
      kept = Memory.ofLongs(longs);
      progress = kept;
      count();
    }
    ThreadLongs fresh = ThreadLongs.of(kept);
    for (int strip = 0; strip < strips; strip++) {
      fresh.set(TrieLayout.position(strip), TrieFunctions.FRESH);
      fresh.set(TrieLayout.outcome(strip), TrieFunctions.NOT_RUN);
    }
    launcher.hostWrote(kept);
    return fresh;
  }

  /** A way for texts to a device, in pieces of about so many bytes. */
  TextPieces pieces(long pieceBytes) {
    TextPieces kept = pieces;
    if (kept == null) {
      kept = new TextPieces(pieceBytes, this::count);
      pieces = kept;
    }
    return kept;
  }

  /** Bytes that are kept; any thread may ask. */
  long byteSize() {
    return bytes;
  }

  private void count() {
    Memory first = pending;
    Memory second = progress;
    TextPieces third = pieces;
    bytes =
        (first == null ? 0 : first.byteSize())
            + (second == null ? 0 : second.byteSize())
            + (third == null ? 0 : third.byteSize());
  }

  private static void free(@Nullable Memory memory) {
    if (memory != null) {
      memory.close();
    }
  }

  @Override
  public void close() {
    free(pending);
    free(progress);
    if (pieces != null) {
      pieces.close();
    }
    pending = null;
    progress = null;
    pieces = null;
    count();
  }
}

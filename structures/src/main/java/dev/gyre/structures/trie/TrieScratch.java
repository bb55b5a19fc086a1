package dev.gyre.structures.trie;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.SpentMemories;
import dev.gyre.structures.TextPieces;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What strips need of their own while a text is added: kept for the next text, since new memory
 * costs a device's driver about as long as it takes to copy the text.
 */
final class TrieScratch implements AutoCloseable {

  /** So many zeros are sent to a device faster than it is made to write them. */
  private static final long MOST_SENT_BYTES = 1 << 18;

  private final SpentMemories spent = new SpentMemories();
  private @Nullable Memory pending;
  private @Nullable Memory progress;
  private @Nullable Memory ended;
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
      count();
      kept = Memory.ofLongs(longs);
      try {
        launcher.clear(kept);
      } catch (RuntimeException | Error e) {
        free(kept);
        throw e;
      }
      pending = kept;
      count();
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
    if (launcher.device().target() == Target.JVM || kept.byteSize() <= MOST_SENT_BYTES) {
      kept.segment().fill((byte) 0);
      launcher.hostWrote(kept);
    } else {
      launcher.clear(kept);
    }
    return ThreadLongs.of(kept);
  }

  /** Where strips count how they ended. */
  DeviceLongs ended() {
    Memory kept = ended;
    if (kept == null) {
      kept = Memory.ofLongs(TrieLayout.ENDED_LONGS);
      ended = kept;
      count();
    }
    return DeviceLongs.of(kept);
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
    Memory first = pending;
    Memory second = progress;
    Memory third = ended;
    TextPieces fourth = pieces;
    bytes =
        (first == null ? 0 : first.byteSize())
            + (second == null ? 0 : second.byteSize())
            + (third == null ? 0 : third.byteSize())
            + (fourth == null ? 0 : fourth.byteSize());
  }

  private void free(@Nullable Memory memory) {
    spent.free(Collections.singletonList(memory));
  }

  /** Keeps nothing for the next text; what is in use is freed when this is closed. */
  void drop() {
    List<@Nullable Memory> kept = Arrays.asList(pending, progress, ended);
    pending = null;
    progress = null;
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

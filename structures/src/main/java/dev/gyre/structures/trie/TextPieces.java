package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.events.Span;
import dev.gyre.structures.ParallelCopy;
import dev.gyre.structures.SpentMemories;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntPredicate;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A way for long texts to a device, in pieces cut between words: while the device works on one, the
 * next is sent, and the one after that is copied to memory which the driver has locked. Text that
 * is in such memory itself is sent from there.
 *
 * <p>That memory, {@value #BUFFERS} buffers, is kept for further texts: locking pages takes longer
 * than copying them by several threads. A piece longer than a buffer, because of a word without
 * end, has a larger one made.
 */
final class TextPieces implements AutoCloseable {

  private static final int BUFFERS = 3;

  /**
   * The last piece is shorter than the others, not longer, where words are not longer than this.
   */
  private static final long SLACK_BYTES = 1 << 12;

  /** A piece, from one byte of the text to before another. */
  private record Piece(int number, long from, long to) {
    long length() {
      return to - from;
    }
  }

  private final Runnable changed;
  private final SpentMemories spent = new SpentMemories();
  private final @Nullable Memory[] buffers = new @Nullable Memory[BUFFERS];

  /**
   * No buffers yet.
   *
   * @param changed told when what is kept may have changed
   */
  TextPieces(Runnable changed) {
    this.changed = changed;
  }

  /** Bytes that are kept for further texts. */
  long byteSize() {
    long bytes = 0;
    for (Memory buffer : buffers) {
      bytes += buffer == null ? 0 : buffer.byteSize();
    }
    return bytes;
  }

  /**
   * Has all pieces of the beginning of a memory worked on, as of any text; without a copy on the
   * host where the device copies it as fast from where it lies.
   *
   * @param length bytes of text
   */
  void forEach(
      Memory text,
      long length,
      long most,
      IntPredicate separates,
      Launcher launcher,
      ObjLongConsumer<Memory> work) {
    MemorySegment all = text.segment().asSlice(0, length);
    Memory inPlace = launcher.copiesInPlace(text) ? text : null;
    forEach(all, inPlace, most, separates, launcher, work);
  }

  /**
   * Has all pieces of a text worked on, one after another.
   *
   * @param most length of a piece, but for words that are longer; all are about as long
   * @param separates whether a byte (0 to 255) separates words whatever is around it
   * @param work given a memory and how many bytes of it are text
   */
  void forEach(
      MemorySegment text,
      long most,
      IntPredicate separates,
      Launcher launcher,
      ObjLongConsumer<Memory> work) {
    forEach(text, null, most, separates, launcher, work);
  }

  private void forEach(
      MemorySegment text,
      @Nullable Memory inPlace,
      long most,
      IntPredicate separates,
      Launcher launcher,
      ObjLongConsumer<Memory> work) {
    long even = even(text.byteSize(), most);
    List<Piece> spans = spans(text, even, separates);
    Deque<CompletableFuture<Memory>> sent = new ArrayDeque<>();
    try {
      for (int i = 0; i < Math.min(BUFFERS - 1, spans.size()); i++) {
        sent.add(send(text, inPlace, spans.get(i), even, launcher));
      }
      for (int i = 0; i < spans.size(); i++) {
        int further = i + BUFFERS - 1;
        if (further < spans.size()) {
          // In the buffer of the piece before this one, which is done.
          sent.add(send(text, inPlace, spans.get(further), even, launcher));
        }
        work.accept(joined(sent.removeFirst()), spans.get(i).length());
      }
    } finally {
      // Nobody copies any more when this is over, however it ended.
      int _ =
          CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
              .handle((_, _) -> sent.size())
              .join();
      changed.run();
    }
  }

  private static Memory joined(CompletableFuture<Memory> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : e;
    }
  }

  /** Length of a piece where all are to be about as long; cuts come a little before. */
  private static long even(long length, long most) {
    return Math.min(most, Math.ceilDiv(length, Math.ceilDiv(length, most)) + SLACK_BYTES);
  }

  /** Cuts a text: each span but the last ends with a separator. */
  private static List<Piece> spans(MemorySegment text, long pieceBytes, IntPredicate separates) {
    List<Piece> spans = new ArrayList<>();
    long from = 0;
    while (from < text.byteSize()) {
      long to = cut(text, from, pieceBytes, separates);
      spans.add(new Piece(spans.size(), from, to));
      from = to;
    }
    return spans;
  }

  /** The last end of a word within a piece; if there is none, the next one. */
  private static long cut(MemorySegment text, long from, long pieceBytes, IntPredicate separates) {
    long limit = from + pieceBytes;
    if (limit >= text.byteSize()) {
      return text.byteSize();
    }
    long to = limit;
    while (to > from && !separatorAt(text, to - 1, separates)) {
      to--;
    }
    if (to == from) {
      to = limit + 1;
      while (to < text.byteSize() && !separatorAt(text, to - 1, separates)) {
        to++;
      }
    }
    return to;
  }

  private static boolean separatorAt(MemorySegment text, long at, IntPredicate separates) {
    return separates.test(text.get(ValueLayout.JAVA_BYTE, at) & 0xff);
  }

  private CompletableFuture<Memory> send(
      MemorySegment text,
      @Nullable Memory inPlace,
      Piece piece,
      long pieceBytes,
      Launcher launcher) {
    return CompletableFuture.supplyAsync(
        () -> {
          Memory buffer = buffer(piece.number() % BUFFERS, Math.max(piece.length(), pieceBytes));
          if (inPlace != null) {
            launcher.prefetch(buffer, inPlace, piece.from(), piece.length());
            return buffer;
          }
          Span span = Span.staging();
          ParallelCopy.copy(text.asSlice(piece.from(), piece.length()), buffer.segment());
          span.moved("pieces of a text", piece.length());
          launcher.prefetch(buffer, piece.length());
          return buffer;
        });
  }

  private Memory buffer(int index, long bytes) {
    Memory buffer = buffers[index];
    if (buffer == null || buffer.byteSize() < bytes) {
      // Not to be found closed by the next text where there is no room for a larger one.
      buffers[index] = null;
      spent.free(Collections.singletonList(buffer));
      buffer = Memory.ofBytes(bytes);
      buffers[index] = buffer;
    }
    return buffer;
  }

  /** Keeps nothing for further texts; what is in use is freed when this is closed. */
  void drop() {
    List<@Nullable Memory> kept = Arrays.asList(buffers.clone());
    Arrays.fill(buffers, null);
    spent.free(kept);
  }

  /**
   * Keeps nothing any more; may be called again.
   *
   * @throws dev.gyre.atomics.MemoryInUseException if some is still in use
   */
  @Override
  public void close() {
    try (spent) {
      drop();
    }
  }
}

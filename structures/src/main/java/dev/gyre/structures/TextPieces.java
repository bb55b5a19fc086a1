package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.events.Span;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends long texts to a device in pieces, cut between words: while the device works on one piece,
 * the next one is sent, and the one after it is copied to pinned memory.
 *
 * <p>The {@value #BUFFERS} pinned buffers are kept for further texts, because pinning takes longer
 * than copying with several threads. A piece longer than a buffer, because of a long word, has a
 * larger buffer. For the packages of this module.
 */
@Internal
public final class TextPieces {

  /** How many buffers there are. */
  public static final int BUFFERS = 3;

  /** Work on a piece. */
  @FunctionalInterface
  public interface Work {

    /**
     * Processes a piece.
     *
     * @param length bytes of text in the memory
     * @param begun to be run after the device was given work, so that its other transfers do not
     *     wait behind the next piece
     */
    void accept(Memory piece, long length, Runnable begun);
  }

  /** Piece that is being sent to a device. */
  private record Sent(CompletableFuture<Memory> memory, long length) {}

  private final MemoryCache kept;

  /**
   * Creates an object without buffers.
   *
   * @param kept its first memories are the buffers
   */
  public TextPieces(MemoryCache kept) {
    this.kept = kept;
  }

  /**
   * Processes pieces of a text, one after another, until none is left.
   *
   * @param taker number of this taker, from 0
   */
  public void forEach(TextCuts cuts, int taker, Launcher launcher, Work work) {
    Deque<Sent> sent = new ArrayDeque<>();
    int[] taken = new int[1];
    Consumer<TextCuts.@Nullable Piece> take =
        piece -> {
          if (piece != null) {
            // Reuse the buffer of a finished piece.
            sent.add(send(cuts, piece, taken[0]++ % BUFFERS, launcher));
          }
        };
    try {
      take.accept(cuts.piece(taker));
      for (int i = 2; i < BUFFERS; i++) {
        take.accept(cuts.next());
      }
      while (!sent.isEmpty()) {
        Sent now = sent.removeFirst();
        int before = taken[0];
        Runnable next =
            () -> {
              if (taken[0] == before) {
                take.accept(cuts.next());
              }
            };
        work.accept(joined(now.memory()), now.length(), next);
        next.run();
      }
    } finally {
      // In any case no thread copies any more at the end.
      int _ =
          CompletableFuture.allOf(sent.stream().map(Sent::memory).toArray(CompletableFuture[]::new))
              .handle((_, _) -> taker)
              .join();
    }
  }

  /** Waits for work of another thread, and throws what it threw. */
  public static <T> T joined(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : e;
    }
  }

  private Sent send(TextCuts cuts, TextCuts.Piece piece, int index, Launcher launcher) {
    Memory memory = cuts.memory;
    long length = piece.length();
    return new Sent(
        CompletableFuture.supplyAsync(
            () -> {
              Memory buffer = kept.get(index, Math.max(length, cuts.even));
              if (memory != null && launcher.copiesInPlace(memory)) {
                launcher.copyIn(buffer, memory.range(piece.from(), length));
              } else {
                Span span = Span.staging();
                ParallelCopy.copy(cuts.text.asSlice(piece.from(), length), buffer.segment());
                span.moved("pieces of a text", length);
                launcher.prefetch(buffer.first(length));
              }
              return buffer;
            }),
        length);
  }
}

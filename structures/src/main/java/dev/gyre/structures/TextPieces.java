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
 * A way for long texts to a device, in pieces cut between words: while the device works on one, the
 * next is sent, and the one after that is copied to memory which the driver has locked.
 *
 * <p>That memory, {@value #BUFFERS} buffers, is kept for further texts: locking pages takes longer
 * than copying them by several threads. A piece longer than a buffer, because of a word without
 * end, has a larger one made.
 */
@Internal
public final class TextPieces {

  /** How many buffers there are. */
  public static final int BUFFERS = 3;

  /** What is done with a piece. */
  @FunctionalInterface
  public interface Work {

    /**
     * Does it.
     *
     * @param length how many bytes of the memory are text
     * @param begun to be run once the device was given something to do: what it needs for that does
     *     not wait behind a piece that is sent then
     */
    void accept(Memory piece, long length, Runnable begun);
  }

  /** A piece that is on its way to a device. */
  private record Sent(CompletableFuture<Memory> memory, long length) {}

  private final KeptMemories kept;

  /**
   * A way that has no buffers yet.
   *
   * @param kept has the buffers as its first memories
   */
  public TextPieces(KeptMemories kept) {
    this.kept = kept;
  }

  /**
   * Works on pieces of a text, one after another, until there are no more.
   *
   * @param taker which of those it is who take pieces, from 0 on
   */
  public void forEach(TextCuts cuts, int taker, Launcher launcher, Work work) {
    Deque<Sent> sent = new ArrayDeque<>();
    int[] taken = new int[1];
    Consumer<TextCuts.@Nullable Piece> take =
        piece -> {
          if (piece != null) {
            // In the buffer of a piece that is done.
            sent.add(send(cuts, piece, taken[0]++ % BUFFERS, launcher));
          }
        };
    try {
      take.accept(cuts.first(taker));
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
      // Nobody copies any more when this is over, however it ended.
      int _ =
          CompletableFuture.allOf(sent.stream().map(Sent::memory).toArray(CompletableFuture[]::new))
              .handle((_, _) -> taker)
              .join();
    }
  }

  private static Memory joined(CompletableFuture<Memory> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : e;
    }
  }

  private Sent send(TextCuts cuts, TextCuts.Piece piece, int index, Launcher launcher) {
    Memory memory = cuts.memory();
    long length = piece.length();
    return new Sent(
        CompletableFuture.supplyAsync(
            () -> {
              Memory buffer = kept.get(index, Math.max(length, cuts.even()));
              if (memory != null && launcher.copiesInPlace(memory)) {
                launcher.copyIn(buffer, memory.range(piece.from(), length));
              } else {
                Span span = Span.staging();
                ParallelCopy.copy(cuts.text().asSlice(piece.from(), length), buffer.segment());
                span.moved("pieces of a text", length);
                launcher.prefetch(buffer.first(length));
              }
              return buffer;
            }),
        length);
  }
}

package dev.gyre.structures.map.access;

import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Spliterator of the entries of a map, weakly consistent, which splits by ranges of slots. The
 * number of entries is an estimate, because other threads may insert.
 *
 * @param walk walk over the entries
 * @param entry returns the present entry of a walk
 */
public record WalkSpliterator<W extends Walk<?, ?, W>, E>(
    W walk, Function<? super W, ? extends E> entry) implements Spliterator<E> {

  @Override
  public boolean tryAdvance(Consumer<? super E> action) {
    boolean more = walk.next();
    if (more) {
      action.accept(entry.apply(walk));
    }
    return more;
  }

  @Override
  public @Nullable Spliterator<E> trySplit() {
    return walk.canSplit() ? new WalkSpliterator<>(walk.split(), entry) : null;
  }

  @Override
  public long estimateSize() {
    return walk.estimate();
  }

  @Override
  public int characteristics() {
    return CONCURRENT | DISTINCT | NONNULL;
  }
}

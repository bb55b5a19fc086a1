package dev.gyre.structures.map.access;

import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Spliterator of the entries of a map, or of parts of them, weakly consistent, which splits by
 * ranges of slots. The number of entries is an estimate, because other threads may insert.
 *
 * @param walk walk over the entries
 * @param part returns the element for the present entry of a walk
 * @param distinct {@link #DISTINCT}, or 0 if elements may be equal
 */
public record WalkSpliterator<W extends Walk<?, W>, E>(
    W walk, Function<? super W, ? extends E> part, int distinct) implements Spliterator<E> {

  @Override
  public boolean tryAdvance(Consumer<? super E> action) {
    Objects.requireNonNull(action, "action");
    boolean more = walk.next();
    if (more) {
      action.accept(part.apply(walk));
    }
    return more;
  }

  @Override
  public @Nullable Spliterator<E> trySplit() {
    return walk.canSplit() ? new WalkSpliterator<>(walk.split(), part, distinct) : null;
  }

  @Override
  public long estimateSize() {
    return walk.estimate();
  }

  @Override
  public int characteristics() {
    return CONCURRENT | NONNULL | distinct;
  }
}

package dev.gyre.structures.map.access;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.structures.map.Cursor;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Spliterator of the keys or the values of a map of numbers, as {@link WalkSpliterator}.
 *
 * @param walk walk over the entries
 * @param ofKeys whether its elements are the keys
 */
@IntSpecialized
public record LongSpliterator<W extends Walk<?, W> & Cursor>(W walk, boolean ofKeys)
    implements Spliterator.OfLong {

  /** Returns a sequential stream of the elements. */
  public LongStream stream() {
    return StreamSupport.longStream(this, false);
  }

  private /* int */ long present() {
    return /* (int) */ (ofKeys ? walk.key() : walk.value());
  }

  @Override
  public boolean tryAdvance(LongConsumer action) {
    Objects.requireNonNull(action, "action");
    boolean more = walk.next();
    if (more) {
      action.accept(present());
    }
    return more;
  }

  @Override
  public Spliterator.@Nullable OfLong trySplit() {
    return walk.canSplit() ? new LongSpliterator<>(walk.split(), ofKeys) : null;
  }

  @Override
  public long estimateSize() {
    return walk.estimate();
  }

  @Override
  public int characteristics() {
    return CONCURRENT | NONNULL | (ofKeys ? DISTINCT : 0);
  }
}

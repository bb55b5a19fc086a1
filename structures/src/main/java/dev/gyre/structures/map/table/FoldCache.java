package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.Change;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Caches the inserts of the last user function, whose specialised code is expensive.
 *
 * @param <I> the inserts
 */
final class FoldCache<I> {

  private record Entry<I>(Change.Folding change, boolean onJvm, I inserts) {}

  private volatile @Nullable Entry<I> kept;

  /**
   * Returns the inserts of a function, created unless it is the last one, on the same kind of
   * target.
   */
  I of(Change.Folding change, boolean onJvm, BiFunction<Change.Folding, Boolean, I> make) {
    Entry<I> last = kept;
    if (last == null || !last.change.equals(change) || last.onJvm != onJvm) {
      last = new Entry<>(change, onJvm, make.apply(change, onJvm));
      kept = last;
    }
    return last.inserts;
  }
}

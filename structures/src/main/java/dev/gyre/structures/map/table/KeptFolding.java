package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Fold;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What inserts by a user's function, which may take code of its own to make: that of the last
 * function is kept.
 *
 * @param <I> what inserts
 */
final class KeptFolding<I> {

  private record Kept<I>(Change.Folding change, boolean onJvm, I inserts) {}

  private volatile @Nullable Kept<I> kept;

  /** What inserts by a function, made unless it is the last one, where it was then. */
  I of(Change.Folding change, boolean onJvm, Function<Fold, I> make) {
    Kept<I> last = kept;
    if (last == null || !last.change.equals(change) || last.onJvm != onJvm) {
      last = new Kept<>(change, onJvm, make.apply(change.fold()));
      kept = last;
    }
    return last.inserts;
  }
}

package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Operations on one structure that callers do not wait for: one after another. */
@Internal
public final class StageSequence {

  /** Ends, without a failure, when all that was begun has. */
  private CompletionStage<Boolean> last = CompletableFuture.completedStage(true);

  /**
   * Begins an operation after all that were begun before, whatever became of them.
   *
   * @param launcher what kernels run on that are added to the stage
   */
  public synchronized <S, T> Stage<T> begin(
      Launcher launcher, S structure, Function<? super S, ? extends T> operation) {
    Objects.requireNonNull(operation, "operation");
    Stage<T> next = Stage.from(launcher, last).then(_ -> operation.apply(structure));
    last = next.toCompletionStage().handle((_, _) -> true);
    return next;
  }
}

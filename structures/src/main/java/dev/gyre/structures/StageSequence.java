package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Runs asynchronous operations on one structure, in the order of their calls. */
@Internal
public final class StageSequence {

  /** Completes, never exceptionally, when all operations have ended. */
  private CompletionStage<Boolean> last = CompletableFuture.completedStage(true);

  /**
   * Begins an operation after all earlier ones have ended, failed or been cancelled.
   *
   * @param launcher launcher of kernels that are added to the stage
   */
  public synchronized <S, T> Stage<T> begin(
      Launcher launcher, S structure, Function<? super S, ? extends T> operation) {
    Objects.requireNonNull(operation, "operation");
    CompletionStage<Boolean> before = last;
    Stage<T> next = Stage.from(launcher, before).then(_ -> operation.apply(structure));
    // A stage that is cancelled while it waits ends at once. Its predecessor may still be running.
    last = next.toCompletionStage().handle((_, _) -> before).thenCompose(Function.identity());
    return next;
  }
}

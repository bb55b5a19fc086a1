package dev.gyre.structures.group;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Runs tasks on all cores. */
final class InParallel {

  private InParallel() {}

  /**
   * Runs an action for the numbers from 0 to {@code count - 1}. If some fail, it waits for the
   * others that have begun, and throws the exception of one.
   */
  static void run(int count, IntConsumer action) {
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    IntStream.range(0, count)
        .parallel()
        .forEach(
            task -> {
              if (failure.get() == null) {
                try {
                  action.accept(task);
                } catch (RuntimeException e) {
                  failure.set(e);
                }
              }
            });
    RuntimeException thrown = failure.get();
    if (thrown != null) {
      throw thrown;
    }
  }
}

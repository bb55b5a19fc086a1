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
    AtomicReference<Throwable> failure = new AtomicReference<>();
    IntStream.range(0, count)
        .parallel()
        .forEach(
            task -> {
              if (failure.get() == null) {
                try {
                  action.accept(task);
                } catch (RuntimeException | Error e) {
                  failure.set(e);
                }
              }
            });
    switch (failure.get()) {
      case null -> {}
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      case Throwable other -> throw new IllegalStateException(other);
    }
  }
}

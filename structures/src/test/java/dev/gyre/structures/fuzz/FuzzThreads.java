package dev.gyre.structures.fuzz;

import dev.gyre.structures.Checks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;

/** Threads that do something at once. */
final class FuzzThreads {

  private FuzzThreads() {}

  /** So many, each with its number; fails where one does. */
  static void run(int count, IntConsumer each) {
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    // Closed, it waits for all.
    try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
      for (int t = 0; t < count; t++) {
        int thread = t;
        threads.execute(
            () -> {
              try {
                each.accept(thread);
              } catch (RuntimeException | Error e) {
                failures.add(e);
              }
            });
      }
    }
    Checks.same("failures of threads", List.of(), failures);
  }
}

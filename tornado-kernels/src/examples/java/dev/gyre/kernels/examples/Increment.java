package dev.gyre.kernels.examples;

import dev.gyre.atomics.SystemInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * The talk's heterogeneous increment: one line for every CPU, GPU and compiler. Wait-free.
 *
 * @param counter one int
 */
public record Increment(SystemInts counter) implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    increment(counter);
  }

  /** The talk's {@code increment_better}. */
  public static void increment(SystemInts counter) {
    int _ = counter.fetchAddRelaxed(0, 1);
  }
}

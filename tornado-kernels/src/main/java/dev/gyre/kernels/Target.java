package dev.gyre.kernels;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Kind of device that a kernel runs on.
 *
 * @since 0.1.0
 */
public enum Target {
  /** Threads of this JVM; always available. */
  JVM(1L << 20),
  /** An OpenCL device, compiled to OpenCL C. */
  OPENCL(1L << 22),
  /** An NVIDIA GPU, compiled to PTX. */
  PTX(1L << 22),
  /** An NVIDIA GPU, compiled to CUDA C. */
  CUDA(1L << 22);

  private final long pollLimit;
  private final String label = name().toLowerCase(Locale.ROOT);

  Target(long pollLimit) {
    this.pollLimit = pollLimit;
  }

  /**
   * Returns the default number of polls after which a wait for another thread gives up, with
   * back-off. That is about 15 minutes on the JVM, whose threads may be delayed for long, and
   * seconds on devices.
   */
  public long pollLimit() {
    return pollLimit;
  }

  /** Returns the name on command lines and in results, such as {@code jvm}. */
  public String label() {
    return label;
  }

  /**
   * Returns the target with a given label.
   *
   * @throws IllegalArgumentException if no target has this label; the message lists the labels
   */
  public static Target ofLabel(String label) {
    return Arrays.stream(values())
        .filter(t -> t.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown target '"
                        + label
                        + "'; the targets are "
                        + Arrays.stream(values())
                            .map(Target::label)
                            .collect(Collectors.joining(", "))));
  }
}

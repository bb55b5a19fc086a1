package dev.gyre.kernels;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Where a kernel runs. */
public enum Target {
  /** Threads of this Java virtual machine; always there. */
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
   * Polls after which a wait for another thread had better give up, as the shim backs off on this
   * target: about 15 minutes on the JVM, whose threads may be kept from running for long, and
   * seconds on devices.
   */
  public long pollLimit() {
    return pollLimit;
  }

  /** The name on command lines and in results, such as {@code jvm}. */
  public String label() {
    return label;
  }

  /**
   * Finds a target by its label.
   *
   * @throws IllegalArgumentException if there is none, naming those that there are
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

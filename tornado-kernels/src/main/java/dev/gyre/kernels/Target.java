package dev.gyre.kernels;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Where a kernel runs. */
public enum Target {
  /** Threads of this Java virtual machine; always there. */
  JVM,
  /** An OpenCL device, compiled to OpenCL C. */
  OPENCL,
  /** An NVIDIA GPU, compiled to PTX. */
  PTX;

  /** The name on command lines and in results, such as {@code jvm}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
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

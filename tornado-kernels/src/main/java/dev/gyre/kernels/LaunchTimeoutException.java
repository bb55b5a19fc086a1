package dev.gyre.kernels;

import java.io.Serial;

/**
 * Thrown if a launch did not end in the time that devices are given, or its driver stopped it, and
 * the device was abandoned.
 *
 * <p>Its launcher cannot be used again, because nothing can stop a running kernel. Other launchers
 * are not affected.
 *
 * @since 0.1.0
 */
public class LaunchTimeoutException extends LaunchException {
  @Serial private static final long serialVersionUID = 1L;

  public LaunchTimeoutException(String kernel, Device device, String problem) {
    super(kernel, device, problem, null);
  }
}

package dev.gyre.kernels;

import java.io.Serial;

/**
 * A launch did not end within the time that devices are given, or its driver stopped it in the
 * middle, and the device was abandoned. Its launcher is of no use any more, since nothing can stop
 * what runs on a device; other launchers are.
 */
public class LaunchTimeoutException extends LaunchException {
  @Serial private static final long serialVersionUID = 1L;

  public LaunchTimeoutException(String kernel, Device device, String problem) {
    super(kernel, device, problem, null);
  }
}

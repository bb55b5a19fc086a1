package dev.gyre.kernels;

/**
 * A device function with its arguments, ready to be launched.
 *
 * <p>Kernels that run on devices are records of handles, numbers and records of the same kind, see
 * {@link KernelTree}; nothing else needs to be written for a device, which compiles {@code run}
 * with all that it calls. Any lambda is a kernel for the JVM.
 */
@FunctionalInterface
public interface Kernel {

  /**
   * Does the work of one device thread.
   *
   * @param thread number of the device thread, from 0 to {@code shape.threads() - 1}
   * @param shape the shape of the launch
   */
  void run(int thread, LaunchShape shape);

  /** Name for errors and profiles: that of the class, without its package and what it is in. */
  default String name() {
    String name = getClass().getName();
    // Not by reflection: a copy of a class must not look at the one that it is in; see OwnCode.
    int begin = Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1;
    return getClass().isHidden()
        ? getClass().getSimpleName()
        : name.substring(begin).replaceFirst("^[0-9]+", "");
  }
}

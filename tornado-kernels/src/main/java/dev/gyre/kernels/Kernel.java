package dev.gyre.kernels;

/**
 * A device function with its arguments, ready to be launched.
 *
 * <pre>{@code
 * record AddOne(DeviceInts words, int items) implements Kernel {
 *   public void run(int thread, LaunchShape shape) {
 *     for (int i = thread; i < items; i += shape.threads()) {
 *       words.set(i, words.get(i) + 1);
 *     }
 *   }
 * }
 *
 * launcher.run(new AddOne(DeviceInts.of(memory), items), launcher.shapeFor(items));
 * }</pre>
 *
 * <p>A kernel for devices is a record of handles, numbers and records of the same kind; see {@link
 * KernelTree}. The device compiler translates {@code run} with everything that it calls. On the JVM
 * any lambda is a kernel.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Kernel {

  /**
   * Does the work of one device thread.
   *
   * @param thread number of the device thread, from 0 to {@code shape.threads() - 1}
   * @param shape shape of the launch
   */
  void run(int thread, LaunchShape shape);

  /** Returns the name for errors and profiles: the simple name of the class. */
  default String name() {
    String name = getClass().getName();
    // Not by reflection, because a specialised copy of a class must not look at its enclosing
    // class; see SpecializedCode.
    int begin = Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1;
    return getClass().isHidden()
        ? getClass().getSimpleName()
        : name.substring(begin).replaceFirst("^[0-9]+", "");
  }
}

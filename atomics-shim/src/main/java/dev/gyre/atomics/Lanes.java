package dev.gyre.atomics;

/**
 * What threads that run in step, such as those of a warp, can do together; for device functions.
 *
 * <p>Which threads these are is up to the device, from call to call. Where each runs by itself, as
 * on the JVM, a thread is alone in all of it.
 */
public final class Lanes {

  private Lanes() {}

  /**
   * Adds up the values of the threads that are here together: one of them gets the sum, wrapping
   * around, the others get 0. So all results add up to the same as all values, and that one thread
   * can do for all what each would have done, such as an atomic addition.
   *
   * <p>A device can bring together only what is not kept apart: call it where all threads come by,
   * outside of branches.
   */
  public static int sum(int value) {
    return value;
  }
}

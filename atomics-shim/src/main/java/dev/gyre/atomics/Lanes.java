package dev.gyre.atomics;

/**
 * What threads that run in step, those of a warp, can do together; for device functions.
 *
 * <p>A warp has {@link #width} threads, its lanes: 32 on NVIDIA's GPUs, and 1 elsewhere, as on the
 * JVM, where a thread is alone in all of it. The threads of a block are its warps, one after
 * another. Where a warp has several threads, a block must be of whole warps: others are refused
 * before the launch.
 *
 * <p>But for {@link #sumOfPresent}, all threads of a warp must come by: what is called on a branch
 * that some take and others do not is refused where that can be seen, and undefined where it
 * cannot.
 */
public final class Lanes {

  private Lanes() {}

  /** Number of threads of a warp. */
  public static int width() {
    return 1;
  }

  /** Number of this thread in its warp, from 0. */
  public static int index() {
    return 0;
  }

  /** Whether it is so for any lane. */
  public static boolean any(boolean value) {
    return value;
  }

  /** Whether it is so for all lanes. */
  public static boolean all(boolean value) {
    return value;
  }

  /** The lanes for which it is so: a bit for each, that of lane 0 the lowest. */
  public static int ballot(boolean value) {
    return value ? 1 : 0;
  }

  /** The value of a lane, which each thread chooses for itself; modulo the width. */
  public static int shuffle(int value, int lane) {
    return value;
  }

  /** The value of one lane, the same for all; modulo the width. */
  public static int broadcast(int value, int lane) {
    return shuffle(value, lane);
  }

  /** The sum of all lanes' values, wrapping around. */
  public static int sumOfAll(int value) {
    return value;
  }

  /** The sum of the values of this lane and of those before, wrapping around. */
  public static int prefixSum(int value) {
    return value;
  }

  /**
   * Adds up the values of the threads that are here together: one of them gets the sum, wrapping
   * around, the others get 0. So all results add up to the same as all values, and that one thread
   * can do for all what each would have done, such as an atomic addition.
   *
   * <p>Which threads these are is up to the device, from call to call. It can bring together only
   * what is not kept apart: call it where all threads come by, outside of branches.
   */
  public static int sumOfPresent(int value) {
    return value;
  }
}

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

  /** As {@link #shuffle(int, int)}. */
  public static long shuffle(long value, int lane) {
    return value;
  }

  /** As {@link #shuffle(int, int)}, bit for bit. */
  public static float shuffle(float value, int lane) {
    return value;
  }

  /** As {@link #shuffle(int, int)}, bit for bit. */
  public static double shuffle(double value, int lane) {
    return value;
  }

  /** The value of one lane, the same for all; modulo the width. */
  public static int broadcast(int value, int lane) {
    return shuffle(value, lane);
  }

  /** As {@link #broadcast(int, int)}. */
  public static long broadcast(long value, int lane) {
    return shuffle(value, lane);
  }

  /** As {@link #broadcast(int, int)}, bit for bit. */
  public static float broadcast(float value, int lane) {
    return shuffle(value, lane);
  }

  /** As {@link #broadcast(int, int)}, bit for bit. */
  public static double broadcast(double value, int lane) {
    return shuffle(value, lane);
  }

  /** The sum of all lanes' values, wrapping around. */
  public static int sumOfAll(int value) {
    return value;
  }

  /** As {@link #sumOfAll(int)}. */
  public static long sumOfAll(long value) {
    return value;
  }

  /**
   * The sum of all lanes' values, the same bits for all (but for which NaN it is): first of each
   * two neighbours, then of each two such sums, and so on. Another width is another order, and may
   * round to another sum.
   */
  public static float sumOfAll(float value) {
    return value;
  }

  /** As {@link #sumOfAll(float)}. */
  public static double sumOfAll(double value) {
    return value;
  }

  /** The sum of the values of this lane and of those before, wrapping around. */
  public static int prefixSum(int value) {
    return value;
  }

  /** As {@link #prefixSum(int)}. */
  public static long prefixSum(long value) {
    return value;
  }

  /**
   * The sum of the values of this lane and of those before, in this order: for distances of 1, 2, 4
   * and so on below the width, each lane that has another one as far before it adds what that one
   * has so far to its own.
   */
  public static float prefixSum(float value) {
    return value;
  }

  /** As {@link #prefixSum(float)}. */
  public static double prefixSum(double value) {
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

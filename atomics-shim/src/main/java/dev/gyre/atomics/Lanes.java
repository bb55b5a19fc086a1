package dev.gyre.atomics;

/**
 * Warp-level operations for device functions: votes, shuffles and sums of the lanes of a warp.
 *
 * <p>The threads of a warp are its lanes. A warp has {@link #width} lanes: 32 on GPUs of NVIDIA,
 * and 1 on the JVM and elsewhere. With one lane, each operation returns the value of the thread
 * itself. A block consists of warps in the order of its threads. If warps have several lanes, the
 * size of a block must be a multiple of the width; the launcher refuses other sizes.
 *
 * <pre>{@code
 * int sum = Lanes.sumOfAll(mine);
 * if (Lanes.index() == 0) {
 *   total.fetchAddRelaxed(0, sum);
 * }
 * }</pre>
 *
 * <p>All threads of a warp must call an operation, except {@link #sumOfPresent}. The device
 * compiler refuses a kernel if it finds a call on a branch that only some threads of a warp take.
 * If it does not find the call, the result is undefined.
 *
 * @since 0.1.0
 */
public final class Lanes {

  private Lanes() {}

  /** Returns the number of lanes of a warp. */
  public static int width() {
    return 1;
  }

  /** Returns the number of this thread in its warp, from 0. */
  public static int index() {
    return 0;
  }

  /** Returns whether the value is true for any lane. */
  public static boolean any(boolean value) {
    return value;
  }

  /** Returns whether the value is true for all lanes. */
  public static boolean all(boolean value) {
    return value;
  }

  /** Returns a bit for each lane, set if its value is true; lane 0 has the lowest bit. */
  public static int ballot(boolean value) {
    return value ? 1 : 0;
  }

  /**
   * Returns the value that another lane passed. Each thread may choose another lane.
   *
   * @param lane number of the lane, modulo the width
   */
  public static int shuffle(int value, int lane) {
    return value;
  }

  /** Does what {@link #shuffle(int, int)} does. */
  public static long shuffle(long value, int lane) {
    return value;
  }

  /** Does what {@link #shuffle(int, int)} does, bit for bit. */
  public static float shuffle(float value, int lane) {
    return value;
  }

  /** Does what {@link #shuffle(int, int)} does, bit for bit. */
  public static double shuffle(double value, int lane) {
    return value;
  }

  /**
   * Returns the value that one lane passed. All threads must choose the same lane.
   *
   * @param lane number of the lane, modulo the width
   */
  public static int broadcast(int value, int lane) {
    return shuffle(value, lane);
  }

  /** Does what {@link #broadcast(int, int)} does. */
  public static long broadcast(long value, int lane) {
    return shuffle(value, lane);
  }

  /** Does what {@link #broadcast(int, int)} does, bit for bit. */
  public static float broadcast(float value, int lane) {
    return shuffle(value, lane);
  }

  /** Does what {@link #broadcast(int, int)} does, bit for bit. */
  public static double broadcast(double value, int lane) {
    return shuffle(value, lane);
  }

  /** Returns the sum of the values of all lanes, with wrap-around. */
  public static int sumOfAll(int value) {
    return value;
  }

  /** Does what {@link #sumOfAll(int)} does. */
  public static long sumOfAll(long value) {
    return value;
  }

  /**
   * Returns the sum of the values of all lanes. All lanes get the same bits, except that the bits
   * of a NaN may differ.
   *
   * <p>The order of additions is a tree: first pairs of neighbours, then pairs of these sums, and
   * so on. Another width has another order, and may round to another sum.
   */
  public static float sumOfAll(float value) {
    return value;
  }

  /** Does what {@link #sumOfAll(float)} does. */
  public static double sumOfAll(double value) {
    return value;
  }

  /** Returns the sum of the values of this lane and all lanes before it, with wrap-around. */
  public static int prefixSum(int value) {
    return value;
  }

  /** Does what {@link #prefixSum(int)} does. */
  public static long prefixSum(long value) {
    return value;
  }

  /**
   * Returns the sum of the values of this lane and all lanes before it.
   *
   * <p>The order of additions is fixed (Hillis and Steele): for distances of 1, 2, 4 and so on
   * below the width, each lane adds the partial sum of the lane at that distance before it, if
   * there is such a lane.
   */
  public static float prefixSum(float value) {
    return value;
  }

  /** Does what {@link #prefixSum(float)} does. */
  public static double prefixSum(double value) {
    return value;
  }

  /**
   * Adds up the values of the threads of a warp that make this call together.
   *
   * <p>One of these threads gets the sum, with wrap-around; the others get 0. The sum of all
   * results therefore equals the sum of all values. One thread can then do a single atomic addition
   * in place of many.
   *
   * <p>At each call the device decides which threads are together. To bring many together, call it
   * outside of branches.
   */
  public static int sumOfPresent(int value) {
    return value;
  }
}

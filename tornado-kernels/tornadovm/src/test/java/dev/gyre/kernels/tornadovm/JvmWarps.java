package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.SharedLongs;

/**
 * What {@link dev.gyre.atomics.Lanes} says that warps of some width do, played by the threads of a
 * block on the JVM, one lane after another: what random programs are held against.
 *
 * <p>All threads of the block must come by, not only those of a warp. Each passes its number in the
 * block first.
 *
 * @param values a long for each thread of the block
 * @param lanes lanes of a warp
 */
record JvmWarps(SharedLongs values, int lanes) {

  int width(int me) {
    return lanes;
  }

  int index(int me) {
    return me % lanes;
  }

  /** What all lanes have. */
  private long[] all(int me, long value) {
    values.set(me, value);
    Block.barrier();
    long[] all = new long[lanes];
    for (int lane = 0; lane < lanes; lane++) {
      all[lane] = values.get(me - index(me) + lane);
    }
    Block.barrier();
    return all;
  }

  boolean any(int me, boolean value) {
    return ballot(me, value) != 0;
  }

  boolean all(int me, boolean value) {
    return ballot(me, !value) == 0;
  }

  int ballot(int me, boolean value) {
    long[] all = all(me, value ? 1 : 0);
    int ballot = 0;
    for (int lane = 0; lane < lanes; lane++) {
      ballot |= (int) all[lane] << lane;
    }
    return ballot;
  }

  long shuffle(int me, long value, int lane) {
    return all(me, value)[Math.floorMod(lane, lanes)];
  }

  int shuffle(int me, int value, int lane) {
    return (int) shuffle(me, (long) value, lane);
  }

  float shuffle(int me, float value, int lane) {
    return Float.intBitsToFloat(shuffle(me, Float.floatToRawIntBits(value), lane));
  }

  double shuffle(int me, double value, int lane) {
    return Double.longBitsToDouble(shuffle(me, Double.doubleToRawLongBits(value), lane));
  }

  long broadcast(int me, long value, int lane) {
    return shuffle(me, value, lane);
  }

  int broadcast(int me, int value, int lane) {
    return shuffle(me, value, lane);
  }

  float broadcast(int me, float value, int lane) {
    return shuffle(me, value, lane);
  }

  double broadcast(int me, double value, int lane) {
    return shuffle(me, value, lane);
  }

  long sumOfAll(int me, long value) {
    long sum = 0;
    for (long of : all(me, value)) {
      sum += of;
    }
    return sum;
  }

  int sumOfAll(int me, int value) {
    return (int) sumOfAll(me, (long) value);
  }

  double sumOfAll(int me, double value) {
    return sums(all(me, Double.doubleToRawLongBits(value)), true);
  }

  float sumOfAll(int me, float value) {
    return (float) sums(all(me, Double.doubleToRawLongBits(value)), false);
  }

  /** Neighbours first. */
  private double sums(long[] all, boolean isDouble) {
    double[] sums = new double[lanes];
    for (int lane = 0; lane < lanes; lane++) {
      sums[lane] = Double.longBitsToDouble(all[lane]);
    }
    for (int left = lanes / 2; left > 0; left /= 2) {
      for (int i = 0; i < left; i++) {
        sums[i] = sum(sums[2 * i], sums[2 * i + 1], isDouble);
      }
    }
    return sums[0];
  }

  /** The sum of two floats is a double, which is rounded to the float that it should be. */
  private static double sum(double x, double y, boolean isDouble) {
    return isDouble ? x + y : (float) (x + y);
  }

  long prefixSum(int me, long value) {
    long[] all = all(me, value);
    long sum = 0;
    for (int lane = 0; lane <= index(me); lane++) {
      sum += all[lane];
    }
    return sum;
  }

  int prefixSum(int me, int value) {
    return (int) prefixSum(me, (long) value);
  }

  double prefixSum(int me, double value) {
    return prefixSum(me, value, true);
  }

  float prefixSum(int me, float value) {
    return (float) prefixSum(me, value, false);
  }

  private double prefixSum(int me, double value, boolean isDouble) {
    double sum = value;
    for (int distance = 1; distance < lanes; distance *= 2) {
      long[] all = all(me, Double.doubleToRawLongBits(sum));
      if (index(me) >= distance) {
        sum = sum(Double.longBitsToDouble(all[index(me) - distance]), sum, isDouble);
      }
    }
    return sum;
  }

  /** One way of many: each thread is here alone. */
  int sumOfPresent(int me, int value) {
    return value;
  }
}

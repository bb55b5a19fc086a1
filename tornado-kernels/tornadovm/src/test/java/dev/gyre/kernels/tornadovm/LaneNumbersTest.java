package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Lanes;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What warps do with longs, floats and doubles, on a device and as {@link JvmWarps} plays it. */
@ExtendWith(DeviceUnderTest.class)
class LaneNumbersTest {

  private static final int TOLD = 12;
  private static final LaunchShape SHAPE = new LaunchShape(3, 64);

  private static long whole(int thread, int salt) {
    return (thread + 1) * 0x9E37_79B9_7F4A_7C15L ^ salt;
  }

  /** Sums of these depend on their order; one is subnormal, and that of warp 1 is not a number. */
  private static double real(int thread, int salt) {
    double value = ((thread * 37 + salt) % 101 - 50) * 0.1;
    return thread == 33 ? Double.NaN : thread % 32 == 7 ? 1e-40 : value * (thread % 5 + 1);
  }

  /** Each thread tells what it gets, as bits. */
  record Numbers(ThreadLongs told, int salt) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      long at = (long) thread * TOLD;
      int lane = thread * 7 + 3;
      long l = whole(thread, salt);
      double d = real(thread, salt);
      float f = (float) d;
      told.set(at, Lanes.shuffle(l, lane));
      told.set(at + 1, Lanes.broadcast(l, 5));
      told.set(at + 2, Lanes.sumOfAll(l));
      told.set(at + 3, Lanes.prefixSum(l));
      told.set(at + 4, Float.floatToRawIntBits(Lanes.shuffle(f, lane)));
      told.set(at + 5, Float.floatToRawIntBits(Lanes.broadcast(f, 5)));
      told.set(at + 6, Float.floatToRawIntBits(Lanes.sumOfAll(f)));
      told.set(at + 7, Float.floatToRawIntBits(Lanes.prefixSum(f)));
      told.set(at + 8, Double.doubleToRawLongBits(Lanes.shuffle(d, lane)));
      told.set(at + 9, Double.doubleToRawLongBits(Lanes.broadcast(d, 5)));
      told.set(at + 10, Double.doubleToRawLongBits(Lanes.sumOfAll(d)));
      told.set(at + 11, Double.doubleToRawLongBits(Lanes.prefixSum(d)));
    }
  }

  /** The same, played on the JVM. */
  record Played(ThreadLongs told, JvmWarps warps, int salt) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      long at = (long) thread * TOLD;
      int lane = thread * 7 + 3;
      int me = thread % shape.blockSize();
      long l = whole(thread, salt);
      double d = real(thread, salt);
      float f = (float) d;
      told.set(at, warps.shuffle(me, l, lane));
      told.set(at + 1, warps.broadcast(me, l, 5));
      told.set(at + 2, warps.sumOfAll(me, l));
      told.set(at + 3, warps.prefixSum(me, l));
      told.set(at + 4, Float.floatToRawIntBits(warps.shuffle(me, f, lane)));
      told.set(at + 5, Float.floatToRawIntBits(warps.broadcast(me, f, 5)));
      told.set(at + 6, Float.floatToRawIntBits(warps.sumOfAll(me, f)));
      told.set(at + 7, Float.floatToRawIntBits(warps.prefixSum(me, f)));
      told.set(at + 8, Double.doubleToRawLongBits(warps.shuffle(me, d, lane)));
      told.set(at + 9, Double.doubleToRawLongBits(warps.broadcast(me, d, 5)));
      told.set(at + 10, Double.doubleToRawLongBits(warps.sumOfAll(me, d)));
      told.set(at + 11, Double.doubleToRawLongBits(warps.prefixSum(me, d)));
    }
  }

  /** What a thread should be told. */
  private static long[] expected(int thread, int width, int salt) {
    long[] e = new long[TOLD];
    int index = thread % width;
    int first = thread - index;
    int from = first + (thread * 7 + 3) % width;
    int one = first + 5 % width;
    for (int lane = 0; lane < width; lane++) {
      e[2] += whole(first + lane, salt);
      e[3] += lane <= index ? whole(first + lane, salt) : 0;
    }
    e[0] = whole(from, salt);
    e[1] = whole(one, salt);
    e[4] = bits((float) real(from, salt));
    e[5] = bits((float) real(one, salt));
    e[6] = bits(floatSum(first, width, salt));
    e[7] = bits(floatPrefix(first, index, width, salt));
    e[8] = bits(real(from, salt));
    e[9] = bits(real(one, salt));
    e[10] = bits(doubleSum(first, width, salt));
    e[11] = bits(doublePrefix(first, index, width, salt));
    return e;
  }

  private static float floatSum(int first, int width, int salt) {
    return width == 1
        ? (float) real(first, salt)
        : floatSum(first, width / 2, salt) + floatSum(first + width / 2, width / 2, salt);
  }

  private static double doubleSum(int first, int width, int salt) {
    return width == 1
        ? real(first, salt)
        : doubleSum(first, width / 2, salt) + doubleSum(first + width / 2, width / 2, salt);
  }

  /** What lane {@code index} has before the step of a distance. */
  private static float floatPrefix(int first, int index, int distance, int salt) {
    if (distance == 1) {
      return (float) real(first + index, salt);
    }
    int step = distance / 2;
    float own = floatPrefix(first, index, step, salt);
    return index < step ? own : floatPrefix(first, index - step, step, salt) + own;
  }

  private static double doublePrefix(int first, int index, int distance, int salt) {
    if (distance == 1) {
      return real(first + index, salt);
    }
    int step = distance / 2;
    double own = doublePrefix(first, index, step, salt);
    return index < step ? own : doublePrefix(first, index - step, step, salt) + own;
  }

  private static long bits(float value) {
    return Float.floatToIntBits(value);
  }

  private static long bits(double value) {
    return Double.doubleToLongBits(value);
  }

  private static void check(ThreadLongs told, int width, int salt) {
    for (int t = 0; t < SHAPE.threads(); t++) {
      long[] found = new long[TOLD];
      for (int i = 0; i < TOLD; i++) {
        long bits = told.get((long) t * TOLD + i);
        // Which NaN it is, is up to the device.
        found[i] =
            i < 4
                ? bits
                : i < 8
                    ? bits(Float.intBitsToFloat((int) bits))
                    : bits(Double.longBitsToDouble(bits));
      }
      assertThat(found).as("thread %d", t).isEqualTo(expected(t, width, salt));
    }
  }

  @Test
  void aWarpDoesItWithNumbersOfAllTypes() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory told = Memory.ofLongs((long) SHAPE.threads() * TOLD)) {
      for (int salt : new int[] {1, 58}) {
        launcher.run(new Numbers(ThreadLongs.of(told), salt), SHAPE);
        launcher.readBack(told);
        check(ThreadLongs.of(told), FuzzRunner.width(launcher), salt);
      }
    }
  }

  @Test
  void aWarpIsAloneOnTheJvm() {
    try (JvmLauncher launcher = JvmLauncher.create();
        Memory told = Memory.ofLongs((long) SHAPE.threads() * TOLD)) {
      launcher.run(new Numbers(ThreadLongs.of(told), 2), SHAPE);
      check(ThreadLongs.of(told), 1, 2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 32})
  void theJvmPlaysItAtAnyWidth(int width) {
    try (JvmLauncher launcher = JvmLauncher.create();
        Memory told = Memory.ofLongs((long) SHAPE.threads() * TOLD)) {
      JvmWarps warps = new JvmWarps(SharedLongs.of(SHAPE.blockSize()), width);
      launcher.run(new Played(ThreadLongs.of(told), warps, 3), SHAPE);
      check(ThreadLongs.of(told), width, 3);
    }
  }
}

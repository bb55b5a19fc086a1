package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Loads of two neighbours become one access where they may, and give the same in any case. */
@ExtendWith(DeviceUnderTest.class)
class PairLoadsTest {

  private static final int COUNT = 1000;

  /** Loads that are pairs: relaxed, plain, and with an offset. */
  record Pairs(DeviceLongs words, DeviceInts halves, DeviceLongs out) implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      add(thread, shape.threads(), words, halves, out);
    }

    static void add(
        int thread, int threads, DeviceLongs words, DeviceInts halves, DeviceLongs out) {
      for (long i = thread; i < COUNT; i += threads) {
        long a = words.loadRelaxed(i << 1);
        long b = words.loadRelaxed((i << 1) + 1);
        long c = words.get((i << 2) + 2);
        long d = words.get((i << 2) + 3);
        int e = halves.loadRelaxed(i << 1);
        int f = halves.loadRelaxed((i << 1) + 1);
        out.set(i, a - 3 * b + 5 * c - 7 * d + 11L * e - 13L * f);
      }
    }
  }

  /** Loads that are not: not aligned to the pair, the wrong way round, and of an order. */
  record NoPairs(DeviceLongs words, DeviceInts halves, DeviceLongs out) implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      add(thread, shape.threads(), words, halves, out);
    }

    static void add(
        int thread, int threads, DeviceLongs words, DeviceInts halves, DeviceLongs out) {
      for (long i = thread; i < COUNT; i += threads) {
        long a = words.loadRelaxed(i);
        long b = words.loadRelaxed(i + 1);
        long c = words.get((i << 2) + 1);
        long d = words.get((i << 2) + 2);
        long e = words.loadAcquire(i << 1);
        long f = words.loadAcquire((i << 1) + 1);
        int g = halves.loadRelaxed((i << 1) + 1);
        int h = halves.loadRelaxed(i << 1);
        out.set(i, a - 3 * b + 5 * c - 7 * d + 11L * e - 13L * f + 17L * g - 19L * h);
      }
    }
  }

  private static Memory memory(int longs) {
    Memory memory = Memory.ofLongs(longs);
    DeviceLongs fill = DeviceLongs.of(memory);
    for (int i = 0; i < longs; i++) {
      fill.set(i, i * 0x9e37_79b9_7f4a_7c15L);
    }
    return memory;
  }

  private static long[] run(
      TornadoLauncher launcher, boolean device, boolean pairs, Memory words, Memory out) {
    DeviceLongs in = DeviceLongs.of(words);
    DeviceInts halves = DeviceInts.of(words);
    DeviceLongs to = DeviceLongs.of(out);
    Kernel kernel = pairs ? new Pairs(in, halves, to) : new NoPairs(in, halves, to);
    if (device) {
      launcher.run(kernel, launcher.shapeForEach(COUNT));
      launcher.readBack(out);
    } else {
      kernel.run(0, LaunchShape.ofThreads(1));
    }
    long[] results = new long[COUNT];
    for (int i = 0; i < COUNT; i++) {
      results[i] = to.get(i);
    }
    return results;
  }

  @Test
  void pairsHaveTheValuesOfTheirElements() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory words = memory(4 * COUNT);
        Memory out = Memory.ofLongs(COUNT);
        Memory reference = Memory.ofLongs(COUNT)) {
      for (boolean pairs : new boolean[] {true, false}) {
        assertThat(run(launcher, true, pairs, words, out))
            .isEqualTo(run(launcher, false, pairs, words, reference));
      }
    }
  }

  @Test
  void neighboursAreLoadedAtOnceOnNvidiaWhereTheyAreAligned() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory words = memory(1);
        Memory out = Memory.ofLongs(1)) {
      assumeTrue(launcher.device().name().contains("NVIDIA"), "OpenCL C has no pair loads");
      DeviceLongs in = DeviceLongs.of(words);
      DeviceInts halves = DeviceInts.of(words);
      DeviceLongs to = DeviceLongs.of(out);
      String some = launcher.source(new Pairs(in, halves, to));
      assertThat(some)
          .containsOnlyOnce("ld.relaxed.gpu.global.v2.b64 {")
          .containsOnlyOnce("ld.global.v2.b64 {")
          .containsOnlyOnce("ld.relaxed.gpu.global.v2.b32 {");
      assertThat(launcher.source(new NoPairs(in, halves, to)))
          .doesNotContainPattern(Pattern.compile("v2\\.b(32|64)"));
    }
  }
}

package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Atomicity among 2^20 device threads. Plain updates are the mutant that must lose some. */
@ExtendWith(DeviceUnderTest.class)
class ContentionTest {

  private static final LaunchShape SHAPE = new LaunchShape(1 << 12, 1 << 8);
  private static final int WORDS = 1 << 10;

  /** Every thread wants words 0 of both types, and adds to one word and to one of many. */
  record Contend(DeviceInts ints, DeviceLongs longs, DeviceInts sums, ThreadInts won)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      contend(thread, ints, longs, sums, won);
    }

    static void contend(
        int thread, DeviceInts ints, DeviceLongs longs, DeviceInts sums, ThreadInts won) {
      int wins = 0;
      if (ints.compareAndSetRelaxed(0, 0, thread + 1)) {
        wins = 1;
      }
      if (longs.compareAndSetAcqRel(0, 0, thread + 1)) {
        wins += 2;
      }
      if (ints.compareAndExchangeSeqCst(1, 0, thread + 1) == 0) {
        wins += 4;
      }
      if (!ints.testAndSetAcquire(2)) {
        wins += 8;
      }
      won.set(thread, wins);
      int _ = ints.fetchAddRelaxed(3, 1);
      long _ = longs.fetchAddAcqRel(3, thread);
      long _ = longs.fetchMaxRelaxed(4, thread);
      int _ = ints.fetchMinRelaxed(4, -thread);
      int _ = ints.fetchXorSeqCst(5, thread);
      int _ = sums.fetchAddRelaxed(thread & 1023, 1);
    }
  }

  @Test
  void oneThreadWinsAndNoUpdateIsLost() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory ints = Memory.ofInts(8);
        Memory longs = Memory.ofLongs(8);
        Memory sums = Memory.ofInts(WORDS);
        Memory won = Memory.ofInts(SHAPE.threads())) {
      Contend kernel =
          new Contend(
              DeviceInts.of(ints), DeviceLongs.of(longs), DeviceInts.of(sums), ThreadInts.of(won));
      launcher.run(kernel, SHAPE);
      launcher.readBack(ints, longs, sums, won);
      int[] winners = new int[4];
      int[] winner = new int[4];
      for (int t = 0; t < SHAPE.threads(); t++) {
        for (int w = 0; w < 4; w++) {
          if ((kernel.won().get(t) >> w & 1) != 0) {
            winners[w]++;
            winner[w] = t;
          }
        }
      }
      long n = SHAPE.threads();
      assertThat(winners).containsOnly(1);
      assertThat(kernel.ints().get(0)).isEqualTo(winner[0] + 1);
      assertThat(kernel.longs().get(0)).isEqualTo(winner[1] + 1L);
      assertThat(kernel.ints().get(1)).isEqualTo(winner[2] + 1);
      assertThat(kernel.ints().get(2)).isEqualTo(1);
      assertThat(kernel.ints().get(3)).isEqualTo(SHAPE.threads());
      assertThat(kernel.longs().get(3)).isEqualTo(n * (n - 1) / 2);
      assertThat(kernel.longs().get(4)).isEqualTo(n - 1);
      assertThat(kernel.ints().get(4)).isEqualTo(1 - SHAPE.threads());
      assertThat(kernel.ints().get(5)).isZero();
      for (int w = 0; w < WORDS; w++) {
        assertThat(kernel.sums().get(w)).isEqualTo(SHAPE.threads() / WORDS);
      }
    }
  }

  /** The broken variant: adds without atomicity. */
  record ContendPlainly(DeviceInts ints) implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      contend(ints);
    }

    static void contend(DeviceInts ints) {
      for (int i = 0; i < 64; i++) {
        ints.set(0, ints.get(0) + 1);
      }
    }
  }

  @Test
  void plainAddsLoseSome() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory ints = Memory.ofInts(1)) {
      // A few cores rarely meet in one instruction.
      assumeTrue(launcher.device().units() >= 8, "the device has few units");
      ContendPlainly kernel = new ContendPlainly(DeviceInts.of(ints));
      launcher.run(kernel, SHAPE);
      launcher.readBack(ints);
      assertThat(kernel.ints().get(0)).isLessThan(64 * SHAPE.threads());
    }
  }
}

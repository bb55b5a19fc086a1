package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Lanes;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Threads that run in step add up what they have: nothing is lost and nothing counted twice. */
@ExtendWith(DeviceUnderTest.class)
class LanesTest {

  private static final LaunchShape SHAPE = new LaunchShape(999, 96);

  /** Every thread adds its number, and each third one its number again inside of a branch. */
  record AddUp(DeviceLongs sums) implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      addUp(thread, sums);
    }

    static void addUp(int thread, DeviceLongs sums) {
      int all = Lanes.sum(thread);
      if (all != 0) {
        sums.fetchAddRelaxed(0, all);
        sums.fetchAddRelaxed(2, 1);
      }
      if (thread % 3 == 0) {
        int some = Lanes.sum(-thread);
        if (some != 0) {
          sums.fetchAddRelaxed(1, some);
        }
      }
    }
  }

  @Test
  void sumsOfThreadsInStepAddUpToAll() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory sums = Memory.ofLongs(3)) {
      AddUp kernel = new AddUp(DeviceLongs.of(sums));
      launcher.run(kernel, SHAPE);
      launcher.readBack(sums);
      long n = SHAPE.threads();
      long thirds = (n + 2) / 3;
      assertThat(kernel.sums().get(0)).isEqualTo(n * (n - 1) / 2);
      assertThat(kernel.sums().get(1)).isEqualTo(-3 * (thirds * (thirds - 1) / 2));
      // The point of it: one thread of a warp adds for all.
      long most = launcher.source(kernel).contains("redux.sync") ? n / 32 : n;
      assertThat(kernel.sums().get(2)).isBetween(1L, most);
    }
  }
}

package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Lanes;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.tornadovm.DeviceFacts;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchException;
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
      int all = Lanes.sumOfPresent(thread);
      if (all != 0) {
        sums.fetchAddRelaxed(0, all);
        sums.fetchAddRelaxed(2, 1);
      }
      if (thread % 3 == 0) {
        int some = Lanes.sumOfPresent(-thread);
        if (some != 0) {
          sums.fetchAddRelaxed(1, some);
        }
      }
    }
  }

  /** What a thread learns of its warp, ten ints. */
  record Warp(ThreadInts told, int salt) implements Kernel {

    private static final int TOLD = 10;

    @Override
    public void run(int thread, LaunchShape shape) {
      int value = value(thread, salt);
      boolean odd = (value & 1) != 0;
      long at = (long) thread * TOLD;
      told.set(at, Lanes.width());
      told.set(at + 1, Lanes.index());
      told.set(at + 2, Lanes.any(odd) ? 1 : 0);
      told.set(at + 3, Lanes.all(odd) ? 1 : 0);
      told.set(at + 4, Lanes.ballot(odd));
      told.set(at + 5, Lanes.shuffle(value, thread * 7 + 3));
      told.set(at + 6, Lanes.broadcast(value, 5));
      told.set(at + 7, Lanes.sumOfAll(value));
      told.set(at + 8, Lanes.prefixSum(value));
      if (thread / shape.blockSize() % 2 == 0) {
        told.set(at + 9, Lanes.sumOfAll(1));
      }
    }

    static int value(int thread, int salt) {
      return ((thread ^ salt) * 0x9E3779B1) >> 3;
    }

    /** What a thread of a warp of some width should have learnt. */
    int[] expected(int thread, int width, LaunchShape shape) {
      int[] e = new int[TOLD];
      int index = thread % shape.blockSize() % width;
      int first = thread - index;
      e[0] = width;
      e[1] = index;
      e[3] = 1;
      for (int lane = 0; lane < width; lane++) {
        int value = value(first + lane, salt);
        e[2] |= value & 1;
        e[3] &= value & 1;
        e[4] |= (value & 1) << lane;
        e[7] += value;
        e[8] += lane <= index ? value : 0;
      }
      e[5] = value(first + (thread * 7 + 3) % width, salt);
      e[6] = value(first + 5 % width, salt);
      e[9] = thread / shape.blockSize() % 2 == 0 ? width : 0;
      return e;
    }
  }

  @Test
  void aWarpDoesTogetherWhatItsLanesAreToldToDo() {
    LaunchShape shape = new LaunchShape(3, 64);
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory told = Memory.ofInts((long) shape.threads() * Warp.TOLD)) {
      for (int salt : new int[] {1, -1}) {
        Warp kernel = new Warp(ThreadInts.of(told), salt);
        launcher.run(kernel, shape);
        launcher.readBack(told);
        int width = kernel.told().get(0);
        assertThat(width).isEqualTo(isNvidia(launcher) ? 32 : 1);
        for (int t = 0; t < shape.threads(); t++) {
          int[] found = new int[Warp.TOLD];
          for (int i = 0; i < found.length; i++) {
            found[i] = kernel.told().get((long) t * Warp.TOLD + i);
          }
          assertThat(found).as("thread %d", t).isEqualTo(kernel.expected(t, width, shape));
        }
      }
    }
  }

  @Test
  void aWarpIsAloneOnTheJvm() {
    LaunchShape shape = new LaunchShape(2, 3);
    try (JvmLauncher launcher = JvmLauncher.create();
        Memory told = Memory.ofInts((long) shape.threads() * Warp.TOLD)) {
      Warp kernel = new Warp(ThreadInts.of(told), 3);
      launcher.run(kernel, shape);
      for (int i = 0; i < Warp.TOLD; i++) {
        assertThat(kernel.told().get(i)).isEqualTo(kernel.expected(0, 1, shape)[i]);
      }
    }
  }

  @Test
  void halfAWarpIsRefused() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory told = Memory.ofInts(24 * Warp.TOLD)) {
      assumeTrue(isNvidia(launcher), "warps have one thread");
      assertThatThrownBy(
              () -> launcher.run(new Warp(ThreadInts.of(told), 1), new LaunchShape(1, 24)))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("of a multiple of it, not of 24");
    }
  }

  /** A barrier that only the first lanes of warps come to. */
  record FirstLanes(ThreadInts cells) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      if (Lanes.index() == 0) {
        Block.barrier();
      }
      cells.set(thread, thread);
    }
  }

  /** The same, by a sum that differs from lane to lane. */
  record FirstSums(ThreadInts cells) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      if (Lanes.prefixSum(1L) < 2) {
        Block.barrier();
      }
      cells.set(thread, thread);
    }
  }

  @Test
  void aBarrierOfSomeLanesIsRefused() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory cells = Memory.ofInts(64)) {
      ThreadInts of = ThreadInts.of(cells);
      for (Kernel kernel : new Kernel[] {new FirstLanes(of), new FirstSums(of)}) {
        assertThatThrownBy(() -> launcher.run(kernel, new LaunchShape(1, 64)))
            .isInstanceOf(LaunchException.class)
            .hasMessageContaining("all threads must call it");
      }
    }
  }

  private static boolean isNvidia(TornadoLauncher launcher) {
    return launcher.device().name().contains("NVIDIA");
  }

  /** Whether a device adds up what the threads of a warp have, whatever the target. */
  private static boolean addsUp(TornadoLauncher launcher) {
    DeviceFacts facts = DeviceFacts.of(TornadoDevices.of(launcher.device().target()).getFirst());
    return isNvidia(launcher) && Double.parseDouble(facts.computeCapability()) >= 8;
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
      // The point of it: one thread of a warp adds for all, in whatever language.
      long most = addsUp(launcher) ? n / 32 : n;
      assertThat(kernel.sums().get(2)).isBetween(1L, most);
    }
  }
}

package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/** Kernels that a device runs one after the other as one piece of work. */
@ExtendWith(DeviceUnderTest.class)
@Timeout(60)
class ChainTest {

  private static final int WORDS = 256;
  private static final LaunchShape FEW = LaunchShape.ofThreads(1);
  private static final LaunchShape MANY = new LaunchShape(16, 16);

  /** Mirrored, so that a thread reads what another one of the kernel before wrote. */
  record TimesAndPlus(ThreadInts from, ThreadInts to, int times, int plus) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < WORDS; i += shape.threads()) {
        to.set(i, from.get(WORDS - 1 - i) * times + plus);
      }
    }
  }

  record AsksForTheTime(ThreadInts words) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      words.set(thread, (int) System.nanoTime());
    }
  }

  private final AtomicInteger waits = new AtomicInteger();

  private TornadoLauncher launcher() {
    TornadoXPUDevice device = TornadoDevices.of(DeviceUnderTest.target()).getFirst();
    return new TornadoLauncher(
        device,
        TornadoDevices.describe(DeviceUnderTest.target(), device),
        plan -> {
          int _ = waits.incrementAndGet();
          device.sync(plan);
        });
  }

  @Test
  void eachFindsWhatThoseBeforeItWroteAndTheDeviceIsWaitedForOnce() {
    try (TornadoLauncher launcher = launcher();
        Memory one = Memory.ofInts(WORDS);
        Memory other = Memory.ofInts(WORDS)) {
      for (int round = 0; round < 3; round++) {
        int[] expected = new int[WORDS];
        for (int i = 0; i < WORDS; i++) {
          expected[i] = i;
          ThreadInts.of(one).set(i, i);
        }
        launcher.hostWrote(one);
        List<ChainLink> links = new ArrayList<>();
        for (int k = 0; k < 9; k++) {
          boolean even = k % 2 == 0;
          Kernel kernel =
              new TimesAndPlus(
                  ThreadInts.of(even ? one : other), ThreadInts.of(even ? other : one), 2 + k, k);
          links.add(new ChainLink(kernel, k % 3 == 0 ? FEW : MANY));
          expected = next(expected, 2 + k, k);
        }
        waits.set(0);
        launcher.runChain(links, one, other);
        assertThat(waits).hasValue(1);
        for (int i = 0; i < WORDS; i++) {
          assertThat(ThreadInts.of(other).get(i)).isEqualTo(expected[i]);
        }
      }
    }
  }

  private static int[] next(int[] of, int times, int plus) {
    int[] next = new int[WORDS];
    for (int i = 0; i < WORDS; i++) {
      next[i] = of[WORDS - 1 - i] * times + plus;
    }
    return next;
  }

  @Test
  void whereOneCannotBeCompiledNoneRuns() {
    try (TornadoLauncher launcher = launcher();
        Memory words = Memory.ofInts(WORDS)) {
      ThreadInts handle = ThreadInts.of(words);
      List<ChainLink> links =
          List.of(
              new ChainLink(new TimesAndPlus(handle, handle, 0, 7), MANY),
              new ChainLink(new AsksForTheTime(handle), FEW));
      assertThatThrownBy(() -> launcher.runChain(links, words))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("AsksForTheTime");
      launcher.readBack(words);
      assertThat(handle.get(0)).isZero();
      launcher.runChain(links.subList(0, 1), words);
      assertThat(handle.get(0)).isEqualTo(7);
    }
  }

  @Test
  void ofNoKernelsMemoriesComeBackAllTheSame() {
    try (TornadoLauncher launcher = launcher();
        Memory words = Memory.ofInts(WORDS)) {
      ThreadInts handle = ThreadInts.of(words);
      launcher.run(new TimesAndPlus(handle, handle, 0, 3), MANY);
      launcher.runChain(List.of(), words);
      assertThat(handle.get(5)).isEqualTo(3);
    }
  }
}

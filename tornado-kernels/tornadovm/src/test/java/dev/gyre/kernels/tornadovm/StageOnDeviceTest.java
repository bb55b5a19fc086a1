package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Chains of stages on a device, and between a device and the JVM. */
@ExtendWith(DeviceUnderTest.class)
@Timeout(120)
class StageOnDeviceTest {

  private static final int WORDS = 1 << 16;
  private static final LaunchShape ALL = new LaunchShape(WORDS / 64, 64);
  private static final LaunchShape ONE = LaunchShape.ofThreads(1);
  private static final long POLLS = 10_000;

  record AddOne(ThreadInts words) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      words.set(thread, words.get(thread) + 1);
    }
  }

  record Square(ThreadInts words) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      words.set(thread, words.get(thread) * words.get(thread));
    }
  }

  /** The execution model's first: raises a flag. */
  record First(DeviceInts flag) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      flag.storeRelaxed(0, 1);
    }
  }

  /** The execution model's second: waits for the flag, as long as it may. */
  record Second(DeviceInts flag, ThreadInts seen, long pollLimit) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      seen.set(0, flag.waitWhileEqualAcquire(0, 0, pollLimit));
    }
  }

  record TooLarge(SharedInts shared, ThreadInts words) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      words.set(thread, shared.get(0));
    }
  }

  @Test
  void memoryGoesWithTheChainFromTheJvmToTheDeviceAndBack() {
    try (TornadoLauncher device = DeviceUnderTest.open();
        JvmLauncher jvm = JvmLauncher.create();
        Memory memory = Memory.ofInts(WORDS)) {
      ThreadInts words = ThreadInts.of(memory);
      for (int i = 0; i < WORDS; i++) {
        words.set(i, i % 100);
      }
      Launcher end =
          Stage.schedule(device)
              .bulk(ALL, new AddOne(words))
              .on(jvm)
              .bulk(ALL, new Square(words))
              .on(device)
              .bulk(ALL, new AddOne(words))
              .readBack(memory)
              .then(
                  l -> {
                    words.set(0, words.get(0) + 10);
                    return l;
                  })
              .hostWrote(memory)
              .bulk(ALL, new AddOne(words))
              .readBack(memory)
              .join();
      assertThat(end).isSameAs(device);
      for (int i = 0; i < WORDS; i++) {
        int n = i % 100 + 1;
        assertThat(words.get(i)).isEqualTo(n * n + (i == 0 ? 12 : 2));
      }
    }
  }

  /** Execution.Model.Stream.1: in one chain the second begins when the first has ended. */
  @Test
  void aKernelMayWaitForOneBeforeIt() {
    try (TornadoLauncher device = DeviceUnderTest.open();
        Memory flag = Memory.ofInts(1);
        Memory seen = Memory.ofInts(1)) {
      Launcher _ =
          Stage.schedule(device)
              .bulk(ONE, new First(DeviceInts.of(flag)))
              .bulk(ONE, new Second(DeviceInts.of(flag), ThreadInts.of(seen), POLLS))
              .readBack(seen)
              .join();
      assertThat(ThreadInts.of(seen).get(0)).isEqualTo(1);
    }
  }

  /**
   * Execution.Model.Stream.0: nothing orders the kernels of two chains, so that the second may
   * starve the first. It gives up in the end.
   */
  @Test
  void aKernelThatWaitsForOneOfAnotherChainEndsAllTheSame() {
    try (TornadoLauncher device = DeviceUnderTest.open();
        Memory flag = Memory.ofInts(1);
        Memory seen = Memory.ofInts(1)) {
      Stage<Launcher> second =
          Stage.schedule(device)
              .bulk(ONE, new Second(DeviceInts.of(flag), ThreadInts.of(seen), POLLS));
      Stage<Launcher> first = Stage.schedule(device).bulk(ONE, new First(DeviceInts.of(flag)));
      assertThat(Stage.whenAll(second, first).readBack(flag, seen).join()).hasSize(2);
      assertThat(ThreadInts.of(seen).get(0)).isBetween(0, 1);
      assertThat(ThreadInts.of(flag).get(0)).isEqualTo(1);
    }
  }

  @Test
  void whatTheDeviceRefusesEndsTheChain() {
    try (TornadoLauncher device = DeviceUnderTest.open();
        Memory memory = Memory.ofInts(WORDS)) {
      ThreadInts words = ThreadInts.of(memory);
      SharedInts shared = SharedInts.of((int) (device.sharedBytes() / Integer.BYTES) + 2);
      Stage<Launcher> end =
          Stage.schedule(device)
              .bulk(ALL, new TooLarge(shared, words))
              .bulk(ALL, new AddOne(words));
      assertThatThrownBy(end::join).isInstanceOf(LaunchException.class);
      device.readBack(memory);
      assertThat(words.get(0)).isZero();
    }
  }
}

package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

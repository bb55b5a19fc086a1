package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.KernelException;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.LaunchTimeoutException;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.ResidencyException;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.TargetUnavailableException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a launcher says when something goes wrong: kernel, target, device and cause. */
@ExtendWith(DeviceUnderTest.class)
class LoudErrorsTest {

  /** Waits until a word is 0, which nobody sees to. */
  record WaitForever(DeviceInts words, long polls) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      wait(thread, words, polls);
    }

    static void wait(int thread, DeviceInts words, long polls) {
      int seen = words.waitWhileEqualAcquire(0, 1, polls);
      words.storeRelaxed(1 + thread, seen);
    }
  }

  /** What no device can be given. */
  record Worded(DeviceInts words, String text) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {}
  }

  @AfterEach
  void clearLimits() {
    System.clearProperty(DeviceQueue.LIMIT_PROPERTY);
    System.clearProperty(DeviceCapacity.LIMIT_PROPERTY);
  }

  private static String label() {
    return DeviceUnderTest.target().label();
  }

  @Test
  void aKernelThatDidNotRunToItsEnd() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory words = Memory.ofInts(16)) {
      WaitForever kernel = new WaitForever(DeviceInts.of(words), 1);
      // It ends without saying so, as a kernel that the driver stopped.
      launcher.use(Task.make(KernelTree.of(kernel).root(), false));
      assertThatThrownBy(() -> launcher.run(kernel, LaunchShape.ofThreads(4)))
          .isInstanceOf(LaunchException.class)
          .hasMessageContainingAll(
              "WaitForever", label(), launcher.device().name(), "0 of 4 blocks");
      // Its driver may fail without a word from then on.
      assertThatThrownBy(() -> launcher.readBack(words))
          .isInstanceOf(LaunchTimeoutException.class)
          .hasMessageContainingAll("WaitForever", "0 of 4 blocks", "abandoned");
    }
  }

  @Test
  void aKernelThatDoesNotEndInTimeIsAbandonedAndTheJvmGoesOn() throws Exception {
    System.setProperty(DeviceQueue.LIMIT_PROPERTY, "1");
    try (Memory words = Memory.ofInts(16);
        JvmLauncher jvm = JvmLauncher.create()) {
      DeviceInts handle = DeviceInts.of(words);
      handle.set(0, 1);
      Launch launch;
      MemorySegment parameters;
      try (TornadoLauncher launcher = DeviceUnderTest.open()) {
        // Ends some time, so that this process can.
        WaitForever kernel = new WaitForever(handle, 1L << 23);
        launch = launcher.start(kernel, LaunchShape.ofThreads(1), LaunchMode.STRIDED);
        assertThatThrownBy(launch::join)
            .isInstanceOf(LaunchTimeoutException.class)
            .hasMessageContainingAll("WaitForever", label(), "did not end within 1 s");
        parameters = parameters(launcher);
        assertThatThrownBy(() -> launcher.run(kernel, LaunchShape.ofThreads(1)))
            .isInstanceOf(LaunchTimeoutException.class);
        assertThatThrownBy(() -> launcher.readBack(words))
            .isInstanceOf(LaunchTimeoutException.class);
      }
      handle.set(0, 7);
      jvm.run(new WaitForever(handle, 1), LaunchShape.ofThreads(1));
      assertThat(handle.get(1)).isEqualTo(7);
      // What a device may touch is not freed.
      while (!launch.isDone()) {
        Thread.sleep(10);
      }
      // Nobody else closes what is the launcher's own.
      assertThat(parameters.scope().isAlive()).isFalse();
    }
  }

  private static MemorySegment parameters(TornadoLauncher launcher)
      throws ReflectiveOperationException {
    Field submissions = TornadoLauncher.class.getDeclaredField("submissions");
    submissions.setAccessible(true);
    Field streams = DeviceSubmissions.class.getDeclaredField("streams");
    streams.setAccessible(true);
    DeviceStream first =
        (DeviceStream) ((List<?>) streams.get(submissions.get(launcher))).getFirst();
    return first.parameters().segment();
  }

  @Test
  void aWaitThatGivesUpSaysWhatItSaw() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory words = Memory.ofInts(16)) {
      DeviceInts handle = DeviceInts.of(words);
      handle.set(0, 1);
      launcher.run(new WaitForever(handle, 100), LaunchShape.ofThreads(1));
      launcher.readBack(words);
      assertThat(handle.get(1)).isEqualTo(1);
    }
  }

  @Test
  void aDeviceOutOfMemory() {
    System.setProperty(DeviceCapacity.LIMIT_PROPERTY, "100000");
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      try (Memory small = Memory.ofInts(1_000);
          Memory large = Memory.ofInts(100_000)) {
        launcher.run(new WaitForever(DeviceInts.of(small), 1), LaunchShape.ofThreads(1));
        WaitForever kernel = new WaitForever(DeviceInts.of(large), 1);
        assertThatThrownBy(() -> launcher.run(kernel, LaunchShape.ofThreads(1)))
            .isInstanceOf(LaunchException.class)
            .hasCauseInstanceOf(MemoryExhaustedException.class)
            .hasMessageContainingAll("WaitForever", label(), "cannot allocate 400064 bytes");
      }
      // What was closed is free again.
      try (Memory other = Memory.ofInts(24_000)) {
        launcher.run(new WaitForever(DeviceInts.of(other), 1), LaunchShape.ofThreads(1));
      }
    }
  }

  @Test
  void moreThanADeviceCanReach() {
    DeviceCapacity.requireInReach(Integer.MAX_VALUE * 8L + 7);
    assertThatThrownBy(() -> DeviceCapacity.requireInReach(Integer.MAX_VALUE * 8L + 8))
        .isInstanceOf(MemoryExhaustedException.class)
        .hasMessageContaining("more than TornadoVM can address");
  }

  @Test
  void aKernelWithAComponentThatNoDeviceCanBeGiven() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory words = Memory.ofInts(16)) {
      assertThatThrownBy(
              () ->
                  launcher.run(new Worded(DeviceInts.of(words), "text"), LaunchShape.ofThreads(1)))
          .isInstanceOf(LaunchException.class)
          .hasCauseInstanceOf(KernelException.class)
          .hasMessageContainingAll("Worded", "component text", "java.lang.String");
    }
  }

  @Test
  void moreBlocksThanRunAtOnce() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory words = Memory.ofInts(16)) {
      assertThatThrownBy(
              () ->
                  launcher
                      .start(
                          new WaitForever(DeviceInts.of(words), 1),
                          new LaunchShape(1 << 20, 1),
                          LaunchMode.CONCURRENT)
                      .join())
          .isInstanceOf(ResidencyException.class)
          .hasMessageContainingAll(
              "1048576 blocks of 1 must run at once", launcher.device().name());
    }
  }

  @Test
  void aMissingDevice() {
    // A Java virtual machine has one backend.
    Target other =
        Arrays.stream(Target.values())
            .filter(t -> t != Target.JVM && t != DeviceUnderTest.target())
            .findFirst()
            .orElseThrow();
    assertThatThrownBy(() -> Launchers.open(other))
        .isInstanceOf(TargetUnavailableException.class)
        .hasMessageContaining("target " + other.label() + " cannot be used");
  }
}

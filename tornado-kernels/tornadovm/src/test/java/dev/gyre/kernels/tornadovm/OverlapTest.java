package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/** Which launches overlap, and that those that do have nothing in common. */
@ExtendWith(DeviceUnderTest.class)
@Timeout(60)
class OverlapTest {

  private static final LaunchShape ONE = LaunchShape.ofThreads(1);
  private static final int WORDS = 64;

  /** Long enough for a launch that does not have to wait to come as far as another one. */
  private static final int GRACE_MILLIS = 200;

  record Fill(ThreadInts words, int count, int value) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = 0; i < count; i++) {
        words.set(i, value);
      }
    }
  }

  record Add(ThreadInts words, int count, int value) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = 0; i < count; i++) {
        words.set(i, words.get(i) + value);
      }
    }
  }

  /** Where launches that are queued on the device wait for each other. */
  private static final class Meeting implements LongConsumer {
    private final TornadoXPUDevice device = TornadoDevices.of(DeviceUnderTest.target()).getFirst();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private volatile CountDownLatch both = new CountDownLatch(2);
    private volatile long millis = GRACE_MILLIS;

    /** How many of two launches are on the device at the same time. */
    int together(TornadoLauncher launcher, Launched one, Launched other, long waits) {
      both = new CountDownLatch(2);
      millis = waits;
      most.set(0);
      Launch a = start(launcher, new Fill(ThreadInts.of(one.on()), WORDS, 1), one.mode());
      Launch b = start(launcher, new Add(ThreadInts.of(other.on()), WORDS, 2), other.mode());
      a.join();
      b.join();
      return most.get();
    }

    @Override
    public void accept(long plan) {
      int now = inside.incrementAndGet();
      most.accumulateAndGet(now, Math::max);
      both.countDown();
      try {
        boolean _ = both.await(millis, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      device.sync(plan);
      inside.decrementAndGet();
    }
  }

  private static TornadoLauncher open(LongConsumer sync) {
    try (TornadoLauncher other = DeviceUnderTest.open()) {
      return new TornadoLauncher(
          TornadoDevices.of(DeviceUnderTest.target()).getFirst(), other.device(), sync);
    }
  }

  private static Launch start(TornadoLauncher launcher, Kernel kernel, LaunchMode mode) {
    return launcher.start(kernel, ONE, mode);
  }

  /** A launch to be. */
  private record Launched(Memory on, LaunchMode mode) {}

  @Test
  void launchesOnDifferentMemoriesOverlap() {
    Meeting meeting = new Meeting();
    try (Memory first = Memory.ofInts(WORDS);
        Memory second = Memory.ofInts(WORDS);
        TornadoLauncher launcher = open(meeting)) {
      Launched one = new Launched(first, LaunchMode.STRIDED);
      Launched other = new Launched(second, LaunchMode.STRIDED);
      assertThat(meeting.together(launcher, one, other, 30_000)).isEqualTo(2);
    }
  }

  @Test
  void launchesOnOneMemoryRunOneAfterAnother() {
    Meeting meeting = new Meeting();
    try (Memory memory = Memory.ofInts(WORDS);
        TornadoLauncher launcher = open(meeting)) {
      Launched same = new Launched(memory, LaunchMode.STRIDED);
      assertThat(meeting.together(launcher, same, same, GRACE_MILLIS)).isEqualTo(1);
    }
  }

  /** Two grids that are resident in part would wait for each other for ever. */
  @Test
  void launchesWhoseBlocksWaitForEachOtherRunAlone() {
    Meeting meeting = new Meeting();
    try (Memory first = Memory.ofInts(WORDS);
        Memory second = Memory.ofInts(WORDS);
        TornadoLauncher launcher = open(meeting)) {
      Launched meets = new Launched(first, LaunchMode.CONCURRENT);
      for (LaunchMode mode : LaunchMode.values()) {
        Launched other = new Launched(second, mode);
        assertThat(meeting.together(launcher, meets, other, GRACE_MILLIS)).isEqualTo(1);
        assertThat(meeting.together(launcher, other, meets, GRACE_MILLIS)).isEqualTo(1);
      }
    }
  }

  @Test
  void launchesThatOverlapHaveParametersOfTheirOwn() {
    int memories = 2 * DeviceStreams.MOST;
    List<Memory> all = new ArrayList<>();
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      for (int i = 0; i < memories; i++) {
        all.add(Memory.ofInts(WORDS));
      }
      for (int round = 0; round < 20; round++) {
        List<Launch> launches = new ArrayList<>();
        for (int i = 0; i < memories; i++) {
          ThreadInts words = ThreadInts.of(all.get(i));
          int used = WORDS - i;
          launches.add(start(launcher, new Fill(words, used, round + i), LaunchMode.STRIDED));
          launches.add(start(launcher, new Add(words, used, 1000 * i), LaunchMode.STRIDED));
        }
        launches.forEach(Launch::join);
        launcher.readBack(all.toArray(Memory[]::new));
        for (int i = 0; i < memories; i++) {
          ThreadInts words = ThreadInts.of(all.get(i));
          for (int w = 0; w < WORDS; w++) {
            assertThat(words.get(w)).isEqualTo(w < WORDS - i ? round + 1001 * i : 0);
          }
        }
      }
    } finally {
      all.forEach(Memory::close);
    }
  }

  @Test
  void whatFollowsACancelledLaunchWaitsForWhatWasBefore() {
    Meeting meeting = new Meeting();
    try (Memory memory = Memory.ofInts(WORDS);
        TornadoLauncher launcher = open(meeting)) {
      ThreadInts words = ThreadInts.of(memory);
      Launch first = start(launcher, new Fill(words, WORDS, 1), LaunchMode.STRIDED);
      Launch second = start(launcher, new Fill(words, WORDS, 10), LaunchMode.STRIDED);
      assertThat(second.cancel()).isTrue();
      Launch third = start(launcher, new Add(words, WORDS, 5), LaunchMode.STRIDED);
      assertThatThrownBy(second::join).isInstanceOf(LaunchCancelledException.class);
      third.join();
      assertThat(first.isDone()).isTrue();
      assertThat(meeting.most.get()).isEqualTo(1);
      launcher.readBack(memory);
      assertThat(words.get(WORDS - 1)).isEqualTo(6);
    }
  }
}

package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.examples.LetterHistogram;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/** Memories that are sent to a device beside its launches. */
@ExtendWith(DeviceUnderTest.class)
@Timeout(120)
class PrefetchTest {

  private static final int BYTES = 1 << 20;
  private static final int WORDS = 8;

  @AfterEach
  void clearLimit() {
    System.clearProperty(DeviceCapacity.LIMIT_PROPERTY);
  }

  private static Memory filled(int bytes, int value) {
    Memory memory = Memory.ofBytes(bytes);
    memory.segment().fill((byte) value);
    return memory;
  }

  /** Runs a kernel that counts the bytes of a text; returns how many have a value. */
  private static long count(TornadoLauncher launcher, Memory text, Memory bins, int value) {
    DeviceLongs counts = DeviceLongs.of(bins);
    long before = counts.get(value);
    launcher.run(
        new LetterHistogram(Bytes.of(text), text.byteSize(), counts),
        launcher.shapeFor(text.byteSize()));
    launcher.readBack(bins);
    return counts.get(value) - before;
  }

  @Test
  void aLaunchSeesWhatWasSentLast() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory text = filled(BYTES, 0);
        Memory bins = Memory.ofLongs(256)) {
      for (int round = 1; round < 200; round++) {
        text.segment().fill((byte) round);
        launcher.prefetch(text);
        assertThat(count(launcher, text, bins, round)).as("round %d", round).isEqualTo(BYTES);
      }
      text.segment().fill((byte) 200);
      launcher.hostWrote(text);
      assertThat(count(launcher, text, bins, 200)).isEqualTo(BYTES);
    }
  }

  @Test
  void theNextTextIsSentWhileOneIsWorkedOn() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory even = filled(BYTES, 0);
        Memory odd = filled(BYTES, 1);
        Memory bins = Memory.ofLongs(256)) {
      launcher.prefetch(even);
      for (int round = 0; round < 200; round++) {
        Memory next = round % 2 == 0 ? odd : even;
        next.segment().fill((byte) (round + 1));
        launcher.prefetch(next);
        Memory now = round % 2 == 0 ? even : odd;
        assertThat(count(launcher, now, bins, round)).as("round %d", round).isEqualTo(BYTES);
      }
    }
  }

  record AddOne(ThreadLongs words, int count) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = 0; i < count; i++) {
        words.set(i, words.get(i) + 1);
      }
    }
  }

  private static void fill(ThreadLongs words, long value) {
    for (int i = 0; i < WORDS; i++) {
      words.set(i, value);
    }
  }

  private static void check(ThreadLongs words, int first, long value, long rest) {
    for (int i = 0; i < WORDS; i++) {
      assertThat(words.get(i)).as("word %d", i).isEqualTo(i < first ? value : rest);
    }
  }

  @Test
  void theBeginningOfAMemoryIsSentAndBroughtBack() {
    LaunchShape one = LaunchShape.ofThreads(1);
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory memory = Memory.ofLongs(WORDS)) {
      ThreadLongs words = ThreadLongs.of(memory);
      AddOne kernel = new AddOne(words, WORDS);
      fill(words, 0);
      // The device has not seen it before, and gets all of it.
      launcher.hostWrote(memory.first(3 * Long.BYTES));
      launcher.runChain(List.of(new ChainLink(kernel, one)), memory);
      check(words, 0, 0, 1);
      fill(words, 10);
      launcher.hostWrote(memory.first(5 * Long.BYTES));
      launcher.hostWrote(memory.first(3 * Long.BYTES));
      launcher.runChain(List.of(new ChainLink(kernel, one)), memory);
      check(words, 5, 11, 2);
      fill(words, 20);
      launcher.prefetch(memory.first(3 * Long.BYTES));
      launcher.run(kernel, one);
      fill(words, 0);
      launcher.readBack(memory.first(4 * Long.BYTES));
      assertThat(List.of(words.get(2), words.get(3), words.get(4))).containsExactly(21L, 12L, 0L);
      // A range in the middle, and nothing around it.
      launcher.readBack(memory.range(4 * Long.BYTES, 2 * Long.BYTES));
      assertThat(List.of(words.get(3), words.get(4), words.get(5), words.get(6)))
          .containsExactly(12L, 12L, 3L, 0L);
      // The device's is still the one that is current.
      launcher.readBack(memory);
      assertThat(List.of(words.get(2), words.get(4), words.get(5))).containsExactly(21L, 12L, 3L);
      assertThatThrownBy(() -> launcher.readBack(memory.first(WORDS * Long.BYTES + 1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> launcher.hostWrote(memory.first(-1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> launcher.hostWrote(memory.range(8, 8)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("byte 8");
    }
  }

  @Test
  void aPartOfAnotherMemoryIsSentAndBroughtBack() {
    LaunchShape one = LaunchShape.ofThreads(1);
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory memory = Memory.ofLongs(WORDS);
        Memory other = Memory.ofLongs(2 * WORDS)) {
      ThreadLongs words = ThreadLongs.of(memory);
      ThreadLongs elsewhere = ThreadLongs.of(other);
      AddOne kernel = new AddOne(words, WORDS);
      launcher.run(kernel, one);
      for (int i = 0; i < 2 * WORDS; i++) {
        elsewhere.set(i, 100 + i);
      }
      launcher.copyIn(memory, other.range(2 * Long.BYTES, 3 * Long.BYTES));
      launcher.run(kernel, one);
      launcher.copyOut(memory, other.range(9 * Long.BYTES, 4 * Long.BYTES));
      assertThat(other.segment().toArray(ValueLayout.JAVA_LONG))
          .containsExactly(
              100, 101, 102, 103, 104, 105, 106, 107, 108, 103, 104, 105, 2, 113, 114, 115);
      assertThat(words.get(0)).isZero();
      launcher.readBack(memory);
      assertThat(memory.segment().toArray(ValueLayout.JAVA_LONG))
          .containsExactly(103, 104, 105, 2, 2, 2, 2, 2);
      // What the device never had is as the host has it.
      try (Memory fresh = Memory.ofLongs(1)) {
        ThreadLongs.of(fresh).set(0, 7);
        launcher.copyOut(fresh, other.range(0, Long.BYTES));
        assertThat(elsewhere.get(0)).isEqualTo(7);
      }
      assertThatThrownBy(() -> launcher.copyIn(memory, other.range(120, 16)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> launcher.copyOut(memory, other.range(-8, 16)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void whatTheHostWroteBehindAPartIsSentToo() {
    LaunchShape one = LaunchShape.ofThreads(1);
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory memory = Memory.ofLongs(WORDS);
        Memory other = Memory.ofLongs(WORDS)) {
      ThreadLongs words = ThreadLongs.of(memory);
      AddOne kernel = new AddOne(words, WORDS);
      fill(ThreadLongs.of(other), 100);
      fill(words, 10);
      // The device has not seen it before, and gets all of it.
      launcher.copyIn(memory, other.range(0, 3 * Long.BYTES));
      launcher.runChain(List.of(new ChainLink(kernel, one)), memory);
      check(words, 3, 101, 11);
      fill(words, 20);
      launcher.hostWrote(memory.first(5 * Long.BYTES));
      launcher.copyIn(memory, other.range(0, 3 * Long.BYTES));
      launcher.runChain(List.of(new ChainLink(kernel, one)), memory);
      assertThat(memory.segment().toArray(ValueLayout.JAVA_LONG))
          .containsExactly(101, 101, 101, 21, 21, 12, 12, 12);
    }
  }

  /** As where a bulk operation was interrupted, and another one has its scratch memory. */
  @Test
  void whatTheHostWroteSinceAPartBeganToBeSentIsSentAfterIt() {
    LaunchShape one = LaunchShape.ofThreads(1);
    TornadoXPUDevice device = TornadoDevices.of(DeviceUnderTest.target()).getFirst();
    CountDownLatch goOn = new CountDownLatch(1);
    LongConsumer sync =
        plan -> {
          await(goOn);
          device.sync(plan);
        };
    Device described = TornadoDevices.describe(DeviceUnderTest.target(), device);
    try (TornadoLauncher launcher = new TornadoLauncher(device, described, sync);
        Memory memory = Memory.ofLongs(WORDS);
        Memory other = Memory.ofLongs(WORDS)) {
      ThreadLongs words = ThreadLongs.of(memory);
      ThreadLongs elsewhere = ThreadLongs.of(other);
      fill(elsewhere, 100);
      AddOne kernel = new AddOne(words, WORDS);
      Launch before = launcher.start(new AddOne(elsewhere, WORDS), one, LaunchMode.STRIDED);
      launcher.copyIn(memory, other.range(0, WORDS * Long.BYTES));
      Launch interrupted = launcher.start(kernel, one, LaunchMode.STRIDED);
      assertThat(interrupted.cancel()).isTrue();
      fill(words, 20);
      launcher.hostWrote(memory);
      goOn.countDown();
      before.join();
      launcher.runChain(List.of(new ChainLink(kernel, one)), memory);
      check(words, 0, 0, 21);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Nobody can send it again: the host's copy is another. */
  @Test
  void aPartThatCouldNotBeSentIsReportedByTheLaunch() {
    TornadoXPUDevice device = TornadoDevices.of(DeviceUnderTest.target()).getFirst();
    AtomicBoolean fails = new AtomicBoolean();
    LongConsumer sync =
        plan -> {
          if (fails.getAndSet(false)) {
            throw new IllegalStateException("no copy");
          }
          device.sync(plan);
        };
    Device described = TornadoDevices.describe(DeviceUnderTest.target(), device);
    try (TornadoLauncher launcher = new TornadoLauncher(device, described, sync);
        Memory text = filled(BYTES, 0);
        Memory other = filled(BYTES, 1);
        Memory bins = Memory.ofLongs(256)) {
      assertThat(count(launcher, text, bins, 0)).isEqualTo(BYTES);
      fails.set(true);
      launcher.copyIn(text, other.range(0, BYTES));
      assertThatThrownBy(() -> count(launcher, text, bins, 1))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("no copy");
      launcher.copyIn(text, other.range(0, BYTES));
      assertThat(count(launcher, text, bins, 1)).isEqualTo(BYTES);
    }
  }

  @Test
  void memoryOfAKindIsThereOrRefusedWithTheReason() {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      launcher.memory(MemoryKind.ORDINARY, 8).close();
      try (Memory text = launcher.memory(MemoryKind.PINNED, BYTES);
          Memory ordinary = Memory.ofBytes(BYTES);
          Memory bins = Memory.ofLongs(256)) {
        assertThat(launcher.copiesInPlace(text)).isTrue();
        assertThat(launcher.copiesInPlace(ordinary))
            .isEqualTo(DeviceUnderTest.target() == Target.OPENCL);
        text.segment().fill((byte) 3);
        launcher.copyIn(ordinary, text.range(0, BYTES));
        assertThat(count(launcher, ordinary, bins, 3)).isEqualTo(BYTES);
        assertThat(count(launcher, text, bins, 3)).isEqualTo(BYTES);
      } catch (MemoryKindException e) {
        assertThat(DeviceUnderTest.target()).isEqualTo(Target.OPENCL);
        assertThat(e).hasMessageContaining("has no pinned memory");
      }
    }
  }

  @Test
  void aMemoryIsFreedWhileItIsSent() {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      for (int round = 0; round < 100; round++) {
        Memory memory = filled(BYTES, round);
        launcher.prefetch(memory);
        memory.close();
      }
    }
  }

  @Test
  void whatCannotBeSentIsReportedByTheLaunch() {
    System.setProperty(DeviceCapacity.LIMIT_PROPERTY, "100000");
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory text = filled(BYTES, 0);
        Memory bins = Memory.ofLongs(256)) {
      launcher.prefetch(text);
      assertThatThrownBy(() -> count(launcher, text, bins, 0))
          .isInstanceOf(LaunchException.class)
          .hasCauseInstanceOf(MemoryExhaustedException.class);
    }
  }

  @Test
  void aClosedLauncherSendsNothing() {
    TornadoLauncher launcher = DeviceUnderTest.open();
    launcher.close();
    try (Memory text = filled(8, 0)) {
      assertThatThrownBy(() -> launcher.prefetch(text)).isInstanceOf(ClosedException.class);
    }
  }
}

package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryInUseException;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.LaunchTimeoutException;
import dev.gyre.kernels.examples.LetterHistogram;
import dev.gyre.kernels.tornadovm.LoudErrorsTest.WaitInVain;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Who may touch a memory, and when it is freed: on every way on which a launch, a copy or a
 * launcher can end. A memory that is freed too early ends the JVM.
 */
@ExtendWith(DeviceUnderTest.class)
@Timeout(120)
class LifetimesTest {

  /** Large enough that a copy of it takes longer than to throw, and that its pages are unmapped. */
  private static final int LARGE = 128 << 20;

  private static final LaunchShape ONE = LaunchShape.ofThreads(1);

  @AfterEach
  void clearLimits() {
    System.clearProperty(DeviceQueue.LIMIT_PROPERTY);
    System.clearProperty(DeviceBuffers.LIMIT_PROPERTY);
  }

  private static Memory filled(int bytes) {
    Memory memory = Memory.ofBytes(bytes);
    memory.segment().fill((byte) 'a');
    return memory;
  }

  /** Words in which a kernel waits in vain. */
  private static Memory words() {
    Memory words = Memory.ofInts(16);
    DeviceInts.of(words).set(0, 1);
    return words;
  }

  /** Keeps the device at work for a while: a second or more with so many rounds, or some of it. */
  private static Kernel slow(TornadoLauncher launcher, Memory words, int rounds) {
    // GPUs sleep between polls.
    boolean gpu = launcher.shapeFor(1 << 20).blockSize() > 1;
    return new WaitInVain(DeviceInts.of(words), (gpu ? 1L << 20 : 1L << 28) * rounds);
  }

  private static Launch start(TornadoLauncher launcher, Kernel kernel) {
    return launcher.start(kernel, ONE, LaunchMode.STRIDED);
  }

  private static Kernel letters(Memory text, Memory bins) {
    return new LetterHistogram(Bytes.of(text), 1 << 10, DeviceLongs.of(bins));
  }

  /** Does something on a thread of its own. */
  private static <T> FutureTask<T> aside(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread _ = Thread.ofPlatform().daemon().start(task);
    return task;
  }

  private static Throwable failureOf(FutureTask<?> task) throws InterruptedException {
    try {
      return new AssertionError("no failure but " + task.get());
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  @Test
  void whatAFailedLaunchHadSentMayBeFreed() {
    System.setProperty(DeviceBuffers.LIMIT_PROPERTY, String.valueOf(LARGE + (1 << 16)));
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      for (int round = 0; round < 3; round++) {
        try (Memory text = filled(LARGE);
            Memory bins = Memory.ofLongs(1 << 16)) {
          assertThatThrownBy(() -> launcher.run(letters(text, bins), ONE))
              .isInstanceOf(LaunchException.class)
              .hasCauseInstanceOf(MemoryExhaustedException.class);
        }
      }
    }
  }

  @Test
  void closeWaitsForTheLaunchThatRuns() {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      Memory words = words();
      Launch launch = start(launcher, slow(launcher, words, 1));
      words.close();
      assertThat(launch.isDone()).isTrue();
      launch.join();
    }
  }

  @Test
  void closeWaitsForWhatIsQueuedAndStillRuns() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory words = words();
        Memory bins = Memory.ofLongs(256)) {
      Launch first = start(launcher, slow(launcher, words, 1));
      Memory text = filled(1 << 20);
      Launch second = start(launcher, letters(text, bins));
      FutureTask<Memory> read = aside(() -> readBack(launcher, text));
      text.close();
      assertThat(second.isDone()).isTrue();
      second.join();
      first.join();
      launcher.readBack(bins);
      assertThat(DeviceLongs.of(bins).get('a')).isEqualTo(1 << 10);
      assertThat(catchThrowable(read::get))
          .satisfiesAnyOf(
              e -> assertThat(e).isNull(),
              e -> assertThat(e).hasCauseInstanceOf(ClosedException.class));
    }
  }

  private static Memory readBack(TornadoLauncher launcher, Memory memory) {
    launcher.readBack(memory);
    return memory;
  }

  @Test
  void whatIsCancelledBeforeItBeganHoldsNothing() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory words = words();
        Memory bins = Memory.ofLongs(256)) {
      Launch first = start(launcher, slow(launcher, words, 1));
      try (Memory text = filled(LARGE)) {
        Launch second = start(launcher, letters(text, bins));
        boolean cancelled = second.cancel();
        assertThat(second.cancel()).isFalse();
        if (cancelled) {
          assertThat(second.isDone()).isTrue();
          assertThatThrownBy(second::join).isInstanceOf(LaunchCancelledException.class);
        }
      }
      first.join();
      assertThat(first.cancel()).isFalse();
    }
  }

  @Test
  void aMemoryThatWasClosedIsRefused() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory bins = Memory.ofLongs(256)) {
      Memory text = filled(1 << 10);
      launcher.run(letters(text, bins), ONE);
      Kernel kernel = letters(text, bins);
      text.close();
      assertThatThrownBy(() -> start(launcher, kernel)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> launcher.readBack(text)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> launcher.prefetch(text)).isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void whatIsAbandonedKeepsItsMemoryAndWhatWaitedIsDropped() throws Exception {
    System.setProperty(DeviceQueue.LIMIT_PROPERTY, "0");
    Memory words = words();
    Memory bins = Memory.ofLongs(256);
    Memory text = filled(LARGE);
    Launch first;
    Launch second;
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      first = start(launcher, slow(launcher, words, 4));
      second = start(launcher, letters(text, bins));
      FutureTask<Memory> read = aside(() -> readBack(launcher, bins));
      assertThatThrownBy(first::join).isInstanceOf(LaunchTimeoutException.class);
      assertThatThrownBy(second::join).isInstanceOf(LaunchTimeoutException.class);
      assertThat(failureOf(read)).isInstanceOf(LaunchTimeoutException.class);
      assertThat(second.isDone()).isTrue();
      assertThat(second.cancel()).isFalse();
      assertThatThrownBy(() -> start(launcher, letters(text, bins)))
          .isInstanceOf(LaunchTimeoutException.class);
      assertThatThrownBy(() -> launcher.prefetch(text)).isInstanceOf(LaunchTimeoutException.class);
      // Nobody works on these any more.
      text.close();
      bins.close();
      if (!first.isDone()) {
        Throwable kept = catchThrowable(words::close);
        // Unless it has ended this very moment.
        assertThat(kept == null ? first.isDone() : kept instanceof MemoryInUseException).isTrue();
      }
    }
    while (!first.isDone()) {
      Thread.sleep(10);
    }
    assertThatThrownBy(first::join).isInstanceOf(LaunchTimeoutException.class);
    assertThatThrownBy(second::join).isInstanceOf(LaunchTimeoutException.class);
    assertThat(second.kernelNanos()).isEmpty();
    closeOnceItHasEnded(words);
  }

  @Test
  void whatIsSentBesideALaunchThatIsAbandonedIsNotFreedUnderTheCopy() throws Exception {
    System.setProperty(DeviceQueue.LIMIT_PROPERTY, "0");
    Memory words = words();
    Memory text = filled(LARGE);
    Launch launch;
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      launch = start(launcher, slow(launcher, words, 4));
      CompletableFuture<?> late =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 100 && !launch.isDone(); i++) {
                  launcher.prefetch(text);
                }
              });
      assertThatThrownBy(launch::join).isInstanceOf(LaunchTimeoutException.class);
      assertThat(catchThrowable(text::close))
          .satisfiesAnyOf(
              e -> assertThat(e).isNull(),
              e -> assertThat(e).isInstanceOf(MemoryInUseException.class));
      assertThat(catchThrowable(late::join))
          .satisfiesAnyOf(
              e -> assertThat(e).isNull(),
              e -> assertThat(e).isInstanceOf(CompletionException.class));
    }
    closeOnceItHasEnded(text);
    closeOnceItHasEnded(words);
  }

  private static void closeOnceItHasEnded(Memory memory) throws InterruptedException {
    for (Throwable kept = catchThrowable(memory::close);
        kept != null;
        kept = catchThrowable(memory::close)) {
      assertThat(kept).isInstanceOf(MemoryInUseException.class);
      Thread.sleep(10);
    }
  }

  @Test
  void whatWaitsWhenTheLauncherIsClosedSaysSo() throws Exception {
    TornadoLauncher launcher = DeviceUnderTest.open();
    try (Memory words = words();
        Memory text = filled(1 << 10);
        Memory bins = Memory.ofLongs(256)) {
      launcher.run(letters(text, bins), ONE);
      Launch first = start(launcher, slow(launcher, words, 1));
      Launch second = start(launcher, letters(text, bins));
      FutureTask<Memory> read = aside(() -> readBack(launcher, bins));
      FutureTask<Integer> asked = aside(() -> launcher.blocksAtOnce(letters(text, bins), 1));
      launcher.close();
      launcher.close();
      // All may have begun before, and the others may have come after.
      for (Launch launch : new Launch[] {first, second}) {
        assertThat(catchThrowable(launch::join))
            .satisfiesAnyOf(
                e -> assertThat(e).isNull(),
                e ->
                    assertThat(e)
                        .isInstanceOf(LaunchCancelledException.class)
                        .hasCauseInstanceOf(ClosedException.class));
      }
      for (FutureTask<?> task : new FutureTask<?>[] {read, asked}) {
        assertThat(catchThrowable(task::get))
            .satisfiesAnyOf(
                e -> assertThat(e).isNull(),
                e -> assertThat(e).hasCauseInstanceOf(ClosedException.class));
      }
      assertThatThrownBy(() -> launcher.run(letters(text, bins), ONE))
          .isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void closingBesideAllThatIsDoneEndsInClosed() throws Exception {
    try (Memory text = filled(1 << 16);
        Memory bins = Memory.ofLongs(256)) {
      for (int round = 0; round < 10; round++) {
        TornadoLauncher launcher = DeviceUnderTest.open();
        FutureTask<?> runs = aside(() -> repeat(() -> launcher.run(letters(text, bins), ONE)));
        FutureTask<?> reads = aside(() -> repeat(() -> launcher.readBack(bins)));
        FutureTask<?> sends = aside(() -> repeat(() -> launcher.prefetch(text)));
        // From while it compiles to after it.
        Thread.sleep(round * 20L);
        launcher.close();
        assertThat(failureOf(runs)).isInstanceOf(ClosedException.class);
        assertThat(failureOf(reads)).isInstanceOf(ClosedException.class);
        assertThat(failureOf(sends)).isInstanceOf(ClosedException.class);
      }
    }
  }

  private static boolean repeat(Runnable work) {
    while (true) {
      work.run();
    }
  }

  @Test
  void aLaunchThatHasNotBegunIsCancelledByAnInterrupt() throws Exception {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory words = words();
        Memory text = filled(1 << 10);
        Memory bins = Memory.ofLongs(256)) {
      launcher.run(letters(text, bins), ONE);
      Launch first = start(launcher, slow(launcher, words, 1));
      Launch second = start(launcher, letters(text, bins));
      FutureTask<Boolean> interrupted =
          aside(
              () -> {
                Thread.currentThread().interrupt();
                Throwable cancelled = catchThrowable(second::join);
                assertThat(cancelled)
                    .satisfiesAnyOf(
                        e -> assertThat(e).isNull(),
                        e ->
                            assertThat(e)
                                .isInstanceOf(LaunchCancelledException.class)
                                .hasCauseInstanceOf(InterruptedException.class));
                if (!first.cancel()) {
                  // It had begun: it comes to its end as if there had been no interrupt.
                  first.join();
                }
                assertThat(first.isDone()).isTrue();
                // So do copies.
                launcher.readBack(bins);
                return Thread.currentThread().isInterrupted();
              });
      assertThat(interrupted.get()).isTrue();
    }
  }

  @Test
  void aLauncherThatWasClosedIsForgotten() throws Exception {
    try (Memory text = filled(1 << 10);
        Memory bins = Memory.ofLongs(256)) {
      WeakReference<Object> closed = used(text, bins);
      for (int i = 0; i < 100 && closed.get() != null; i++) {
        System.gc();
        Thread.sleep(20);
      }
      assertThat(closed.get()).isNull();
    }
  }

  /** What a launcher that was used and closed knew of those memories. */
  private static WeakReference<Object> used(Memory text, Memory bins) throws Exception {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      launcher.prefetch(text);
      launcher.run(letters(text, bins), ONE);
      Field buffers = TornadoLauncher.class.getDeclaredField("buffers");
      buffers.setAccessible(true);
      return new WeakReference<>(buffers.get(launcher));
    }
  }
}

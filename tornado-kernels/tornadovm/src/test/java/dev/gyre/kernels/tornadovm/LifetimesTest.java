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
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.LaunchTimeoutException;
import dev.gyre.kernels.ResidencyException;
import dev.gyre.kernels.examples.LetterHistogram;
import dev.gyre.kernels.tornadovm.LoudErrorsTest.WaitForever;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Who may touch a memory, and when it is freed: on every way on which a launch, a copy or a
 * launcher can end. A memory that is freed too early ends the JVM.
 */
@ExtendWith(DeviceUnderTest.class)
@Timeout(60)
class LifetimesTest {

  /** Large enough that a copy of it takes longer than to throw, and that its pages are unmapped. */
  private static final int LARGE = 32 << 20;

  /** Begins once it may: until then it is at work, on the thread of its launcher. */
  record Paused(DeviceInts words, long polls) implements Kernel {
    private static volatile CountDownLatch begun = new CountDownLatch(1);
    private static volatile CountDownLatch go = new CountDownLatch(1);

    /** Asked for where the launch begins, by the thread that drives the device. */
    @Override
    public String name() {
      if (Thread.currentThread().getName().contains("launches")) {
        begun.countDown();
        await(go);
      }
      return "Paused";
    }

    @Override
    public void run(int thread, LaunchShape shape) {
      words.storeRelaxed(thread, (int) polls);
    }
  }

  /** Waits through interrupts, as what a device does. */
  private static void await(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static final LaunchShape ONE = LaunchShape.ofThreads(1);

  @AfterEach
  void clearLimits() {
    System.clearProperty(DeviceQueue.LIMIT_PROPERTY);
    System.clearProperty(DeviceCapacity.LIMIT_PROPERTY);
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

  /** Starts a launch that has begun, and goes on when {@link #letGo} is called. */
  private static Launch startHeld(TornadoLauncher launcher, Memory words) {
    Paused.begun = new CountDownLatch(1);
    Paused.go = new CountDownLatch(1);
    Launch launch = start(launcher, new Paused(DeviceInts.of(words), 1));
    await(Paused.begun);
    return launch;
  }

  private static void letGo() {
    Paused.go.countDown();
  }

  /** A launcher for which waiting for the device is that. */
  private static TornadoLauncher open(LongConsumer sync) {
    try (TornadoLauncher other = DeviceUnderTest.open()) {
      return new TornadoLauncher(
          TornadoDevices.of(DeviceUnderTest.target()).getFirst(), other.device(), sync);
    }
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

  /** Does something that has to wait for what is held, on a thread of its own; it waits already. */
  private static <T> FutureTask<T> waiting(Callable<T> work) throws InterruptedException {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = Thread.ofPlatform().daemon().start(task);
    while (thread.getState() != Thread.State.TIMED_WAITING && !task.isDone()) {
      Thread.sleep(1);
    }
    assertThat(task.isDone()).isFalse();
    return task;
  }

  private static Memory close(Memory memory) {
    memory.close();
    return memory;
  }

  private static Throwable failureOf(FutureTask<?> task) throws InterruptedException {
    try {
      return new AssertionError("no failure but " + task.get());
    } catch (ExecutionException e) {
      return Objects.requireNonNull(e.getCause());
    }
  }

  @Test
  void whatAFailedLaunchHadSentMayBeFreed() {
    System.setProperty(DeviceCapacity.LIMIT_PROPERTY, String.valueOf(LARGE + (1 << 16)));
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      for (int round = 0; round < 2; round++) {
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
  void closeWaitsForTheLaunchThatRuns() throws Exception {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      Memory words = words();
      Launch launch = startHeld(launcher, words);
      FutureTask<Memory> closed = waiting(() -> close(words));
      letGo();
      var _ = closed.get();
      // Not that it is done: that is told after memories are let go.
      launch.join();
    }
  }

  @Test
  void closeWaitsForWhatIsQueuedAndStillRuns() throws Exception {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory bins = Memory.ofLongs(256)) {
      Launch first = startHeld(launcher, bins);
      Memory text = filled(1 << 20);
      Launch second = start(launcher, letters(text, bins));
      FutureTask<Memory> read = waiting(() -> readBack(launcher, text));
      FutureTask<Memory> closed = waiting(() -> close(text));
      letGo();
      var _ = closed.get();
      assertThat(read.get()).isSameAs(text);
      second.join();
      first.join();
      launcher.readBack(bins);
      assertThat(DeviceLongs.of(bins).get('a')).isEqualTo(1 << 10);
    }
  }

  private static Memory readBack(TornadoLauncher launcher, Memory memory) {
    launcher.readBack(memory);
    return memory;
  }

  @Test
  void whatIsCancelledBeforeItBeganHoldsNothing() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory bins = Memory.ofLongs(256)) {
      Launch first = startHeld(launcher, bins);
      try (Memory text = filled(1 << 10)) {
        Launch second = start(launcher, letters(text, bins));
        assertThat(second.cancel()).isTrue();
        assertThat(second.cancel()).isFalse();
        assertThat(second.isDone()).isTrue();
        assertThatThrownBy(second::join).isInstanceOf(LaunchCancelledException.class);
      }
      assertThat(first.cancel()).isFalse();
      letGo();
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
    System.setProperty(DeviceQueue.LIMIT_PROPERTY, "1ms");
    System.setProperty(DeviceCapacity.LIMIT_PROPERTY, "100000");
    CountDownLatch comesBack = new CountDownLatch(1);
    CountDownLatch inside = new CountDownLatch(1);
    Memory sent = filled(1 << 10);
    Memory large = Memory.ofLongs(1 << 16);
    Memory text = filled(1 << 10);
    Launch first;
    Launch second;
    TornadoLauncher launcher =
        open(
            _ -> {
              inside.countDown();
              await(comesBack);
            });
    try (launcher) {
      // Fails once the text has been sent; then the device is waited for.
      first = start(launcher, letters(sent, large));
      await(inside);
      second = start(launcher, letters(text, large));
      FutureTask<Memory> read = aside(() -> readBack(launcher, large));
      Thread.currentThread().interrupt();
      assertThatThrownBy(first::join).isInstanceOf(LaunchTimeoutException.class);
      assertThat(Thread.interrupted()).as("the interrupt status is kept").isTrue();
      assertThatThrownBy(second::join).isInstanceOf(LaunchTimeoutException.class);
      assertThat(failureOf(read)).isInstanceOf(LaunchTimeoutException.class);
      assertThat(second.isDone()).isTrue();
      assertThat(second.cancel()).isFalse();
      assertThatThrownBy(() -> start(launcher, letters(text, large)))
          .isInstanceOf(LaunchTimeoutException.class);
      assertThatThrownBy(() -> launcher.prefetch(text)).isInstanceOf(LaunchTimeoutException.class);
      // Nobody works on this any more.
      text.close();
      assertThatThrownBy(sent::close).isInstanceOf(MemoryInUseException.class);
    }
    assertThatThrownBy(sent::close).isInstanceOf(MemoryInUseException.class);
    assertThat(first.isDone()).isFalse();
    comesBack.countDown();
    closeOnceItHasEnded(sent);
    closeOnceItHasEnded(large);
    // With what it keeps itself.
    launcher.close();
    assertThat(catchThrowable(first::join)).isInstanceOf(LaunchException.class);
    assertThatThrownBy(second::join).isInstanceOf(LaunchTimeoutException.class);
    assertThat(second.kernelNanos()).isEmpty();
  }

  @Test
  void whatIsSentWhenTheDeviceIsAbandonedIsNotFreedUnderTheCopy() throws Exception {
    System.setProperty(DeviceQueue.LIMIT_PROPERTY, "1ms");
    CountDownLatch comesBack = new CountDownLatch(1);
    Memory text = filled(1 << 10);
    try (TornadoLauncher launcher = open(_ -> await(comesBack))) {
      launcher.prefetch(text);
      assertThatThrownBy(text::close).isInstanceOf(MemoryInUseException.class);
    }
    assertThatThrownBy(text::close).isInstanceOf(MemoryInUseException.class);
    comesBack.countDown();
    closeOnceItHasEnded(text);
  }

  @Test
  @SuppressWarnings("try") // Closed before its block ends: that is what is tested.
  void whatADeviceThatCannotBeWaitedForMayTouchIsKept() throws Exception {
    System.setProperty(DeviceCapacity.LIMIT_PROPERTY, "100000");
    Memory sent = filled(1 << 10);
    Memory large = Memory.ofLongs(1 << 16);
    Memory other = filled(1 << 10);
    try (TornadoLauncher launcher =
        open(
            _ -> {
              throw new AssertionError("no answer");
            })) {
      assertThatThrownBy(() -> launcher.run(letters(sent, large), ONE))
          .isInstanceOf(LaunchException.class);
      assertThatThrownBy(() -> launcher.readBack(other))
          .isInstanceOf(LaunchTimeoutException.class)
          .hasMessageContaining("no answer");
      assertThatThrownBy(sent::close).isInstanceOf(MemoryInUseException.class);
      other.close();
      launcher.close();
      assertThatThrownBy(sent::close).isInstanceOf(MemoryInUseException.class);
      DeviceBuffers buffers = (DeviceBuffers) field(field(launcher, "submissions"), "buffers");
      // Here it is known that the device has ended, and answers; else all of it is kept for good,
      // and so are pages that are locked, such as those of the parameters, though nobody uses them.
      Field lost = DeviceQueue.class.getDeclaredField("lost");
      lost.setAccessible(true);
      lost.setBoolean(field(field(launcher, "submissions"), "queue"), false);
      for (Object kept : List.copyOf(((Map<?, ?>) field(buffers, "buffers")).values())) {
        ((DeviceBuffer) kept).users = 0;
        ((DeviceBuffer) kept).memory.close();
      }
    }
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }

  @Test
  void whatCouldNotBeLaunchedOrDidNotEndHoldsNothing() {
    System.setProperty(DeviceCapacity.LIMIT_PROPERTY, String.valueOf(3 << 16));
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      LaunchShape many = new LaunchShape(1 << 20, 1);
      // Where one were kept, or its room on the device, there would be none for the next.
      for (int round = 0; round < 3; round++) {
        try (TornadoLauncher lost = DeviceUnderTest.open();
            Memory words = Memory.ofBytes(2 << 16)) {
          DeviceInts handle = DeviceInts.of(words);
          WaitForever kernel = new WaitForever(handle, 1);
          lost.use(Task.make(KernelTree.of(kernel).root(), false));
          assertThatThrownBy(() -> lost.run(kernel, ONE))
              .isInstanceOf(LaunchException.class)
              .hasMessageContaining("0 of 1 blocks");
          assertThatThrownBy(() -> launcher.start(kernel, many, LaunchMode.CONCURRENT).join())
              .isInstanceOf(ResidencyException.class);
          assertThatThrownBy(() -> launcher.run(new NotForDevices(handle), ONE))
              .isInstanceOf(LaunchException.class)
              .hasMessageContaining("does not compile");
        }
      }
    }
  }

  /** What devices cannot do. */
  record NotForDevices(DeviceInts words) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      words.storeRelaxed(0, System.getProperty("user.name").length());
    }
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
    try (Memory text = filled(1 << 10);
        Memory bins = Memory.ofLongs(256)) {
      Launch first = startHeld(launcher, bins);
      Launch second = start(launcher, letters(text, bins));
      FutureTask<Memory> read = waiting(() -> readBack(launcher, bins));
      FutureTask<TornadoLauncher> closed = waiting(() -> close(launcher));
      FutureTask<TornadoLauncher> again = waiting(() -> close(launcher));
      assertThatThrownBy(second::join).isInstanceOf(ClosedException.class);
      assertThat(failureOf(read)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> launcher.blocksAtOnce(letters(text, bins), 1))
          .isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> launcher.run(letters(text, bins), ONE))
          .isInstanceOf(ClosedException.class);
      assertThatThrownBy(launcher::requireOpen).isInstanceOf(ClosedException.class);
      letGo();
      assertThat(closed.get()).isSameAs(again.get());
      first.join();
    }
  }

  private static TornadoLauncher close(TornadoLauncher launcher) {
    launcher.close();
    return launcher;
  }

  @Test
  void closingBesideAllThatIsDoneEndsInClosed() throws Exception {
    try (Memory text = filled(1 << 16);
        Memory bins = Memory.ofLongs(256)) {
      // At once, while it compiles, and after that.
      for (int runsBefore : new int[] {-1, 0, 1}) {
        TornadoLauncher launcher = DeviceUnderTest.open();
        CountDownLatch begun = new CountDownLatch(1 + Math.max(0, runsBefore));
        FutureTask<?> runs =
            aside(
                () ->
                    repeat(
                        () -> {
                          begun.countDown();
                          launcher.run(letters(text, bins), ONE);
                        }));
        FutureTask<?> reads = aside(() -> repeat(() -> launcher.readBack(bins)));
        FutureTask<?> sends = aside(() -> repeat(() -> launcher.prefetch(text)));
        if (runsBefore >= 0) {
          await(begun);
        }
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
        Memory text = filled(1 << 10);
        Memory bins = Memory.ofLongs(256)) {
      Launch first = startHeld(launcher, bins);
      Launch second = start(launcher, letters(text, bins));
      FutureTask<Boolean> interrupted =
          waiting(
              () -> {
                Thread.currentThread().interrupt();
                assertThatThrownBy(second::join)
                    .isInstanceOf(LaunchCancelledException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
                // It has begun: it comes to its end as if there had been no interrupt.
                first.join();
                assertThat(first.isDone()).isTrue();
                // So do copies.
                launcher.readBack(bins);
                return Thread.currentThread().isInterrupted();
              });
      assertThat(second.isDone()).isTrue();
      letGo();
      assertThat(interrupted.get()).isTrue();
    }
  }

  @Test
  void aChainThatHasNotBegunIsCancelledByAnInterrupt() throws Exception {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory text = filled(1 << 10);
        Memory bins = Memory.ofLongs(256)) {
      Launch first = startHeld(launcher, bins);
      ChainLink link = new ChainLink(letters(text, bins), ONE);
      FutureTask<Boolean> interrupted =
          waiting(
              () -> {
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> launcher.runChain(List.of(link, link), bins))
                    .isInstanceOf(LaunchCancelledException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
                first.join();
                return Thread.currentThread().isInterrupted();
              });
      letGo();
      assertThat(interrupted.get()).isTrue();
      launcher.runChain(List.of(link, link), bins);
      assertThat(DeviceLongs.of(bins).get('a')).isEqualTo(2 << 10);
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

  /** By a launcher that is closed, and refuses it. */
  @Test
  void whatIsRefusedIsForgotten() throws Exception {
    try (Memory text = filled(1 << 10);
        Memory bins = Memory.ofLongs(256)) {
      WeakReference<Object> closed = refused(text, bins);
      for (int i = 0; i < 100 && closed.get() != null; i++) {
        System.gc();
        Thread.sleep(20);
      }
      assertThat(closed.get()).isNull();
    }
  }

  /** What a launcher knew of those memories that was used when it was closed. */
  private static WeakReference<Object> refused(Memory text, Memory bins) throws Exception {
    TornadoLauncher launcher = DeviceUnderTest.open();
    launcher.close();
    assertThatThrownBy(() -> launcher.prefetch(text)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> launcher.run(letters(text, bins), ONE))
        .isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> launcher.readBack(bins)).isInstanceOf(ClosedException.class);
    return new WeakReference<>(field(field(launcher, "submissions"), "buffers"));
  }

  /** What a launcher that was used and closed knew of those memories. */
  private static WeakReference<Object> used(Memory text, Memory bins) throws Exception {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      launcher.prefetch(text);
      launcher.run(letters(text, bins), ONE);
      return new WeakReference<>(field(field(launcher, "submissions"), "buffers"));
    }
  }
}

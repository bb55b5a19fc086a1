package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.SystemInts;
import dev.gyre.atomics.SystemLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.examples.HostSignal;
import dev.gyre.kernels.sync.SyncLayout;
import dev.gyre.kernels.sync.SystemBarrier;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kinds of memory, and what host and device see of each other in those that both reach. */
@ExtendWith(DeviceUnderTest.class)
class SharedMemoryTest {

  private static final LaunchShape ONE = LaunchShape.ofThreads(1);
  private static final int ROUNDS = 200;

  /** About half a minute. */
  private static final long HOST_POLLS = 1 << 15;

  private static final int LONGS = 10_000;

  /** Adds 1 to each. */
  record AddOne(ThreadLongs longs, long length) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (long i = thread; i < length; i += shape.threads()) {
        longs.set(i, longs.get(i) + 1);
      }
    }
  }

  /** {@link HostSignal} with flags that are of one device. */
  record DeviceSignal(DeviceInts flags, ThreadInts data, int rounds, long pollLimit)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      if (flags.waitWhileEqualAcquire(HostSignal.TO_DEVICE, 0, pollLimit) != 0) {
        data.set(HostSignal.ANSWER, HostSignal.answer(data.get(HostSignal.MESSAGE)));
        flags.storeRelease(HostSignal.TO_HOST, rounds);
      }
    }
  }

  /** Counts in one place. */
  record Count(SystemLongs counter, int times) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = 0; i < times; i++) {
        counter.fetchAddRelaxed(0, 1);
      }
    }
  }

  private final TornadoLauncher launcher = DeviceUnderTest.open();

  @AfterEach
  void close() {
    launcher.close();
  }

  /** Memory of a kind, where the target has it; it is refused with a reason elsewhere. */
  private Memory memory(MemoryKind kind, long bytes) {
    Memory made = null;
    String reason = "";
    try {
      made = launcher.memory(kind, bytes);
    } catch (MemoryKindException e) {
      reason = String.valueOf(e.getMessage());
      assertThat(reason)
          .startsWith(launcher.device().name())
          .contains("has no", "does not declare");
    }
    // What every target has but OpenCL, which need not.
    if (DeviceUnderTest.target() != Target.OPENCL || kind == MemoryKind.DEVICE_ONLY) {
      assertThat(reason).isEmpty();
    }
    assumeTrue(made != null, reason);
    return Objects.requireNonNull(made);
  }

  /** Compiles a kernel; an OpenCL device that does not declare system scope refuses it. */
  private void compile(Kernel kernel) {
    try {
      assertThat(launcher.source(kernel)).isNotEmpty();
    } catch (LaunchException e) {
      assertThat(DeviceUnderTest.target()).isEqualTo(Target.OPENCL);
      assertThat(e).hasMessageContaining("it does not declare __opencl_c_atomic_scope_all_devices");
      assumeTrue(false, e.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PINNED", "UNIFIED"})
  void hostAndDeviceUseOneMemory(MemoryKind kind) {
    try (Memory memory = memory(kind, 8L * LONGS)) {
      ThreadLongs longs = ThreadLongs.of(memory);
      for (int round = 1; round <= 3; round++) {
        launcher.run(new AddOne(longs, LONGS), launcher.shapeFor(LONGS));
        for (int i = 0; i < LONGS; i++) {
          // Nothing was brought back, nor sent again.
          assertThat(longs.get(i)).isEqualTo(2L * round - 1);
          longs.set(i, 2L * round);
        }
      }
      try (Memory other = Memory.ofLongs(LONGS)) {
        launcher.copyIn(other, memory);
        launcher.run(new AddOne(ThreadLongs.of(other), LONGS), launcher.shapeFor(LONGS));
        launcher.copyOut(other, memory.range(8, memory.byteSize() - 8));
        assertThat(longs.get(0)).isEqualTo(6);
        assertThat(longs.get(LONGS - 1)).isEqualTo(7);
        launcher.clear(memory);
        assertThat(longs.get(LONGS - 1)).isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PINNED", "UNIFIED"})
  void whoeverSeesTheSignalSeesTheMessageBothWays(MemoryKind kind) {
    try (Memory memory = memory(kind, 4L * HostSignal.INTS)) {
      SystemInts flags = SystemInts.of(memory);
      ThreadInts data = ThreadInts.of(memory);
      Kernel kernel = new HostSignal(flags, data, ROUNDS, launcher.device().target().pollLimit());
      compile(kernel);
      Launch launch = launcher.start(kernel, ONE, LaunchMode.CONCURRENT);
      int answered = 0;
      boolean on = true;
      while (on) {
        int answer = HostSignal.ask(flags, data, answered, answered - 7, HOST_POLLS);
        on = answer == HostSignal.answer(answered - 7) && ++answered < ROUNDS;
      }
      launch.join();
      assertThat(answered).isEqualTo(ROUNDS);
    }
  }

  /** The same where each side has a copy of its own: no signal comes. */
  @Test
  void inMemoryThatIsCopiedNoSignalComes() {
    try (Memory memory = Memory.ofInts(HostSignal.INTS)) {
      SystemInts flags = SystemInts.of(memory);
      ThreadInts data = ThreadInts.of(memory);
      // Compiled, and the memory sent, before the host signals.
      compile(new HostSignal(flags, data, 0, 1));
      launcher.run(new HostSignal(flags, data, 0, 1), ONE);
      Launch launch =
          launcher.start(new HostSignal(flags, data, 1, 1 << 12), ONE, LaunchMode.CONCURRENT);
      assertThat(HostSignal.ask(flags, data, 0, 5, 100)).isEqualTo(5);
      launch.join();
    }
  }

  @Test
  void flagsOfDeviceScopeAreRefused() {
    try (Memory memory = memory(MemoryKind.PINNED, 4L * HostSignal.INTS)) {
      Kernel mutant = new DeviceSignal(DeviceInts.of(memory), ThreadInts.of(memory), 1, 1 << 12);
      assertThatThrownBy(() -> launcher.run(mutant, ONE))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("DeviceInts are not atomic with")
          .hasMessageContaining("system scope");
    }
  }

  @Test
  void updatesBesideTheHostAreAllCountedOrRefused() {
    int times = 10_000;
    try (Memory memory = memory(MemoryKind.PINNED, 8);
        Memory own = Memory.ofLongs(1)) {
      SystemLongs counter = SystemLongs.of(memory);
      compile(new Count(counter, times));
      // In other memory, they are the device's alone.
      launcher.run(new Count(SystemLongs.of(own), times), ONE);
      launcher.readBack(own);
      assertThat(ThreadLongs.of(own).get(0)).isEqualTo(times);
      Launch launch = launcher.start(new Count(counter, times), ONE, LaunchMode.CONCURRENT);
      for (int i = 0; i < times; i++) {
        counter.fetchAddRelaxed(0, 1);
      }
      try {
        launch.join();
        assertThat(counter.loadAcquire(0)).isEqualTo(2L * times);
      } catch (LaunchException e) {
        assertThat(DeviceUnderTest.target()).isNotEqualTo(Target.OPENCL);
        assertThat(e).hasMessageContaining("use loads, stores and waits only");
        assertThat(counter.loadAcquire(0)).isEqualTo(times);
      }
    }
  }

  /** Meets the host at a barrier, and looks at what the host wrote. */
  record Meet(SystemInts barrier, ThreadInts data, int phases, long pollLimit) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      int met = 0;
      for (int phase = 1; phase <= phases; phase++) {
        data.set(0, phase);
        int ended = SystemBarrier.arriveAndWait(barrier, 0, pollLimit);
        met += ended == SyncLayout.DONE && data.get(16) == phase ? 1 : 0;
        int _ = SystemBarrier.arriveAndWait(barrier, 0, pollLimit);
      }
      data.set(32, met);
    }
  }

  @Test
  void hostAndDeviceMeetAtABarrierOrAreRefused() {
    int phases = 100;
    // Seconds: where the kernel is refused, the host waits in vain.
    long hostPolls = 1 << 12;
    long polls = launcher.device().target().pollLimit();
    try (Memory barrier = memory(MemoryKind.PINNED, 4L * SyncLayout.WORDS);
        Memory memory = memory(MemoryKind.PINNED, 4L * 48)) {
      SystemInts words = SystemInts.of(barrier);
      ThreadInts data = ThreadInts.of(memory);
      Kernel kernel = new Meet(words, data, phases, polls);
      compile(kernel);
      SystemBarrier.init(words, 0, 2);
      try {
        Launch launch = launcher.start(kernel, ONE, LaunchMode.CONCURRENT);
        int met = 0;
        int ended = SyncLayout.DONE;
        for (int phase = 1; phase <= phases && ended == SyncLayout.DONE; phase++) {
          data.set(16, phase);
          ended = SystemBarrier.arriveAndWait(words, 0, hostPolls);
          met += ended == SyncLayout.DONE && data.get(0) == phase ? 1 : 0;
          ended =
              ended == SyncLayout.DONE ? SystemBarrier.arriveAndWait(words, 0, hostPolls) : ended;
        }
        launch.join();
        assertThat(met).isEqualTo(phases);
        assertThat(data.get(32)).isEqualTo(phases);
      } catch (LaunchException e) {
        assertThat(DeviceUnderTest.target()).isNotEqualTo(Target.OPENCL);
        assertThat(e).hasMessageContaining("use loads, stores and waits only");
      }
    }
  }

  @Test
  void memoryOfADeviceIsOnTheDeviceAlone() {
    try (Memory memory = memory(MemoryKind.DEVICE_ONLY, 8L * LONGS);
        Memory host = Memory.ofLongs(LONGS)) {
      ThreadLongs longs = ThreadLongs.of(memory);
      assertThat(memory.byteSize()).isEqualTo(8L * LONGS);
      host.segment().fill((byte) 0);
      ThreadLongs.of(host).set(5, 41);
      launcher.run(new AddOne(longs, LONGS), launcher.shapeFor(LONGS));
      launcher.copyOut(memory, host.first(40));
      assertThat(ThreadLongs.of(host).get(4)).isEqualTo(1);
      assertThat(ThreadLongs.of(host).get(5)).isEqualTo(41);
      launcher.copyIn(memory, host.range(40, 8));
      launcher.run(new AddOne(longs, LONGS), launcher.shapeFor(LONGS));
      launcher.copyOut(memory, host.first(16));
      assertThat(ThreadLongs.of(host).get(0)).isEqualTo(42);
      assertThat(ThreadLongs.of(host).get(1)).isEqualTo(2);
      assertThatThrownBy(() -> longs.get(0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> memory.segment().get(ValueLayout.JAVA_LONG, 0))
          .isInstanceOf(IllegalStateException.class);
      for (Runnable wrong :
          new Runnable[] {
            () -> launcher.readBack(memory),
            () -> launcher.readBack(memory.first(8)),
            () -> launcher.hostWrote(memory),
            () -> launcher.hostWrote(memory.first(8)),
            () -> launcher.prefetch(memory)
          }) {
        assertThatThrownBy(wrong::run)
            .isInstanceOf(GyreException.class)
            .hasMessageContaining("is on one device alone");
      }
      try (TornadoLauncher other = DeviceUnderTest.open()) {
        assertThatThrownBy(() -> other.run(new AddOne(longs, 1), ONE))
            .isInstanceOf(LaunchException.class)
            .hasMessageContaining("is on one device alone");
      }
    }
  }

  @Test
  void moreThanThereIsIsRefused() {
    for (MemoryKind kind : new MemoryKind[] {MemoryKind.DEVICE_ONLY, MemoryKind.UNIFIED}) {
      memory(kind, 8).close();
      assertThatThrownBy(() -> launcher.memory(kind, 1L << 46))
          .isInstanceOf(MemoryExhaustedException.class);
    }
  }

  @Test
  void atomicsOfADeviceGoOnInMemoryThatMoves() {
    try (Memory memory = memory(MemoryKind.UNIFIED, 8)) {
      DeviceLongs counter = DeviceLongs.of(memory);
      launcher.run(new Updates(counter), LaunchShape.ofThreads(64));
      assertThat(counter.get(0)).isEqualTo(64);
    }
  }

  /** One for each thread. */
  record Updates(DeviceLongs counter) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      counter.fetchAddRelaxed(0, 1);
    }
  }

  @ParameterizedTest
  @EnumSource(MemoryKind.class)
  void sizesThatThereAreNotAreRefused(MemoryKind kind) {
    memory(kind, 0).close();
    assertThatThrownBy(() -> launcher.memory(kind, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> launcher.memory(kind, Long.MAX_VALUE))
        .isInstanceOf(MemoryExhaustedException.class)
        .hasMessageContaining(Long.toString(Long.MAX_VALUE));
  }
}

package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.kernels.Stage;
import dev.gyre.kernels.probe.HandOver;
import dev.gyre.kernels.probe.ProgressFunctions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The examples of CUDA C++'s execution model, by their names there, on the JVM and on devices: what
 * must end does, and what may not leaves the host and the device to others.
 */
@ConformanceSuite
@Timeout(120)
@Tag("slow")
class ExecutionModelTest {

  private static final LaunchShape ONE = LaunchShape.ofThreads(1);

  /** Polls of a device that are over soon. */
  private static final long POLLS = 10_000;

  /** A second or two. */
  private static final long HOST_POLLS = 1 << 11;

  @TempDir private Path folder;

  private @Nullable JvmLauncher jvm;
  private @Nullable Launcher opened;

  @BeforeEach
  void open() {
    TargetUnderTest.assumeAlone();
    Launcher device = TargetUnderTest.device();
    if (device == null) {
      jvm = JvmLauncher.create();
    }
    opened = device == null ? jvm : device;
  }

  @AfterEach
  void close() {
    if (jvm != null) {
      jvm.close();
    }
  }

  private Launcher launcher() {
    return Objects.requireNonNull(opened);
  }

  private LaunchMode mode() {
    return jvm != null ? LaunchMode.CONCURRENT : LaunchMode.STRIDED;
  }

  /** The grid ends: a thread waits for another of its block. Not where they run one by one. */
  @Test
  void device0() {
    try (Memory memory = Memory.ofInts(ProgressFunctions.WORDS)) {
      // Blocks of one thread are where a device runs the threads of a block one after another.
      boolean together = jvm != null || launcher().shapeFor(1 << 20).blockSize() > 1;
      HandOver kernel = new HandOver(DeviceInts.of(memory), 1, 0, together ? 1 << 20 : POLLS);
      launcher().start(kernel, new LaunchShape(1, 2), mode()).join();
      launcher().readBack(memory);
      ThreadInts words = ThreadInts.of(memory);
      assertThat(words.get(ProgressFunctions.FLAG)).isEqualTo(1);
      assertThat(words.get(ProgressFunctions.STUCK)).isBetween(0, together ? 0 : 1);
    }
  }

  /** Whether they end or not, their process does, and the device goes on for others. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void device1To4(int example) throws Exception {
    Path log = folder.resolve("log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> !argument.startsWith("-agentlib"))
            .toList());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(NeverEnding.class.getName(), String.valueOf(example)));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      Others.await(() -> said(log).contains(NeverEnding.BEGUN) || !process.isAlive());
      boolean ended = process.waitFor(1, TimeUnit.SECONDS);
      String said = said(log);
      assertThat(said).contains(NeverEnding.BEGUN);
      if (ended) {
        assertThat(said).containsAnyOf(NeverEnding.ENDED, NeverEnding.REFUSED);
      }
    } finally {
      assertThat(process.destroyForcibly().waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
    meetAtTheBarrierOfABlock();
  }

  private static String said(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  record HelloWorld(ThreadInts here) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      Block.barrier();
      here.set(thread, 1);
    }
  }

  /** Terminates: two threads meet at the barrier of their block, and the host waits for both. */
  @Test
  void api1() {
    meetAtTheBarrierOfABlock();
  }

  private void meetAtTheBarrierOfABlock() {
    try (Memory memory = Memory.ofInts(2)) {
      launcher().start(new HelloWorld(ThreadInts.of(memory)), new LaunchShape(1, 2), mode()).join();
      launcher().readBack(memory);
      assertThat(ThreadInts.of(memory).get(0) + ThreadInts.of(memory).get(1)).isEqualTo(2);
    }
  }

  record Producer(SystemInts flag) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      flag.storeSeqCst(0, 1);
    }
  }

  /** The producer where host and device have no memory and scope in common. */
  record FarProducer(DeviceInts flag) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      flag.storeRelaxed(0, 1);
    }
  }

  /** What the host does while the producer may run; whether it must see the flag then. */
  private interface HostSide {
    boolean mustSee(SystemInts flag, Launch launch);
  }

  private void produce(HostSide host) {
    if (jvm != null) {
      try (Memory memory = Memory.ofInts(1)) {
        produceIn(memory, host);
      }
      return;
    }
    try (Memory memory = launcher().memory(MemoryKind.PINNED, Integer.BYTES)) {
      produceIn(memory, host);
    } catch (MemoryKindException e) {
      produceFarAway(host);
    } catch (LaunchException e) {
      assertThat(e).hasMessageContaining("does not declare __opencl_c_atomic_scope_all_devices");
      produceFarAway(host);
    }
  }

  private void produceIn(Memory memory, HostSide host) {
    SystemInts flag = SystemInts.of(memory);
    Launch launch = launcher().start(new Producer(flag), ONE, mode());
    boolean mustSee;
    int seen;
    try {
      mustSee = host.mustSee(flag, launch);
      seen = flag.loadSeqCst(0);
    } finally {
      launch.join();
    }
    assertThat(flag.loadSeqCst(0)).isEqualTo(1);
    assertThat(seen).isBetween(mustSee ? 1 : 0, 1);
  }

  /** The host never sees the flag, which is the device's until it is brought back. */
  private void produceFarAway(HostSide host) {
    try (Memory memory = Memory.ofInts(1)) {
      Launch launch = launcher().start(new FarProducer(DeviceInts.of(memory)), ONE, mode());
      boolean _ = host.mustSee(SystemInts.of(memory), launch);
      launch.join();
      launcher().readBack(memory);
      assertThat(ThreadInts.of(memory).get(0)).isEqualTo(1);
    }
  }

  /**
   * The host may wait in vain: it looks at the flag only, and nothing says that a kernel begins.
   */
  @Test
  void api2() {
    produce(
        (flag, _) -> {
          int _ = flag.waitWhileEqualSeqCst(0, 0, HOST_POLLS);
          return false;
        });
  }

  /** As before: a single question is no reason to begin either. */
  @Test
  void api3() {
    produce(
        (flag, launch) -> {
          boolean _ = launch.isDone();
          int _ = flag.waitWhileEqualSeqCst(0, 0, HOST_POLLS);
          return false;
        });
  }

  /** Terminates: the host asks again and again whether the launch has ended. */
  @Test
  void api4() {
    produce(
        (flag, launch) -> {
          Others.await(() -> launch.isDone() || flag.loadSeqCst(0) != 0);
          return true;
        });
  }

  record First(DeviceInts flag) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      flag.storeRelaxed(0, 1);
    }
  }

  record Second(DeviceInts flag, ThreadInts seen, long pollLimit) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      seen.set(0, flag.waitWhileEqualRelaxed(0, 0, pollLimit));
    }
  }

  /**
   * Nothing orders the kernels of two chains: on a device the second may starve the first, until it
   * gives up. The JVM has threads for both.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void stream0(boolean secondFirst) {
    try (Memory flag = Memory.ofInts(1);
        Memory seen = Memory.ofInts(1)) {
      Kernel first = new First(DeviceInts.of(flag));
      Kernel second = new Second(DeviceInts.of(flag), ThreadInts.of(seen), POLLS);
      Stage<Launcher> one = Stage.schedule(launcher()).bulk(ONE, secondFirst ? second : first);
      Stage<Launcher> other = Stage.schedule(launcher()).bulk(ONE, secondFirst ? first : second);
      assertThat(Stage.whenAll(one, other).readBack(flag, seen).join()).hasSize(2);
      assertThat(ThreadInts.of(seen).get(0)).isBetween(jvm != null ? 1 : 0, 1);
      assertThat(ThreadInts.of(flag).get(0)).isEqualTo(1);
    }
  }

  /** Terminates: in one chain the second begins when the first has ended. */
  @Test
  void stream1() {
    try (Memory flag = Memory.ofInts(1);
        Memory seen = Memory.ofInts(1)) {
      Launcher _ =
          Stage.schedule(launcher())
              .bulk(ONE, new First(DeviceInts.of(flag)))
              .bulk(ONE, new Second(DeviceInts.of(flag), ThreadInts.of(seen), POLLS))
              .readBack(seen)
              .join();
      assertThat(ThreadInts.of(seen).get(0)).isEqualTo(1);
    }
  }
}

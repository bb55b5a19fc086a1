package dev.gyre.progress.litmus;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.Target;

/**
 * Litmus tests in which the host plays one role and a device the others, in memory that both can
 * access. On the JVM, other threads play the roles of the device.
 */
final class HostAndDevice implements AutoCloseable {

  private static final int INSTANCES = 1 << 10;

  /** Polls of the host: a core waits for the first access of a device over the bus. */
  private static final long HOST_POLLS = 1 << 16;

  private static final long DEVICE_POLLS = 1 << 14;

  /** How long the host waits for the device to begin. */
  private static final long BEGIN_NANOS = 10_000_000_000L;

  private static final long FEW_POLLS = 100;

  private final Launcher device;
  private final JvmLauncher host = JvmLauncher.ofWorkers(1);
  private final Memory cells;
  private final Memory results;
  private final Memory begun;

  /**
   * Creates partners with their own memory. The caller closes the launcher.
   *
   * @throws dev.gyre.kernels.MemoryKindException if there is no memory that both can access
   */
  HostAndDevice(Launcher device) {
    this.device = device;
    MemoryKind kind =
        device.device().target() == Target.JVM ? MemoryKind.ORDINARY : MemoryKind.PINNED;
    cells = device.memory(kind, 3L * INSTANCES * LitmusCodes.MAX_PAD * Integer.BYTES);
    results = device.memory(kind, (long) LitmusCodes.REGISTERS * INSTANCES * Integer.BYTES);
    begun = device.memory(kind, (long) RunOneSide.INTS * Integer.BYTES);
  }

  /**
   * Runs a launch on each side.
   *
   * @param bins memory to which the host adds the outcomes
   */
  void round(LitmusTest test, int round, Memory bins) {
    int roles = test.program().roles();
    int pad = (round & 1) == 0 ? LitmusCodes.MAX_PAD : 1;
    int delay = 1 << (2 + round % 10);
    begun.segment().fill((byte) 0);
    Launch there =
        device.start(
            side(test, round, test.program().againstHost(test.order()), 0, pad, delay),
            LaunchShape.ofThreads(roles - 1),
            LaunchMode.CONCURRENT);
    try {
      awaitBegun(there, roles, test.program().hostRole(round));
      host.start(
              side(test, round, test.program().litmus(test.order()), 1, pad, delay),
              LaunchShape.ofThreads(1),
              LaunchMode.CONCURRENT)
          .join();
    } finally {
      there.join();
    }
    Cells seen =
        new Cells(new DeviceWords(DeviceInts.of(cells)), ThreadInts.of(results), INSTANCES, pad);
    host.run(
        new TallyLitmus(seen, DeviceLongs.of(bins), test.program().finals()),
        LaunchShape.ofThreads(1));
  }

  /**
   * The device first compiles and loads the kernel; without this wait the host would have ended
   * before.
   */
  private void awaitBegun(Launch there, int roles, int hostRole) {
    SystemInts words = SystemInts.of(begun);
    long start = System.nanoTime();
    boolean all = false;
    while (!all && !there.isDone() && System.nanoTime() - start < BEGIN_NANOS) {
      all = true;
      for (int role = 0; role < roles; role++) {
        all &= role == hostRole || words.loadRelaxed((long) role * RunOneSide.STEP) > 0;
      }
    }
  }

  private RunOneSide side(
      LitmusTest test, int round, Litmus program, int here, int pad, int delay) {
    int roles = test.program().roles();
    boolean atOnce =
        device.device().target() != Target.JVM
            || roles <= Runtime.getRuntime().availableProcessors();
    long polls = here == 1 ? HOST_POLLS : DEVICE_POLLS;
    return new RunOneSide(
        program,
        test.order().order(),
        new Cells(LitmusScope.HOST.words(cells), ThreadInts.of(results), INSTANCES, pad),
        SystemInts.of(begun),
        roles,
        test.program().hostRole(round),
        here,
        atOnce ? polls : FEW_POLLS,
        delay);
  }

  @Override
  public void close() {
    host.close();
    cells.close();
    results.close();
    begun.close();
  }
}

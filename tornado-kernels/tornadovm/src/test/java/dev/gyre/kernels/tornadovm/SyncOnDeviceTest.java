package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.table.Scope;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.sync.stress.SyncStress;
import dev.gyre.kernels.sync.stress.SyncStress.Arrivals;
import dev.gyre.kernels.sync.stress.SyncStress.Members;
import dev.gyre.kernels.sync.stress.SyncStress.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Latch, barrier and semaphore on the device, at block, device and system scope: every order of
 * arrival for small groups, delays for larger ones, threads that drop, one thread alone.
 *
 * <p>OpenCL on a CPU runs the threads of a block one after another, so that groups there are blocks
 * of one thread, as many as there are cores. Groups that do not fit are skipped.
 */
@ExtendWith(DeviceUnderTest.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SyncOnDeviceTest {

  private static final int PHASES = 10_000;

  /** Threads of large groups. */
  private static final int BLOCK = 128;

  private static boolean cpu(TornadoLauncher launcher) {
    return launcher.shapeFor(1 << 20).blockSize() == 1;
  }

  private static SyncStress stress(
      TornadoLauncher launcher, Scope scope, LaunchShape shape, int groupSize) {
    // A core that polls may wait for one that does not run.
    return new SyncStress(launcher, scope, shape, groupSize, cpu(launcher) ? 1 << 25 : 1 << 22);
  }

  /** A group at device scope, spread over blocks; groups at block scope, in some blocks. */
  private static List<SyncStress> small(TornadoLauncher launcher, int size) {
    List<SyncStress> all = new ArrayList<>();
    if (size <= launcher.device().units()) {
      all.add(stress(launcher, Scope.DEVICE, LaunchShape.ofThreads(size), size));
      all.add(stress(launcher, Scope.SYSTEM, LaunchShape.ofThreads(size), size));
    }
    if (size == 1 || !cpu(launcher)) {
      all.add(stress(launcher, Scope.BLOCK, new LaunchShape(2, size), size));
    }
    if (size > 1 && !cpu(launcher)) {
      all.add(stress(launcher, Scope.DEVICE, new LaunchShape(1, size), size));
    }
    return all;
  }

  /** All threads that run at once at device scope; at block scope, those of large blocks. */
  private static List<SyncStress> large(TornadoLauncher launcher) {
    int units = launcher.device().units();
    if (cpu(launcher)) {
      return List.of(
          stress(launcher, Scope.DEVICE, LaunchShape.ofThreads(units), units),
          stress(launcher, Scope.SYSTEM, LaunchShape.ofThreads(units), units));
    }
    return List.of(
        stress(launcher, Scope.DEVICE, LaunchShape.ofThreads(units), units),
        stress(launcher, Scope.DEVICE, new LaunchShape(4, BLOCK), 4 * BLOCK),
        stress(launcher, Scope.SYSTEM, new LaunchShape(4, BLOCK), 4 * BLOCK),
        stress(launcher, Scope.BLOCK, new LaunchShape(units, BLOCK), BLOCK));
  }

  private static void fine(Report report, SyncStress stress, long counted) {
    assertThat(report.stuck()).as("stuck, %s", stress).isZero();
    assertThat(report.wrong()).as("wrong, %s", stress).isZero();
    assertThat(report.counted()).as("counted, %s", stress).isEqualTo(counted);
  }

  /** What a program found; nothing where the device refuses system scope, which it says. */
  private static Optional<Report> report(SyncStress s, Function<SyncStress, Report> program) {
    Optional<Report> report = Optional.empty();
    try {
      report = Optional.of(program.apply(s));
    } catch (LaunchException e) {
      assertThat(s.scope()).as(e.getMessage()).isEqualTo(Scope.SYSTEM);
      assertThat(e).hasMessageContaining("it does not declare __opencl_c_atomic_scope_all_devices");
    }
    return report;
  }

  private static long groups(SyncStress s) {
    return s.shape().threads() / s.groupSize();
  }

  private static void each(
      Function<TornadoLauncher, List<SyncStress>> plans,
      Function<SyncStress, Report> program,
      Function<SyncStress, Long> counted) {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      List<SyncStress> all = plans.apply(launcher);
      assumeTrue(!all.isEmpty(), "no group fits this device");
      for (SyncStress s : all) {
        report(s, program).ifPresent(r -> fine(r, s, counted.apply(s)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void barrierInEveryOrderOfArrival(int size) {
    int rounds = 2 * SyncStress.orders(size).size();
    for (Members members : new Members[] {Members.ONE_EACH, Members.SEVERAL_EACH}) {
      each(
          launcher -> small(launcher, size),
          s -> s.barrier(rounds, Arrivals.EVERY_ORDER, members),
          s -> groups(s) * rounds * 2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void latchInEveryOrderOfArrivalWithEverySetOfWaiters(int size) {
    int rounds = SyncStress.orders(size).size() << size;
    each(
        launcher -> small(launcher, size),
        s -> s.latch(rounds, Arrivals.EVERY_ORDER),
        s -> groups(s) * rounds * size / 2);
  }

  @Test
  void aBarrierIsReusedOverTenThousandPhases() {
    each(
        SyncOnDeviceTest::large,
        s -> s.barrier(PHASES / 2, Arrivals.DELAYED, Members.ONE_EACH),
        s -> groups(s) * PHASES);
  }

  @Test
  void threadsDropOneAfterAnother() {
    int rounds = 1_000;
    each(
        SyncOnDeviceTest::large,
        s -> s.barrier(rounds, Arrivals.DELAYED, Members.DROPPING),
        s -> groups(s) * 2 * rounds);
  }

  @Test
  void latchesWithDelays() {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      for (SyncStress s : large(launcher)) {
        report(s, p -> p.latch(100, Arrivals.DELAYED))
            .ifPresent(
                report -> {
                  assertThat(report.stuck() + report.wrong()).as("%s", s).isZero();
                  assertThat(report.counted()).as("waits").isPositive();
                });
      }
    }
  }

  @Test
  void aBinarySemaphoreIsALock() {
    int rounds = 50;
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      for (SyncStress s : large(launcher)) {
        long entries = (long) s.shape().threads() * rounds;
        report(s, p -> p.semaphore(rounds, 1))
            .ifPresent(
                report -> {
                  fine(report, s, entries);
                  assertThat(report.payload()).isEqualTo(entries);
                });
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 7})
  void noMoreThanThePermitsAreInside(int permits) {
    int rounds = 50;
    each(
        SyncOnDeviceTest::large,
        s -> s.semaphore(rounds, permits),
        s -> (long) s.shape().threads() * rounds);
  }

  /** The program of CCCL's issue 450; a launch that hangs is abandoned, and fails. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5})
  void nobodyStarvesAtASemaphore(int size) {
    int rounds = 100;
    each(
        launcher -> small(launcher, size),
        s -> s.starvation(rounds),
        s -> (long) s.shape().threads() * rounds);
  }

  @Test
  void nobodyStarvesInALargeGroup() {
    int rounds = 10;
    each(
        SyncOnDeviceTest::large,
        s -> s.starvation(rounds),
        s -> (long) s.shape().threads() * rounds);
  }
}

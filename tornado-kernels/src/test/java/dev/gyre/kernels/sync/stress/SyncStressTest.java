package dev.gyre.kernels.sync.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.table.Scope;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.sync.stress.SyncStress.Arrivals;
import dev.gyre.kernels.sync.stress.SyncStress.Members;
import dev.gyre.kernels.sync.stress.SyncStress.Report;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The stress programs of latch, barrier and semaphore on the JVM, at every scope. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SyncStressTest {

  private static final long POLLS = 1 << 20;

  private static Report run(
      Scope scope, int groups, int size, Function<SyncStress, Report> program) {
    try (JvmLauncher launcher = JvmLauncher.create()) {
      return program.apply(
          new SyncStress(launcher, scope, new LaunchShape(groups, size), size, POLLS));
    }
  }

  private static void fine(Report report, long counted) {
    assertThat(report.stuck()).as("stuck").isZero();
    assertThat(report.wrong()).as("wrong").isZero();
    assertThat(report.counted()).isEqualTo(counted);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void barrierInEveryOrderOfArrival(int size) {
    for (Scope scope : new Scope[] {Scope.BLOCK, Scope.DEVICE, Scope.SYSTEM}) {
      for (Members members : new Members[] {Members.ONE_EACH, Members.SEVERAL_EACH}) {
        fine(run(scope, 1, size, s -> s.barrier(48, Arrivals.EVERY_ORDER, members)), 96);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void latchInEveryOrderOfArrivalWithEverySetOfWaiters(int size) {
    for (Scope scope : new Scope[] {Scope.BLOCK, Scope.DEVICE, Scope.SYSTEM}) {
      int rounds = SyncStress.orders(size).size() << size;
      Report report = run(scope, 1, size, s -> s.latch(rounds, Arrivals.EVERY_ORDER));
      fine(report, (long) rounds * size / 2);
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(
      value = Scope.class,
      names = {"BLOCK", "DEVICE", "SYSTEM"})
  void manyPhasesWithDelays(Scope scope) {
    fine(run(scope, 2, 2, s -> s.barrier(5_000, Arrivals.DELAYED, Members.ONE_EACH)), 2 * 10_000);
    fine(run(scope, 2, 4, s -> s.barrier(500, Arrivals.DELAYED, Members.DROPPING)), 2 * 1_000);
    assertThat(run(scope, 2, 3, s -> s.latch(1_000, Arrivals.DELAYED)).wrong()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Scope.class,
      names = {"BLOCK", "DEVICE", "SYSTEM"})
  void semaphoresKeepTheirPermits(Scope scope) {
    Report one = run(scope, 2, 3, s -> s.semaphore(1_000, 1));
    fine(one, 6_000);
    assertThat(one.payload()).isEqualTo(6_000);
    fine(run(scope, 1, 4, s -> s.semaphore(1_000, 2)), 4_000);
  }

  /** The program of CCCL's issue 450. */
  @Test
  void nobodyStarvesAtASemaphore() {
    fine(run(Scope.DEVICE, 1, 4, s -> s.starvation(100)), 400);
  }
}

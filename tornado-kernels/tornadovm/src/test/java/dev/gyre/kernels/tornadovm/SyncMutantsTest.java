package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.sync.DeviceBarrier;
import dev.gyre.kernels.sync.DeviceLatch;
import dev.gyre.kernels.sync.SyncLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Broken variants of latch, barrier and semaphore must be found out, on the device and on the JVM.
 * Mutants that only order too weakly may be right by chance: how often they were not is printed.
 */
@ExtendWith(DeviceUnderTest.class)
class SyncMutantsTest {

  private static final int ROUNDS = 2_000;
  private static final int LOCKED = 2_000;
  private static final int TRIES = 20;
  private static final int WEAK_RUNS = 10;

  private interface Program {
    Kernel on(Memory words, Memory payload, Memory failed, long pollLimit);
  }

  private static TornadoLauncher device() {
    return DeviceUnderTest.open();
  }

  // How often a wait's limit is doubled: for controls, which must not end one; for mutants that may
  // be
  // right, and may wait for ever on a GPU; and for those that must not be.
  private static final int PATIENT = 10;
  private static final int WARY = 4;
  private static final int IMPATIENT = 0;

  /** Runs a program with two threads in two blocks; how many found something wrong. */
  private static long run(Launcher launcher, int scope, Program program) {
    try (Memory words = Memory.ofInts((long) SyncLayout.WORDS * ROUNDS);
        Memory payload = Memory.ofInts(2L * ROUNDS);
        Memory failed = Memory.ofLongs(1)) {
      boolean gpu = launcher.shapeFor(1 << 20).blockSize() > 1;
      long limit = gpu ? 1 << 12 : launcher instanceof JvmLauncher ? 1 << 10 : 1 << 15;
      Kernel kernel = program.on(words, payload, failed, limit << scope);
      launcher.start(kernel, LaunchShape.ofThreads(2), LaunchMode.CONCURRENT).join();
      launcher.readBack(payload, failed);
      return kernel instanceof BrokenSync.Lock
          ? 2L * LOCKED - ThreadInts.of(payload).get(0)
          : DeviceLongs.of(failed).get(0);
    }
  }

  /** In how many of some runs a mutant was found out; all that is asked for is one. */
  private static int found(Launcher launcher, Program program) {
    int found = 0;
    for (int run = 0; run < TRIES && found == 0; run++) {
      found += run(launcher, IMPATIENT, program) == 0 ? 0 : 1;
    }
    return found;
  }

  private static Program barrier(int flaw) {
    return (words, payload, failed, limit) -> {
      DeviceBarrier.init(DeviceInts.of(words), 0, 2);
      return new BrokenSync.Barrier(
          DeviceInts.of(words),
          ThreadInts.of(payload),
          DeviceLongs.of(failed),
          flaw,
          ROUNDS,
          limit);
    };
  }

  private static Program latch(int flaw) {
    return (words, payload, failed, limit) -> {
      for (int round = 0; round < ROUNDS; round++) {
        DeviceLatch.init(DeviceInts.of(words), (long) round * SyncLayout.WORDS, 2);
      }
      return new BrokenSync.Latch(
          DeviceInts.of(words),
          ThreadInts.of(payload),
          DeviceLongs.of(failed),
          flaw,
          ROUNDS,
          limit);
    };
  }

  private static Program lock(int flaw) {
    return (words, payload, failed, limit) ->
        new BrokenSync.Lock(DeviceInts.of(words), ThreadInts.of(payload), flaw, LOCKED, limit);
  }

  private static void mustBeFound(Program mutant, Program right) {
    try (TornadoLauncher device = device();
        JvmLauncher jvm = JvmLauncher.create()) {
      for (Launcher launcher : List.of(device, jvm)) {
        assertThat(run(launcher, PATIENT, right)).as("control on %s", launcher.device()).isZero();
        assertThat(found(launcher, mutant)).as("mutant on %s", launcher.device()).isPositive();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {BrokenSync.LATE_TOKEN, BrokenSync.LATE_RESET})
  void aBarrierWithItsStepsSwappedIsFoundOut(int flaw) {
    mustBeFound(barrier(flaw), barrier(BrokenSync.NONE));
  }

  @Test
  void aLatchCountedByLoadAndStoreIsFoundOut() {
    mustBeFound(latch(BrokenSync.CHECK_THEN_ACT), latch(BrokenSync.NONE));
  }

  @Test
  void aLockTakenByLoadAndStoreIsFoundOut() {
    mustBeFound(lock(BrokenSync.CHECK_THEN_ACT), lock(BrokenSync.NONE));
  }

  /** Weak mutants, which prove nothing where they are right by chance. */
  @Test
  void howOftenRelaxedOnesAreFoundOut() {
    try (TornadoLauncher device = device();
        JvmLauncher jvm = JvmLauncher.create()) {
      for (Launcher launcher : List.of(device, jvm)) {
        int barriers = 0;
        int latches = 0;
        for (int run = 0; run < WEAK_RUNS; run++) {
          barriers += run(launcher, WARY, barrier(BrokenSync.RELAXED)) == 0 ? 0 : 1;
          latches += run(launcher, WARY, latch(BrokenSync.RELAXED)) == 0 ? 0 : 1;
        }
        System.out.printf(
            "relaxed on %s: barrier found out in %d, latch in %d of %d runs of %d rounds%n",
            launcher.device().name(), barriers, latches, WEAK_RUNS, ROUNDS);
      }
    }
  }
}

package dev.gyre.kernels.sync.stress;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.sync.stress.SyncStress.Members;

/**
 * The stress programs at device scope.
 *
 * @param groupSize threads of a group
 * @param pollLimit polls after which a wait gives up
 */
record DeviceStressKernels(int groupSize, long pollLimit) implements StressKernels {

  @Override
  public Kernel barrier(
      Memory words,
      ThreadInts payload,
      ThreadInts orders,
      DeviceLongs report,
      int orderCount,
      int rounds,
      Members members) {
    return new DeviceBarrierStress(
        DeviceInts.of(words),
        payload,
        orders,
        report,
        groupSize,
        rounds,
        orderCount,
        members == Members.DROPPING ? 1 : 0,
        members == Members.SEVERAL_EACH ? 1 : 0,
        pollLimit);
  }

  @Override
  public Kernel latch(
      Memory words,
      ThreadInts payload,
      ThreadInts orders,
      DeviceLongs report,
      int orderCount,
      int rounds) {
    return new DeviceLatchStress(
        DeviceInts.of(words), payload, orders, report, groupSize, rounds, orderCount, pollLimit);
  }

  @Override
  public Kernel semaphore(
      Memory words, ThreadInts payload, DeviceLongs report, int rounds, int permits) {
    return new DeviceSemaphoreStress(
        DeviceInts.of(words), payload, report, groupSize, rounds, permits, pollLimit);
  }

  @Override
  public Kernel starvation(Memory words, DeviceLongs report, int rounds, int turns) {
    return new DeviceStarvation(DeviceInts.of(words), report, groupSize, rounds, turns, pollLimit);
  }
}

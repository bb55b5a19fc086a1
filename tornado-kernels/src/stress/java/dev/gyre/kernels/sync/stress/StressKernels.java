package dev.gyre.kernels.sync.stress;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.sync.stress.SyncStress.Members;

/** Makes the stress programs of one scope, of the memories that they work on. */
interface StressKernels {

  Kernel barrier(
      Memory words,
      ThreadInts payload,
      ThreadInts orders,
      DeviceLongs report,
      int orderCount,
      int rounds,
      Members members);

  Kernel latch(
      Memory words,
      ThreadInts payload,
      ThreadInts orders,
      DeviceLongs report,
      int orderCount,
      int rounds);

  Kernel semaphore(Memory words, ThreadInts payload, DeviceLongs report, int rounds, int permits);

  Kernel starvation(Memory words, DeviceLongs report, int rounds, int turns);
}

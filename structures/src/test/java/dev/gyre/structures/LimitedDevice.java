package dev.gyre.structures;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What passes for a device, and has so much memory: what is cleared there, or what a kernel uses,
 * takes of it until it is freed.
 */
public final class LimitedDevice extends ForwardingLauncher {

  private final long limit;
  private final Set<Memory> there = new HashSet<>();
  private long taken;

  public LimitedDevice(long limit) {
    super(JvmLauncher.ofWorkers(2), deviceOnJvm(2));
    this.limit = limit;
  }

  /** As devices do, fails as a launch for want of memory. */
  private void take(String kernel, List<Memory> memories) {
    try {
      take(memories);
    } catch (MemoryExhaustedException e) {
      throw new LaunchException(kernel, device(), String.valueOf(e.getMessage()), e);
    }
  }

  private synchronized void take(List<Memory> memories) {
    for (Memory memory : memories) {
      long bytes = memory.byteSize();
      if (!there.contains(memory)) {
        if (bytes > limit - taken) {
          throw new MemoryExhaustedException(
              "a device cannot allocate %d bytes: of %d bytes %d are taken"
                  .formatted(bytes, limit, taken),
              bytes,
              null);
        }
        memory.beforeFree(() -> giveBack(memory, bytes));
        there.add(memory);
        taken += bytes;
      }
    }
  }

  private synchronized void giveBack(Memory memory, long bytes) {
    if (there.remove(memory)) {
      taken -= bytes;
    }
  }

  @Override
  public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    take(kernel.name(), KernelTree.of(kernel).memories());
    return super.start(kernel, shape, mode);
  }

  @Override
  public void clear(Memory... memories) {
    take("clear", List.of(memories));
    super.clear(memories);
  }
}

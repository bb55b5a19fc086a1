package dev.gyre.bench.measure;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.kernels.map.region.CopyHalf;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies to a device from pinned memory, with nothing around them: what no call gets below that has
 * to bring as many bytes over the bus one way. What comes back goes the other way at the same time.
 */
record BusCopies(Launcher launcher) {

  private static final int WARMUPS = 3;

  /** Times of so many copies, in nanoseconds; none where the device has no pinned memory. */
  List<Long> nanos(long bytes, int runs) {
    List<Long> all = new ArrayList<>();
    try (Memory from = launcher.memory(MemoryKind.PINNED, bytes);
        Memory to = Memory.ofBytes(bytes)) {
      launcher.clear(to);
      // The next launch that uses a memory waits until it is there.
      CopyHalf waiting = new CopyHalf(ThreadLongs.of(to), 1);
      for (int run = -WARMUPS; run < runs; run++) {
        long start = System.nanoTime();
        launcher.prefetch(to, from, 0, bytes);
        launcher.run(waiting, launcher.shapeForEach(1));
        if (run >= 0) {
          all.add(System.nanoTime() - start);
        }
      }
    } catch (MemoryKindException e) {
      return List.of();
    }
    return all;
  }
}

package dev.gyre.structures.map.partition;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.map.partition.PartitionLevel;
import dev.gyre.structures.map.work.ScratchBuffer;
import dev.gyre.structures.map.work.Workers;
import java.util.List;

/**
 * Scratch memory of a partitioned insert, on a device only: the entries in the order of parents,
 * the same in the order of children, and the numbers of both levels, which are 0 before and after
 * each insert.
 */
public final class PartitionScratch extends ScratchBuffer {

  /** Largest number of bits that select a parent, or a child of it. */
  public static final int MAX_BITS = 8;

  public final DeviceLongs byParent;
  public final DeviceLongs byChild;
  public final DeviceInts numbers;
  private boolean made;

  /** Creates scratch memory for entries of {@code length} longs in all. */
  public PartitionScratch(int length, int workers) {
    super(
        length,
        workers,
        List.of(
            () -> Memory.ofLongs(length),
            () -> Memory.ofLongs(length),
            () -> Memory.ofInts(numbers())));
    this.byParent = DeviceLongs.of(more(0));
    this.byChild = DeviceLongs.of(more(1));
    this.numbers = DeviceInts.of(more(2));
  }

  private static long numbers() {
    return PartitionLevel.ints(MAX_BITS) + PartitionLevel.ints(2 * MAX_BITS);
  }

  /** Allocates the memory on the device, without a transfer. */
  public void make(Workers workers) {
    if (!made) {
      workers.clearOnDevice(List.of(numbers.memory(), byParent.memory(), byChild.memory()));
      made = true;
    }
  }

  /** Returns the numbers of both levels, as longs. */
  public ThreadLongs levelNumbers() {
    return ThreadLongs.of(numbers.memory());
  }

  /** Returns the number of longs of both levels. */
  public static long levelLongs() {
    return Math.ceilDiv(numbers(), Long.BYTES / Integer.BYTES);
  }
}

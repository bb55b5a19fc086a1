package dev.gyre.structures.map.region;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.map.region.Level;
import dev.gyre.structures.map.work.Scratch;
import dev.gyre.structures.map.work.Workers;
import java.util.List;

/**
 * Scratch memory of an insert by regions, on a device alone: the entries in the order of the
 * parents, the same in the order of their children, and what is known of both, which is 0 before
 * and after each insert.
 */
public final class RegionScratch extends Scratch {

  /** Most bits by which parents, and the children of each, are told apart. */
  public static final int MOST_BITS = 8;

  public final DeviceLongs byParent;
  public final DeviceLongs byChild;
  public final DeviceInts numbers;
  private boolean made;

  /** For entries of so many longs. */
  public RegionScratch(int length, int workers) {
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
    return Level.ints(MOST_BITS) + Level.ints(2 * MOST_BITS);
  }

  /** Has the device hold it, to which nothing is sent for that. */
  public void make(Workers workers) {
    if (!made) {
      workers.clearOnDevice(List.of(numbers.memory(), byParent.memory(), byChild.memory()));
      made = true;
    }
  }

  /** What is known of both, in longs. */
  public ThreadLongs known() {
    return ThreadLongs.of(numbers.memory());
  }

  /** How many longs those are. */
  public static long knownLongs() {
    return Math.ceilDiv(numbers(), Long.BYTES / Integer.BYTES);
  }
}

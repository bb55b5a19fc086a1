package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.BatchRange;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.structures.map.work.ScratchBuffer;
import dev.gyre.structures.map.work.TaskRange;
import java.util.Collections;

/** Scratch memory for the keys of a task of a bulk operation while device functions run. */
@IntSpecialized
public final class LongScratch extends ScratchBuffer {

  public final /* DeviceInts */ DeviceLongs keys;
  public final /* DeviceInts */ DeviceLongs values;

  /** Result of prefetching table memory, stored so that the reads are not removed. */
  public long warmed;

  /** Number of the hash range of each key of the batch, if keys were ordered. */
  public final char[] partitions;

  /** Keys of the batch in the given order, if they are ordered for the insert. */
  public final /* DeviceInts */ DeviceLongs given;

  public LongScratch(int length, int workers, boolean ordered) {
    super(length, workers, Collections.nCopies(ordered ? 3 : 2, () -> Memory.ofLongs(length)));
    this.given = /* DeviceInts */ DeviceLongs.of(more(ordered ? 2 : 0));
    this.keys = /* DeviceInts */ DeviceLongs.of(more(0));
    this.values = /* DeviceInts */ DeviceLongs.of(more(1));
    this.partitions = new char[ordered ? length : 0];
  }

  /** Creates a scratch over memory of the caller on a device, with the counters of another one. */
  public LongScratch(LongScratch lender, Memory keys, Memory values, Memory outcomes) {
    super(lender, outcomes);
    this.keys = /* DeviceInts */ DeviceLongs.of(keys);
    this.given = this.keys;
    this.values = /* DeviceInts */ DeviceLongs.of(values);
    this.partitions = lender.partitions;
  }

  /** Returns the batch for kernels. */
  public Batch batch() {
    return new Batch(Numbers.of(keys), Numbers.of(values), outcomes);
  }

  /** Returns the keys of a task for kernels. */
  public BatchRange range(DeviceLongs counters, TaskRange task) {
    return new BatchRange(keys, values, outcomes, counters, task.from(), task.to());
  }

  @Override
  public boolean holds(int keyCount, int workers, boolean ordered) {
    return super.holds(keyCount, workers, ordered) && (!ordered || partitions.length >= keyCount);
  }
}

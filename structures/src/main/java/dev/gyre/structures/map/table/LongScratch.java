package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntTwin;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.Portion;
import dev.gyre.structures.map.work.Scratch;
import dev.gyre.structures.map.work.Step;
import java.util.Collections;

/** Scratch memory where the keys of a step of a bulk operation are while device functions run. */
@IntTwin
public final class LongScratch extends Scratch {

  public final /* DeviceInts */ DeviceLongs keys;
  public final /* DeviceInts */ DeviceLongs values;

  /** Read from tables for the sake of the cache; kept so that the read is not left out. */
  public long warmed;

  /** The region of each key of the batch, if keys were put in their order. */
  public final char[] regions;

  /** The keys of the batch as they were given, if they are put in order to be inserted. */
  public final /* DeviceInts */ DeviceLongs given;

  public LongScratch(int length, int workers, boolean ordered) {
    super(length, workers, Collections.nCopies(ordered ? 3 : 2, () -> Memory.ofLongs(length)));
    this.given = /* DeviceInts */ DeviceLongs.of(more(ordered ? 2 : 0));
    this.keys = /* DeviceInts */ DeviceLongs.of(more(0));
    this.values = /* DeviceInts */ DeviceLongs.of(more(1));
    this.regions = new char[ordered ? length : 0];
  }

  /** Not scratch memory, but the caller's on a device; the counters are another one's. */
  public LongScratch(LongScratch lender, Memory keys, Memory values, Memory outcomes) {
    super(lender, outcomes);
    this.keys = /* DeviceInts */ DeviceLongs.of(keys);
    this.given = this.keys;
    this.values = /* DeviceInts */ DeviceLongs.of(values);
    this.regions = lender.regions;
  }

  /** For kernels. */
  public Batch batch() {
    return new Batch(Numbers.of(keys), Numbers.of(values), outcomes);
  }

  /** Keys of a step, for kernels. */
  public Portion portion(DeviceLongs counters, Step step) {
    return new Portion(keys, values, outcomes, counters, step.from(), step.to());
  }

  @Override
  public boolean holds(int keyCount, int workers, boolean ordered) {
    return super.holds(keyCount, workers, ordered) && (!ordered || regions.length >= keyCount);
  }
}

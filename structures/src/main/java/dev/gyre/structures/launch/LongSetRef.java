package dev.gyre.structures.launch;

import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.map.LongSet;

/**
 * A {@link LongSet} within a kernel: one key at a time, by each of its threads, side by side. It
 * comes from {@link LongSet#launch}, and is good for that launch. Outcomes as of {@link
 * LongMapRef}.
 */
@IntTwin
public record LongSetRef(TableRef table) {

  /** Adds a key: INSERTED, PRESENT, FULL or STUCK. */
  public int add(/* int */ long key) {
    return table.insert(key, key, MapCodes.KEEP);
  }

  /** Whether a key is there: FOUND, ABSENT or STUCK. */
  public int contains(/* int */ long key) {
    return table.contains(key);
  }
}

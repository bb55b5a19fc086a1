package dev.gyre.structures.launch;

import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.map.LongLongMap;

/**
 * A {@link LongLongMap} within a kernel: one key at a time, by each of its threads, side by side.
 * It comes from {@link LongLongMap#launch}, and is good for that launch.
 *
 * <p>Outcomes are numbers of {@link MapCodes}, since kernels know no others. STUCK is the outcome
 * of a key that waited too long for another thread; nothing was done for it, as for one that is
 * FULL.
 */
@IntTwin
public record LongMapRef(TableRef table) {

  /** Inserts a key unless it is there: INSERTED, PRESENT, FULL or STUCK. */
  public int insert(/* int */ long key, /* int */ long value) {
    return table.insert(key, value, MapCodes.KEEP);
  }

  /**
   * Inserts a key with its value, or changes the value of a key that is there to what a policy
   * makes of both, atomically: INSERTED, PRESENT, FULL or STUCK.
   *
   * @param policy {@link MapCodes#ADD}, {@link MapCodes#MIN}, {@link MapCodes#MAX}, {@link
   *     MapCodes#ASSIGN}, {@link MapCodes#AND}, {@link MapCodes#OR} or {@link MapCodes#XOR}
   */
  public int merge(/* int */ long key, /* int */ long value, int policy) {
    return table.insert(key, value, policy);
  }

  /**
   * The same with a function of the user's, a record that the kernel has or makes: by a
   * compare-and-exchange, which is tried again where another thread was faster.
   */
  public int merge(/* int */ long key, /* int */ long value, Fold fold) {
    return table.insert(key, value, new Change.Folding(fold));
  }

  /** Whether a key is there: FOUND, ABSENT or STUCK. */
  public int contains(/* int */ long key) {
    return table.contains(key);
  }

  /** Looks for a key: FOUND with its value, ABSENT or STUCK. */
  public TableRef.Found find(/* int */ long key) {
    return table.find(key);
  }
}

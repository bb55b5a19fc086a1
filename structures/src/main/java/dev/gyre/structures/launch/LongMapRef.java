package dev.gyre.structures.launch;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.atomics.Internal;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.map.LongLongMap;

/**
 * Gives the threads of a kernel access to a {@link LongLongMap}, one key at a time. {@link
 * LongLongMap#launch} creates it; it is valid for that launch only.
 *
 * <p>Outcomes are codes of {@link MapCodes}. STUCK means that the thread gave up waiting for
 * another thread. If a key is STUCK or FULL, nothing was done for it.
 *
 * @since 0.1.0
 */
@IntSpecialized(mixed = true)
public record LongMapRef(@Internal TableRef table) {
  @Internal
  public LongMapRef {}

  /** Inserts a key if it is absent; returns INSERTED, PRESENT, FULL or STUCK. */
  public int insert(/* int */ long key, /* int */ long value) {
    return table.insert(key, value, MapCodes.KEEP);
  }

  /**
   * Inserts a key with its value. If the key is present, the policy combines both values
   * atomically.
   *
   * @param policy {@link MapCodes#ADD}, {@link MapCodes#MIN}, {@link MapCodes#MAX}, {@link
   *     MapCodes#ASSIGN}, {@link MapCodes#AND}, {@link MapCodes#OR} or {@link MapCodes#XOR}
   * @return INSERTED, PRESENT, FULL or STUCK
   */
  public int merge(/* int */ long key, /* int */ long value, int policy) {
    return table.insert(key, value, policy);
  }

  /**
   * Inserts a key with its value. If the key is present, the user's function combines both values,
   * by a compare-and-exchange that is repeated while other threads change the value.
   *
   * @return INSERTED, PRESENT, FULL or STUCK
   */
  public int merge(/* int */ long key, /* int */ long value, Fold fold) {
    return table.insert(key, value, new Change.Folding(fold));
  }

  /**
   * Removes a key; returns FOUND with the value that it had, ABSENT or STUCK. Of several threads
   * that remove a key, one finds it.
   *
   * @throws UnsupportedOperationException on the JVM, if the map was built without {@link
   *     dev.gyre.structures.map.MapBuilder#removable}; a device then refuses the kernel
   */
  public TableRef.Found remove(/* int */ long key) {
    return table.remove(key);
  }

  /** Looks up a key; returns FOUND, ABSENT or STUCK. */
  public int contains(/* int */ long key) {
    return table.contains(key);
  }

  /** Looks up a key; returns FOUND with its value, ABSENT or STUCK. */
  public TableRef.Found find(/* int */ long key) {
    return table.find(key);
  }
}

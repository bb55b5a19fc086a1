package dev.gyre.structures.map.store;

import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import org.jspecify.annotations.Nullable;

/**
 * What a bulk operation is given.
 *
 * @param values of an insert; null if keys are looked up
 * @param change what becomes of the values of keys that are present, of an insert
 * @param found where values go that keys have, or had
 */
@IntTwin
record LongOperands(
    Longs keys, @Nullable Longs values, Change change, @Nullable Longs found, BulkOptions options) {

  /** Whether the keys are their own values. */
  @SuppressWarnings("ReferenceEquality") // those elements, not some like them
  boolean isSet() {
    return values == keys;
  }

  /** Options of the kernels that work on copies in scratch memory. */
  int flags() {
    if (values != null) {
      boolean outcomes = options.outcomes() != null || found != null;
      return (options.takeAll() ? 0 : MapCodes.MASKED) + (outcomes ? MapCodes.OUTCOMES : 0);
    }
    boolean chosen = options.entries() != null;
    return (options.isMasked() ? MapCodes.MASKED : 0)
        + (options.outcomes() != null || chosen ? MapCodes.OUTCOMES : 0)
        + (found != null || chosen ? MapCodes.VALUES : 0);
  }

  /** The same where they work on what the caller has on the device. */
  int flagsInPlace() {
    boolean outcomes = options.outcomes() != null;
    return values == null || found == null || outcomes ? flags() : flags() - MapCodes.OUTCOMES;
  }
}

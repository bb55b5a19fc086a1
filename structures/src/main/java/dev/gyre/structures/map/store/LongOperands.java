package dev.gyre.structures.map.store;

import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of a bulk operation.
 *
 * @param values values of an insert; null for a lookup
 * @param change how an insert changes the values of present keys
 * @param found destination of present values, or null
 */
@IntTwin
record LongOperands(
    Longs keys, @Nullable Longs values, Change change, @Nullable Longs found, BulkOptions options) {

  /** Returns whether the keys are their own values. */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  boolean isSet() {
    return values == keys;
  }

  /** Returns the options of kernels that work on copies in scratch memory. */
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

  /** Returns the options of kernels that work on memory of the caller on the device. */
  int flagsInPlace() {
    boolean outcomes = options.outcomes() != null;
    return values == null || found == null || outcomes ? flags() : flags() - MapCodes.OUTCOMES;
  }
}

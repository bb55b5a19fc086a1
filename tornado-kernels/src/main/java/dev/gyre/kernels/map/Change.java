package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ADD;
import static dev.gyre.kernels.map.MapCodes.AND;
import static dev.gyre.kernels.map.MapCodes.FOLD;
import static dev.gyre.kernels.map.MapCodes.MAX;
import static dev.gyre.kernels.map.MapCodes.MIN;
import static dev.gyre.kernels.map.MapCodes.OR;
import static dev.gyre.kernels.map.MapCodes.XOR;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.KernelTree;

/**
 * How an insert changes the value of a present key.
 *
 * @since 0.1.0
 */
@Internal
public sealed interface Change permits Change.None, Change.Policy, Change.Folding, RecordChange {

  /**
   * Returns a change by a user's function.
   *
   * @throws dev.gyre.kernels.KernelException if the function is not a record of handles and numbers
   */
  static Change of(Fold fold) {
    var _ = KernelTree.of(fold);
    return new Folding(fold);
  }

  /** Returns its code: KEEP to XOR, or FOLD. */
  int policy();

  /** Changes a value atomically, while other threads may change it too. */
  void change(Slots table, long slot, long key, Numbers values, long i);

  /** Returns the combination of two values, for every code except KEEP and FETCH. */
  long applied(long present, long given);

  /** Returns the combination of two values by a policy from ASSIGN on; ints are widened. */
  static long applied(long present, long given, int policy) {
    long result = given;
    if (policy == ADD) {
      result = present + given;
    }
    if (policy == MIN) {
      result = given < present ? given : present;
    }
    if (policy == MAX) {
      result = given > present ? given : present;
    }
    if (policy == AND) {
      result = present & given;
    }
    if (policy == OR) {
      result = present | given;
    }
    if (policy == XOR) {
      result = present ^ given;
    }
    return result;
  }

  /** KEEP as a constant of the compiled kernel. */
  record None() implements Change {
    @Override
    public int policy() {
      return MapCodes.KEEP;
    }

    @Override
    public void change(Slots table, long slot, long key, Numbers values, long i) {}

    @Override
    public long applied(long present, long given) {
      return present;
    }
  }

  /** A built-in operation, mostly of the hardware. */
  record Policy(int policy) implements Change {
    public static final Policy KEEP = new Policy(MapCodes.KEEP);
    public static final Policy FETCH = new Policy(MapCodes.FETCH);
    public static final Policy ASSIGN = new Policy(MapCodes.ASSIGN);

    @Override
    public void change(Slots table, long slot, long key, Numbers values, long i) {
      if (policy != MapCodes.KEEP) {
        table.update(slot, key, values, i, policy);
      }
    }

    @Override
    public long applied(long present, long given) {
      return Change.applied(present, given, policy);
    }
  }

  /** A user's function. Lock-free: a compare-and-exchange fails only if another one succeeded. */
  record Folding(Fold fold) implements Change {
    @Override
    public int policy() {
      return FOLD;
    }

    @Override
    public void change(Slots table, long slot, long key, Numbers values, long i) {
      long given = values.get(i);
      long before = table.present(slot);
      long seen = table.exchange(slot, key, before, fold.apply(before, given));
      while (seen != before) {
        before = seen;
        seen = table.exchange(slot, key, before, fold.apply(before, given));
      }
    }

    @Override
    public long applied(long present, long given) {
      return fold.apply(present, given);
    }
  }
}

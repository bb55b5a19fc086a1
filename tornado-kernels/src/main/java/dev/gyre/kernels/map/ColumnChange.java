package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ADD;
import static dev.gyre.kernels.map.MapCodes.ASSIGN;
import static dev.gyre.kernels.map.MapCodes.MAX;
import static dev.gyre.kernels.map.MapCodes.MIN;

import dev.gyre.atomics.DeviceDoubles;
import dev.gyre.atomics.DeviceFloats;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Internal;

/**
 * Change of one column of a present value.
 *
 * <p>It uses relaxed atomics of the column's type, which order nothing but themselves. Ints and
 * floats are in the first, lower half of their word. Device functions with separate branches,
 * because device compilers may mistranslate chains of conditions.
 *
 * @since 0.1.0
 */
@Internal
public interface ColumnChange {

  /**
   * Changes a value.
   *
   * @param to its word in the table
   * @param given rows of new values
   */
  void change(long to, Rows given, long row, int column);

  /** Keeps the value. */
  record Unchanged() implements ColumnChange {
    @Override
    public void change(long to, Rows given, long row, int column) {}
  }

  /** Ints, by a built-in operation, mostly of the hardware. */
  record OfInts(DeviceInts table, int policy) implements ColumnChange {
    @Override
    public void change(long to, Rows given, long row, int column) {
      IntValues.combine(table, 2 * to, (int) given.get(row, column), policy);
    }
  }

  /** Longs, by a built-in operation, mostly of the hardware. */
  record OfLongs(DeviceLongs table, int policy) implements ColumnChange {
    @Override
    public void change(long to, Rows given, long row, int column) {
      LongValues.combine(table, to, given.get(row, column), policy);
    }
  }

  /** Floats, by a built-in operation, mostly of the hardware. */
  record OfFloats(DeviceFloats table, int policy) implements ColumnChange {
    @Override
    public void change(long to, Rows given, long row, int column) {
      float value = Float.intBitsToFloat((int) given.get(row, column));
      if (policy == ASSIGN) {
        table.storeRelaxed(2 * to, value);
      }
      if (policy == ADD) {
        float _ = table.fetchAddRelaxed(2 * to, value);
      }
      if (policy == MIN) {
        float _ = table.fetchMinRelaxed(2 * to, value);
      }
      if (policy == MAX) {
        float _ = table.fetchMaxRelaxed(2 * to, value);
      }
    }
  }

  /** Doubles, by a built-in operation, mostly of the hardware. */
  record OfDoubles(DeviceDoubles table, int policy) implements ColumnChange {
    @Override
    public void change(long to, Rows given, long row, int column) {
      double value = Double.longBitsToDouble(given.get(row, column));
      if (policy == ASSIGN) {
        table.storeRelaxed(to, value);
      }
      if (policy == ADD) {
        double _ = table.fetchAddRelaxed(to, value);
      }
      if (policy == MIN) {
        double _ = table.fetchMinRelaxed(to, value);
      }
      if (policy == MAX) {
        double _ = table.fetchMaxRelaxed(to, value);
      }
    }
  }

  /** Ints, by a user's function; see {@link Change.Folding}. */
  record FoldedInts(DeviceInts table, Fold fold) implements ColumnChange {
    @Override
    public void change(long to, Rows given, long row, int column) {
      int value = (int) given.get(row, column);
      long at = 2 * to;
      int before = table.loadRelaxed(at);
      int after = (int) fold.apply(before, value);
      while (!table.compareAndSetRelaxed(at, before, after)) {
        before = table.loadRelaxed(at);
        after = (int) fold.apply(before, value);
      }
    }
  }

  /** Longs, by a user's function; see {@link Change.Folding}. */
  record FoldedLongs(DeviceLongs table, Fold fold) implements ColumnChange {
    @Override
    public void change(long to, Rows given, long row, int column) {
      long value = given.get(row, column);
      long at = to;
      long before = table.loadRelaxed(at);
      long after = fold.apply(before, value);
      while (!table.compareAndSetRelaxed(at, before, after)) {
        before = table.loadRelaxed(at);
        after = fold.apply(before, value);
      }
    }
  }

  /** Floats, by a user's function; see {@link Change.Folding}. */
  record FoldedFloats(DeviceFloats table, RealFold fold) implements ColumnChange {
    @Override
    public void change(long to, Rows given, long row, int column) {
      float value = Float.intBitsToFloat((int) given.get(row, column));
      long at = 2 * to;
      float before = table.loadRelaxed(at);
      float after = (float) fold.apply(before, value);
      while (!table.compareAndSetRelaxed(at, before, after)) {
        before = table.loadRelaxed(at);
        after = (float) fold.apply(before, value);
      }
    }
  }

  /** Doubles, by a user's function; see {@link Change.Folding}. */
  record FoldedDoubles(DeviceDoubles table, RealFold fold) implements ColumnChange {
    @Override
    public void change(long to, Rows given, long row, int column) {
      double value = Double.longBitsToDouble(given.get(row, column));
      long at = to;
      double before = table.loadRelaxed(at);
      double after = fold.apply(before, value);
      while (!table.compareAndSetRelaxed(at, before, after)) {
        before = table.loadRelaxed(at);
        after = fold.apply(before, value);
      }
    }
  }
}

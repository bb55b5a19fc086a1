package dev.gyre.kernels.group;

import dev.gyre.atomics.ThreadDoubles;
import dev.gyre.atomics.ThreadFloats;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;

/** Numbers of a batch, which no kernel changes. Device functions read them as words. */
public interface NumberColumn {

  /** Returns -1 if a number is null, otherwise 0. */
  default int ifNull(long row) {
    return 0;
  }

  /** Returns a key: equal numbers have equal words. A null is 0. */
  default long key(long row) {
    return value(row);
  }

  /** Returns a value that is not null: an integer, or the bits of a double. */
  long value(long row);

  /** Ints. */
  record Ints(ThreadInts numbers) implements NumberColumn {
    @Override
    public long value(long row) {
      return numbers.get(row);
    }
  }

  /** Longs. */
  record Longs(ThreadLongs numbers) implements NumberColumn {
    @Override
    public long value(long row) {
      return numbers.get(row);
    }
  }

  /** Floats. */
  record Floats(ThreadFloats numbers) implements NumberColumn {
    @Override
    public long key(long row) {
      return Reals.key(numbers.get(row));
    }

    @Override
    public long value(long row) {
      return Double.doubleToRawLongBits(numbers.get(row));
    }
  }

  /** Doubles. */
  record Doubles(ThreadDoubles numbers) implements NumberColumn {
    @Override
    public long key(long row) {
      return Reals.key(numbers.get(row));
    }

    @Override
    public long value(long row) {
      return Double.doubleToRawLongBits(numbers.get(row));
    }
  }

  /** Numbers of which some are null. */
  record Nullable(NumberColumn numbers, Validity valid) implements NumberColumn {
    @Override
    public int ifNull(long row) {
      return valid.ifNull(row);
    }

    @Override
    public long key(long row) {
      return numbers.key(row) & ~(long) ifNull(row);
    }

    @Override
    public long value(long row) {
      return numbers.value(row);
    }
  }
}

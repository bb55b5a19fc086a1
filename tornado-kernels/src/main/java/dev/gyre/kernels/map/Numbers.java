package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Handle;

/**
 * Numbers in a row, ints or longs, that device functions see as longs: an int is widened where it
 * is read, and cut off where it is written, so that a sum wraps around as its type does.
 *
 * <p>The order of an access is in its name, as in handles.
 */
public interface Numbers {

  long get(long index);

  void set(long index, long value);

  long loadRelaxed(long index);

  void storeRelaxed(long index, long value);

  void addRelaxed(long index, long operand);

  /** The smaller one is kept; signed. */
  void minRelaxed(long index, long operand);

  /** The larger one is kept; signed. */
  void maxRelaxed(long index, long operand);

  long loadSeqCst(long index);

  long compareAndExchangeRelaxed(long index, long expected, long desired);

  long compareAndExchangeSeqCst(long index, long expected, long desired);

  /** Replaces a number by what a policy makes of it and of another; returns the one before. */
  long updateSeqCst(long index, long operand, int policy);

  /** The hash of a key of this type, cut off or widened. */
  long hash(long key, long seed);

  /** The slot where the search for a hash begins. */
  long home(long hash, long slots);

  /** The numbers of a handle. */
  static Numbers of(Handle handle) {
    if (handle instanceof DeviceInts ints) {
      return new Ints(ints);
    }
    if (handle instanceof DeviceLongs longs) {
      return new Longs(longs);
    }
    throw new IllegalArgumentException("neither ints nor longs at device scope: " + handle);
  }

  /** Ints. */
  record Ints(DeviceInts row) implements Numbers {
    @Override
    public long get(long index) {
      return row.get(index);
    }

    @Override
    public void set(long index, long value) {
      row.set(index, (int) value);
    }

    @Override
    public long loadRelaxed(long index) {
      return row.loadRelaxed(index);
    }

    @Override
    public void storeRelaxed(long index, long value) {
      row.storeRelaxed(index, (int) value);
    }

    @Override
    public void addRelaxed(long index, long operand) {
      int _ = row.fetchAddRelaxed(index, (int) operand);
    }

    @Override
    public void minRelaxed(long index, long operand) {
      int _ = row.fetchMinRelaxed(index, (int) operand);
    }

    @Override
    public void maxRelaxed(long index, long operand) {
      int _ = row.fetchMaxRelaxed(index, (int) operand);
    }

    @Override
    public long loadSeqCst(long index) {
      return row.loadSeqCst(index);
    }

    @Override
    public long compareAndExchangeRelaxed(long index, long expected, long desired) {
      return row.compareAndExchangeRelaxed(index, (int) expected, (int) desired);
    }

    @Override
    public long compareAndExchangeSeqCst(long index, long expected, long desired) {
      return row.compareAndExchangeSeqCst(index, (int) expected, (int) desired);
    }

    @Override
    public long updateSeqCst(long index, long operand, int policy) {
      return switch (policy) {
        case MapCodes.ADD -> row.fetchAddSeqCst(index, (int) operand);
        case MapCodes.MIN -> row.fetchMinSeqCst(index, (int) operand);
        case MapCodes.MAX -> row.fetchMaxSeqCst(index, (int) operand);
        default -> row.exchangeSeqCst(index, (int) operand);
      };
    }

    @Override
    public long hash(long key, long seed) {
      return Hashing.hash((int) key, seed);
    }

    @Override
    public long home(long hash, long slots) {
      return Hashing.homeOf((int) hash, slots);
    }
  }

  /** Longs. */
  record Longs(DeviceLongs row) implements Numbers {
    @Override
    public long get(long index) {
      return row.get(index);
    }

    @Override
    public void set(long index, long value) {
      row.set(index, value);
    }

    @Override
    public long loadRelaxed(long index) {
      return row.loadRelaxed(index);
    }

    @Override
    public void storeRelaxed(long index, long value) {
      row.storeRelaxed(index, value);
    }

    @Override
    public void addRelaxed(long index, long operand) {
      long _ = row.fetchAddRelaxed(index, operand);
    }

    @Override
    public void minRelaxed(long index, long operand) {
      long _ = row.fetchMinRelaxed(index, operand);
    }

    @Override
    public void maxRelaxed(long index, long operand) {
      long _ = row.fetchMaxRelaxed(index, operand);
    }

    @Override
    public long loadSeqCst(long index) {
      return row.loadSeqCst(index);
    }

    @Override
    public long compareAndExchangeRelaxed(long index, long expected, long desired) {
      return row.compareAndExchangeRelaxed(index, expected, desired);
    }

    @Override
    public long compareAndExchangeSeqCst(long index, long expected, long desired) {
      return row.compareAndExchangeSeqCst(index, expected, desired);
    }

    @Override
    public long updateSeqCst(long index, long operand, int policy) {
      return switch (policy) {
        case MapCodes.ADD -> row.fetchAddSeqCst(index, operand);
        case MapCodes.MIN -> row.fetchMinSeqCst(index, operand);
        case MapCodes.MAX -> row.fetchMaxSeqCst(index, operand);
        default -> row.exchangeSeqCst(index, operand);
      };
    }

    @Override
    public long hash(long key, long seed) {
      return Hashing.hash(key, seed);
    }

    @Override
    public long home(long hash, long slots) {
      return Hashing.homeOf(hash, slots);
    }
  }
}

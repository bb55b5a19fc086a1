package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Handle;

/**
 * Numbers of a batch, ints or longs, that device functions see as longs: an int is widened where it
 * is read, and cut off where it is written.
 */
public interface Numbers {

  long get(long index);

  void set(long index, long value);

  /** The same, as {@link Slots#copy}. */
  Numbers copy();

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
    public Numbers copy() {
      return new Ints(row);
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
    public Numbers copy() {
      return new Longs(row);
    }
  }
}

package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Handle;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;

/**
 * Numbers of a batch, ints or longs, that device functions see as longs: an int is widened where it
 * is read, and cut off where it is written. Each of them is one device thread's while a kernel
 * runs, so that they may be wherever a device reaches them.
 */
public interface Numbers {

  long get(long index);

  void set(long index, long value);

  /** The same, as {@link Slots#copy}. */
  Numbers copy();

  /** The numbers in the memory of a handle. */
  static Numbers of(Handle handle) {
    return switch (handle) {
      case DeviceInts ints -> new Ints(ThreadInts.of(ints.memory()));
      case DeviceLongs longs -> new Longs(ThreadLongs.of(longs.memory()));
      default ->
          throw new IllegalArgumentException("neither ints nor longs at device scope: " + handle);
    };
  }

  /** Ints. */
  record Ints(ThreadInts row) implements Numbers {
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
  record Longs(ThreadLongs row) implements Numbers {
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

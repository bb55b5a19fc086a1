package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Handle;
import dev.gyre.atomics.Internal;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;

/**
 * Numbers of a batch, ints or longs, which device functions see as longs. An int is widened when it
 * is read and truncated when it is written. Only one device thread accesses each element while a
 * kernel runs.
 *
 * @since 0.1.0
 */
@Internal
public interface Numbers {

  long get(long index);

  void set(long index, long value);

  /** Returns a copy of this record; see {@link Slots#copy}. */
  Numbers copy();

  /** Returns the numbers in the memory of a handle. */
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

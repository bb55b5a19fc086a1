package dev.gyre.kernels.map.region;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.atomics.Unsigned;
import dev.gyre.kernels.map.Numbers;

/** Entries side by side in memory of the device, on their way there through a block's memory. */
public interface Pairs extends Entries {

  /** Writes an entry to a place of the block's. */
  void stage(SharedLongs block, int at, long key, long value);

  /** The key of a place of the block's. */
  long staged(SharedLongs block, int at);

  /** Copies the entry of a place of the block's. */
  void copy(SharedLongs block, int at, long to);

  @Override
  default boolean takes(long i) {
    return true;
  }

  /** The keys alone, of ints. */
  record Keys(DeviceLongs words) implements Numbers {
    @Override
    public long get(long index) {
      return words.get(index) >> 32;
    }

    @Override
    public void set(long index, long value) {
      words.set(index, (value << 32) | Unsigned.toLong((int) words.get(index)));
    }

    @Override
    public Numbers copy() {
      return new Keys(words);
    }
  }

  /** The values alone, of ints. */
  record Values(DeviceLongs words) implements Numbers {
    @Override
    public long get(long index) {
      return (int) words.get(index);
    }

    @Override
    public void set(long index, long value) {
      words.set(index, (words.get(index) >> 32 << 32) | Unsigned.toLong((int) value));
    }

    @Override
    public Numbers copy() {
      return new Values(words);
    }
  }

  /** Of ints: a key above its value. */
  record OfInts(DeviceLongs words) implements Pairs {

    static long word(long key, long value) {
      return (key << 32) | Unsigned.toLong((int) value);
    }

    static long keyOf(long word) {
      return word >> 32;
    }

    static long valueOf(long word) {
      return (int) word;
    }

    @Override
    public void stage(SharedLongs block, int at, long key, long value) {
      block.set(at, word(key, value));
    }

    @Override
    public long staged(SharedLongs block, int at) {
      return block.get(at) >> 32;
    }

    @Override
    public void copy(SharedLongs block, int at, long to) {
      words.set(to, block.get(at));
    }

    @Override
    public long key(long i) {
      return words.get(i) >> 32;
    }

    @Override
    public long value(long i) {
      return (int) words.get(i);
    }
  }
}

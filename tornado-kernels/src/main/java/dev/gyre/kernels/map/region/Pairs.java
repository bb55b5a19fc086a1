package dev.gyre.kernels.map.region;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.atomics.Unsigned;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Numbers;

/** Entries side by side in memory of the device, on their way there through a block's memory. */
public interface Pairs extends Entries {

  /** Writes an entry to a place of the block's. */
  void stage(SharedLongs block, int at, long key, long value);

  /** The key of a place of the block's. */
  long staged(SharedLongs block, int at);

  /** The same beside threads that {@link #fold} values. */
  long stagedRelaxed(SharedLongs block, int at);

  /** The value of a place of the block's. */
  long stagedValue(SharedLongs block, int at);

  /** Makes of the value of a place of the block's, and of another one, what a change says. */
  void fold(SharedLongs block, int at, long value, Change change);

  /** Copies the entry of a place of the block's. */
  void copy(SharedLongs block, int at, long to);

  /** Writes an entry. */
  void set(long to, long key, long value);

  @Override
  default boolean takes(long i) {
    return true;
  }

  /** The values alone, in place of those of a batch. */
  record Values(Pairs pairs) implements Numbers {
    @Override
    public long get(long index) {
      return pairs.value(index);
    }

    @Override
    public void set(long index, long value) {
      pairs.set(index, pairs.key(index), value);
    }

    @Override
    public Numbers copy() {
      return new Values(pairs);
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
    public long stagedRelaxed(SharedLongs block, int at) {
      // relaxed: the key in a word never changes
      return block.loadRelaxed(at) >> 32;
    }

    @Override
    public long stagedValue(SharedLongs block, int at) {
      return (int) block.get(at);
    }

    @Override
    public void fold(SharedLongs block, int at, long value, Change change) {
      long before = block.loadRelaxed(at);
      boolean done = false;
      while (!done) {
        long after = word(before >> 32, change.applied(valueOf(before), value));
        // relaxed: a barrier comes before it is read
        long seen = block.compareAndExchangeRelaxed(at, before, after);
        done = seen == before;
        before = seen;
      }
    }

    @Override
    public void copy(SharedLongs block, int at, long to) {
      words.set(to, block.get(at));
    }

    @Override
    public void set(long to, long key, long value) {
      words.set(to, word(key, value));
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

  /** Of longs: a key, and its value after it. */
  record OfLongs(DeviceLongs words) implements Pairs {

    @Override
    public void stage(SharedLongs block, int at, long key, long value) {
      block.set(2L * at, key);
      block.set(2L * at + 1, value);
    }

    @Override
    public long staged(SharedLongs block, int at) {
      return block.get(2L * at);
    }

    /** Keys are in words of their own. */
    @Override
    public long stagedRelaxed(SharedLongs block, int at) {
      return block.get(2L * at);
    }

    @Override
    public long stagedValue(SharedLongs block, int at) {
      return block.get(2L * at + 1);
    }

    @Override
    public void fold(SharedLongs block, int at, long value, Change change) {
      long before = block.loadRelaxed(2L * at + 1);
      boolean done = false;
      while (!done) {
        long after = change.applied(before, value);
        // relaxed: a barrier comes before it is read
        long seen = block.compareAndExchangeRelaxed(2L * at + 1, before, after);
        done = seen == before;
        before = seen;
      }
    }

    @Override
    public void copy(SharedLongs block, int at, long to) {
      words.set(2 * to, block.get(2L * at));
      words.set(2 * to + 1, block.get(2L * at + 1));
    }

    @Override
    public void set(long to, long key, long value) {
      words.set(2 * to, key);
      words.set(2 * to + 1, value);
    }

    @Override
    public long key(long i) {
      return words.get(2 * i);
    }

    @Override
    public long value(long i) {
      return words.get(2 * i + 1);
    }
  }
}

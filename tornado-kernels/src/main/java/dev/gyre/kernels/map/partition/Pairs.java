package dev.gyre.kernels.map.partition;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.atomics.Unsigned;
import dev.gyre.kernels.map.Numbers;

/** Entries in device memory, which blocks write through shared memory. */
public interface Pairs extends Entries {

  /** Returns the memory of the entries. */
  DeviceLongs words();

  /** Returns the number of longs of an entry. */
  int longs();

  /** Writes an entry to a place in shared memory. */
  void stage(SharedLongs block, int at, long key, long value);

  /** Returns the key at a place in shared memory. */
  long staged(SharedLongs block, int at);

  /** Writes an entry. */
  void set(long i, long key, long value);

  /** Returns the first long of an entry. */
  long word(long i);

  /** Returns the second long of an entry; 0 if it has one. */
  long companion(long i);

  /** Returns the key of an entry that was read. */
  long keyIn(long word);

  /** Returns the value of an entry that was read. */
  long valueIn(long word, long companion);

  @Override
  default boolean takes(long i) {
    return true;
  }

  @Override
  default long key(long i) {
    return keyIn(word(i));
  }

  @Override
  default long value(long i) {
    return valueIn(word(i), companion(i));
  }

  /** The keys. */
  record Keys(Pairs pairs) implements Numbers {
    @Override
    public long get(long index) {
      return pairs.key(index);
    }

    @Override
    public void set(long index, long value) {
      pairs.set(index, value, pairs.value(index));
    }

    @Override
    public Numbers copy() {
      return new Keys(pairs);
    }
  }

  /** The values. */
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

  /** Entries of ints: a key above its value. */
  record OfInts(DeviceLongs words) implements Pairs {

    static long word(long key, long value) {
      return (key << 32) | Unsigned.toLong((int) value);
    }

    @Override
    public void stage(SharedLongs block, int at, long key, long value) {
      block.set(at, word(key, value));
    }

    @Override
    public long staged(SharedLongs block, int at) {
      return keyIn(block.get(at));
    }

    @Override
    public int longs() {
      return 1;
    }

    @Override
    public void set(long i, long key, long value) {
      words.set(i, word(key, value));
    }

    @Override
    public long word(long i) {
      return words.get(i);
    }

    @Override
    public long companion(long i) {
      return 0;
    }

    @Override
    public long keyIn(long word) {
      return word >> 32;
    }

    @Override
    public long valueIn(long word, long companion) {
      return (int) word;
    }
  }

  /** Entries of longs: a key followed by its value. */
  record OfLongs(DeviceLongs words) implements Pairs {

    @Override
    public int longs() {
      return 2;
    }

    @Override
    public void stage(SharedLongs block, int at, long key, long value) {
      block.set(2L * at, key);
      block.set(2L * at + 1, value);
    }

    @Override
    public long staged(SharedLongs block, int at) {
      return block.get(2L * at);
    }

    @Override
    public void set(long i, long key, long value) {
      words.set(2 * i, key);
      words.set(2 * i + 1, value);
    }

    @Override
    public long word(long i) {
      return words.get(2 * i);
    }

    @Override
    public long companion(long i) {
      return words.get(2 * i + 1);
    }

    @Override
    public long value(long i) {
      return companion(i);
    }

    @Override
    public long keyIn(long word) {
      return word;
    }

    @Override
    public long valueIn(long word, long companion) {
      return companion;
    }
  }
}

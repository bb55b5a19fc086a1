package dev.gyre.bench.map;

import dev.gyre.bench.map.Rival.Use;
import java.util.List;

/**
 * A map that is measured: ours, or another that Java programs use.
 *
 * @param <A> arrays of its keys and values: {@code long[]} or {@code int[]}
 */
public interface RivalMap<A> extends AutoCloseable {

  /** Keys and values. */
  enum KeyType {
    INT(Use.INTS),
    LONG(Use.LONGS);

    private final Use use;

    KeyType(Use use) {
      this.use = use;
    }

    /** Returns the maps for such keys. */
    public List<Rival> rivals() {
      return Rival.of(use);
    }
  }

  /**
   * How a map is made.
   *
   * @param capacity keys that the map has slots for
   * @param loadFactor keys per slot; maps without such a setting take their own
   * @param threads that operations use
   */
  record Setup(int capacity, double loadFactor, int threads) {}

  /**
   * Makes a map for longs.
   *
   * @throws IllegalArgumentException if none exists, or if it does not support that number of
   *     threads
   */
  static RivalMap<long[]> ofLongs(Rival rival, Setup setup) {
    rival.require(Use.LONGS, setup.threads());
    return new LongMaps(rival, setup);
  }

  /** {@link #ofLongs} for ints. */
  static RivalMap<int[]> ofInts(Rival rival, Setup setup) {
    rival.require(Use.INTS, setup.threads());
    return new IntMaps(rival, setup);
  }

  /** Makes the map empty; not measured. */
  void empty();

  /** Replaces the map by a new one that does not know the number of keys; not measured. */
  void renew();

  /** Inserts all keys that are absent, in bulk if the map can; returns how many were new. */
  long insert(A keys, A values);

  /** Looks up all keys, in bulk if the map can; writes values or 0, returns how many were found. */
  long find(A keys, A found);

  /** Adds to the value of each key, an absent key having 0; returns how many keys were new. */
  long add(A keys, A values);

  /** Does what {@link #insert} does by one call for each key. */
  long put(A keys, A values);

  /** Does what {@link #find} does by one call for each key. */
  long get(A keys, A found);

  /** Finds 19 keys by one call each, then adds 0 to the value of the next; returns how many hit. */
  long mixed(A keys, A found);

  /** Returns the sum of all values, visited in the way the map offers. */
  long sum();

  /** Returns the bytes that the map has outside the heap. */
  default long bytesOutside() {
    return 0;
  }

  @Override
  void close();

  /** A running sum, for visitors that are lambdas. */
  final class Sum {
    long total;

    void add(long value) {
      total += value;
    }
  }
}

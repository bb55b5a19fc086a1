package dev.gyre.bench.map;

/**
 * A map that is measured: ours, or another that Java programs use.
 *
 * @param <A> arrays of its keys and values: {@code long[]} or {@code int[]}
 */
public interface RivalMap<A> extends AutoCloseable {

  /** Makes the map empty, with capacity for all keys; not measured. */
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

package dev.gyre.bench.map;

/**
 * A map that is measured: ours, or one of those that its users would take.
 *
 * @param <A> arrays of its keys and values: {@code long[]} or {@code int[]}
 */
public interface RivalMap<A> extends AutoCloseable {

  /** Makes the map empty, with room for all keys; not measured. */
  void empty();

  /** Inserts all keys that are not there, and returns how many were new. */
  long insert(A keys, A values);

  /** Looks up all keys, writes their values or 0, and returns how many were there. */
  long find(A keys, A found);

  /**
   * Adds a value to that of each key, a key that is not there having 0; returns how many were new.
   */
  long add(A keys, A values);

  /** The sum of all values, to which each entry comes in the way that users go through a map. */
  long sum();

  /** What values come to, one after the other. */
  final class Sum {
    long total;

    void add(long value) {
      total += value;
    }
  }

  /** Makes the map a new one, which has been told nothing of how many keys there will be. */
  default void renew() {
    drop();
  }

  /** Bytes outside the heap. */
  default long bytesOutside() {
    return 0;
  }

  /** Gives memory back; the map may be made empty again. */
  void drop();

  @Override
  void close();
}

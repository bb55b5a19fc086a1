package dev.gyre.bench.map;

/**
 * A set whose memory is measured, or a map with values that do not matter.
 *
 * @param <A> some of its keys: {@code long[]}, {@code int[]} or strings
 */
public interface RivalSet<A> extends AutoCloseable {

  /** Adds all keys, and returns how many were new. */
  long add(A keys);

  /** Bytes outside the heap. */
  default long bytesOutside() {
    return 0;
  }

  @Override
  default void close() {}
}

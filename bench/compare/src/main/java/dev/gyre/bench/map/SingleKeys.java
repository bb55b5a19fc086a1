package dev.gyre.bench.map;

/**
 * A map whose keys may be worked on one at a time, from several threads; each method does so with
 * those from one (inclusive) to another (exclusive).
 *
 * @param <A> arrays of its keys and values: {@code long[]} or {@code int[]}
 */
public interface SingleKeys<A> extends RivalMap<A> {

  /** As {@link #insert}. */
  long insertEach(A keys, A values, int from, int to);

  /** As {@link #find}; no value is 0. */
  long findEach(A keys, A found, int from, int to);

  /** As {@link #add}; how many were new is for the map to say. */
  long addEach(A keys, A values, int from, int to);
}

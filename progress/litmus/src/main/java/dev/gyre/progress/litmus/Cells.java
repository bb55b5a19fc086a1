package dev.gyre.progress.litmus;

import dev.gyre.atomics.ThreadInts;

/**
 * Words of many instances of a litmus program, initially 0, and what its threads saw.
 *
 * @param words three words x, y and z per instance: {@code 3 * instances * pad} ints
 * @param results {@link LitmusCodes#REGISTERS} ints per instance
 * @param instances number of instances
 * @param pad ints from the word of one instance to that of the next
 */
public record Cells(Words words, ThreadInts results, long instances, int pad) {

  /** Returns the index of word x of an instance. */
  long x(long instance) {
    return instance * pad;
  }

  /** Returns the index of word y of an instance. */
  long y(long instance) {
    return (instances + instance) * pad;
  }

  /** Returns the index of word z of an instance. */
  long z(long instance) {
    return (2 * instances + instance) * pad;
  }

  /** Stores what a thread saw in a register of an instance. */
  void keep(long instance, int register, int seen) {
    results.set(register * instances + instance, seen);
  }
}

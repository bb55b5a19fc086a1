package dev.gyre.kernels.litmus;

import dev.gyre.atomics.ThreadInts;

/**
 * The words of many instances of a litmus program, which are 0 as it begins, and what its threads
 * saw.
 *
 * @param words three words x, y and z per instance: {@code 3 * instances * pad} ints
 * @param results {@link LitmusCodes#REGISTERS} ints per instance
 * @param instances number of instances
 * @param pad ints from one instance's word to the next one's
 */
public record Cells(Words words, ThreadInts results, long instances, int pad) {

  /** Where an instance has its word x. */
  long x(long instance) {
    return instance * pad;
  }

  /** Where an instance has its word y. */
  long y(long instance) {
    return (instances + instance) * pad;
  }

  /** Where an instance has its word z. */
  long z(long instance) {
    return (2 * instances + instance) * pad;
  }

  /** Keeps what was seen in a register of an instance. */
  void keep(long instance, int register, int seen) {
    results.set(register * instances + instance, seen);
  }
}

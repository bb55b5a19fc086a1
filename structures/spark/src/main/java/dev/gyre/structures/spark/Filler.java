package dev.gyre.structures.spark;

import dev.gyre.atomics.MemoryExhaustedException;

/**
 * Structure that is filled from the elements of a partition, in batches, within a memory limit.
 *
 * <p>Before each batch it computes an upper bound of the memory that the structure will need. A
 * growing structure takes less than twice what it needs, plus its old memory during the growth. If
 * the bound exceeds the limit, the content is written out first.
 */
abstract class Filler implements AutoCloseable {

  /** Receiver of the entries of a structure. */
  interface Entries {
    /**
     * Receives the next entry in key order.
     *
     * @param key array that begins with the key; it is reused
     */
    void add(byte[] key, int length, long value);
  }

  private static final int GROWN = 3;

  private final long memory;
  private final Runnable full;

  /**
   * Creates an empty filler.
   *
   * @param memory largest number of bytes off-heap
   * @param full calls {@link #drain}
   */
  Filler(long memory, Runnable full) {
    this.memory = memory;
    this.full = full;
  }

  /** Adds an element. */
  abstract void add(Rows row);

  /** Counts the batch. */
  abstract void flush();

  /** Returns the bytes of the entries in the structure. */
  abstract long held();

  /** Returns the bytes in use outside the structure. */
  abstract long overheadBytes();

  abstract boolean isEmpty();

  /** Passes all entries in key order to a receiver, and removes them. */
  abstract void drain(Entries to);

  /**
   * Makes sure that a batch fits.
   *
   * @param most largest number of bytes that it can add to the structure
   * @throws MemoryExhaustedException if the memory is not available
   */
  final void require(long most) {
    if (needed(most) > memory && !isEmpty()) {
      full.run();
    }
    long needed = needed(most);
    if (needed > memory) {
      throw new MemoryExhaustedException(
          ("a task has %d bytes of off-heap memory, and one element, or a word of it, may need %d:"
                  + " give it more by spark.memory.offHeap.size, SparkOptions.memoryPerTask, or"
                  + " fewer tasks at a time")
              .formatted(memory, needed),
          needed,
          null);
    }
  }

  /** Returns the bytes that a batch can add before the structure is full. */
  final long free() {
    return (memory - overheadBytes()) / GROWN - held();
  }

  private long needed(long most) {
    return GROWN * (held() + most) + overheadBytes();
  }

  /** Returns the largest size of a batch of text or keys for a memory limit, in bytes. */
  static int batchBytes(long memory, long mostPerByte, int least, int most) {
    long fits = Long.highestOneBit(memory / (2 * GROWN * mostPerByte));
    return Math.clamp(fits, least, most);
  }

  @Override
  public abstract void close();
}

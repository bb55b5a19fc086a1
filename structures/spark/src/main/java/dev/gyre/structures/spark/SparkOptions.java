package dev.gyre.structures.spark;

import dev.gyre.kernels.trie.Alphabet;
import java.io.Serial;
import java.io.Serializable;
import java.util.Objects;

/**
 * Settings of a count on Spark. Immutable: start with {@link #DEFAULTS}.
 *
 * @param alphabet letters of words; {@link Alphabet#ASCII_LETTERS} by default
 * @param pieces number of pieces into which results are cut by the hash of their keys, and of tasks
 *     that merge them. The default 0 means one per core of Spark, at most the number of partitions
 * @param memoryPerTask largest number of off-heap bytes of a task's structure, out of its share of
 *     {@code spark.memory.offHeap.size}, and of bytes of runs that a merging task holds on the
 *     heap. The default 0 means half of the task's share
 * @since 0.1.0
 */
public record SparkOptions(Alphabet alphabet, int pieces, long memoryPerTask)
    implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  /** The default settings. */
  public static final SparkOptions DEFAULTS = new SparkOptions(Alphabet.ASCII_LETTERS, 0, 0);

  /** Checks the settings. */
  public SparkOptions {
    Objects.requireNonNull(alphabet, "alphabet");
    if (pieces < 0) {
      throw new IllegalArgumentException("pieces must not be negative: " + pieces);
    }
    if (memoryPerTask < 0) {
      throw new IllegalArgumentException("memory must not be negative: " + memoryPerTask);
    }
  }

  /** Returns these settings with another alphabet. */
  public SparkOptions withAlphabet(Alphabet letters) {
    return new SparkOptions(letters, pieces, memoryPerTask);
  }

  /** Returns these settings with another number of pieces. */
  public SparkOptions withPieces(int count) {
    return new SparkOptions(alphabet, count, memoryPerTask);
  }

  /** Returns these settings with another memory per task. */
  public SparkOptions withMemoryPerTask(long bytes) {
    return new SparkOptions(alphabet, pieces, bytes);
  }
}

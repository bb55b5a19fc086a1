package dev.gyre.structures.spark;

import dev.gyre.kernels.trie.Alphabet;
import java.io.Serial;
import java.io.Serializable;
import java.util.Objects;

/**
 * Settings of a count on Spark. Each method returns other settings.
 *
 * @param alphabet what the letters of words are; {@link Alphabet#ASCII_LETTERS} unless set
 * @param pieces into how many pieces results are cut by the hash of their keys, which is how many
 *     tasks merge them; 0, the default, for one for each core that Spark has, but no more than the
 *     partitions that are counted
 * @param memoryPerTask most bytes off-heap that a task's structure may take, of what {@code
 *     spark.memory.offHeap.size} gives the task, and most bytes of runs on the heap that a task
 *     holds to merge them; 0, the default, for half of the task's share of that size
 */
public record SparkOptions(Alphabet alphabet, int pieces, long memoryPerTask)
    implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  /** What is taken where nothing is said. */
  public static final SparkOptions DEFAULTS = new SparkOptions(Alphabet.ASCII_LETTERS, 0, 0);

  /** Checks them. */
  public SparkOptions {
    Objects.requireNonNull(alphabet, "alphabet");
    if (pieces < 0) {
      throw new IllegalArgumentException("pieces must not be negative: " + pieces);
    }
    if (memoryPerTask < 0) {
      throw new IllegalArgumentException("memory must not be negative: " + memoryPerTask);
    }
  }

  /** The same with another alphabet. */
  public SparkOptions withAlphabet(Alphabet letters) {
    return new SparkOptions(letters, pieces, memoryPerTask);
  }

  /** The same with another number of pieces. */
  public SparkOptions withPieces(int count) {
    return new SparkOptions(alphabet, count, memoryPerTask);
  }

  /** The same with another memory of a task. */
  public SparkOptions withMemoryPerTask(long bytes) {
    return new SparkOptions(alphabet, pieces, bytes);
  }
}

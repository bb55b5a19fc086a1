package dev.gyre.structures.spark;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.TextLongMap;
import java.io.Serial;
import java.io.Serializable;
import org.apache.spark.sql.types.DataType;

/**
 * What keys are, and the structures that hold them.
 *
 * @param <K> a key outside of structures
 * @param <M> the structure
 */
public abstract sealed class KeyType<K, M extends AutoCloseable> implements Serializable
    permits LongKeys, TextKeyType, WordKeys {
  @Serial private static final long serialVersionUID = 1L;

  /** Keys that are longs; every long is one. */
  public static KeyType<Long, LongLongMap> longs() {
    return new LongKeys();
  }

  /** Keys that are texts, each as a whole. */
  public static KeyType<String, TextLongMap> texts() {
    return new TextKeyType();
  }

  /** The words of texts. */
  static WordKeys words(Alphabet alphabet) {
    return new WordKeys(alphabet);
  }

  /** The type of a column of keys. */
  abstract DataType dataType();

  /** The key of a run's entry. */
  abstract K key(byte[] bytes, int length);

  /** A key that is a text, in UTF-8. */
  byte[] utf8(K key) {
    throw new UnsupportedOperationException("no text: " + key);
  }

  /** A key that is a number. */
  long number(K key) {
    throw new UnsupportedOperationException("no number: " + key);
  }

  /**
   * An empty structure for a task.
   *
   * @param memory most bytes off-heap
   * @param full has it drained
   */
  abstract Filler filler(Fold fold, Launcher launcher, long memory, Runnable full);

  /** A structure with the entries of a run. */
  abstract M gather(RunReader run);
}

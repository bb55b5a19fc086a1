package dev.gyre.structures.spark;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.TextLongMap;
import java.io.Serial;
import java.io.Serializable;
import org.apache.spark.sql.types.DataType;

/**
 * Type of keys, and of the structures that hold them.
 *
 * @param <K> a key outside structures
 * @param <M> the structure
 * @since 0.1.0
 */
public abstract sealed class KeyType<K, M extends AutoCloseable> implements Serializable
    permits LongKeys, TextKeyType, WordKeys {
  @Serial private static final long serialVersionUID = 1L;

  /** Returns the type of keys that are longs; every long is valid. */
  public static KeyType<Long, LongLongMap> longs() {
    return new LongKeys();
  }

  /** Returns the type of keys that are whole texts. */
  public static KeyType<String, TextLongMap> texts() {
    return new TextKeyType();
  }

  /** Returns the type of keys that are the words of texts. */
  static WordKeys words(Alphabet alphabet) {
    return new WordKeys(alphabet);
  }

  /** Returns the type of a column of keys. */
  abstract DataType dataType();

  /** Returns the key of an entry of a run. */
  abstract K key(byte[] bytes, int length);

  /** Returns the UTF-8 bytes of a text key. */
  byte[] utf8(K key) {
    throw new UnsupportedOperationException("no text: " + key);
  }

  /** Returns the number of a numeric key. */
  long number(K key) {
    throw new UnsupportedOperationException("no number: " + key);
  }

  /**
   * Returns an empty structure for a task.
   *
   * @param memory largest number of bytes off-heap
   * @param full drains the structure
   */
  abstract Filler filler(Fold fold, Launcher launcher, long memory, Runnable full);

  /** Returns a structure with the entries of a run. */
  abstract M gather(RunReader run);
}

package dev.gyre.structures.map.file;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.map.Layout;
import java.nio.file.Path;
import java.util.List;

/**
 * A table on its way to a file or from it.
 *
 * @param file its name
 * @param kind types of keys and values
 * @param layout of the slots
 * @param entries number of keys
 * @param capacity most keys that the table may have
 * @param slots number of slots
 * @param seed of the hash
 * @param memories of the table
 */
public record SavedMap(
    Path file,
    Kind kind,
    Layout layout,
    long entries,
    long capacity,
    long slots,
    long seed,
    List<Memory> memories)
    implements AutoCloseable {

  /** Types of keys, and of values where there are any. */
  public enum Kind {
    INTS("a map from int to int"),
    LONGS("a map from long to long"),
    TEXTS("a map from text to long"),
    INT_SET("a set of ints"),
    LONG_SET("a set of longs"),
    TEXT_SET("a set of texts");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    boolean isOfInts() {
      return this == INTS || this == INT_SET;
    }

    public boolean isOfTexts() {
      return this == TEXTS || this == TEXT_SET;
    }
  }

  /** Keys per slot, at most. */
  public double load() {
    return (double) capacity / slots;
  }

  /** Refuses a file of another kind of map. */
  public void requireKind(Kind expected) {
    if (kind != expected) {
      throw new SavedFileException(
          file.toString(),
          SavedFileException.Kind.OTHER_TYPE,
          "holds %s, not %s".formatted(kind.label, expected.label));
    }
  }

  /** Refuses a file whose checksum is right and whose content is not. */
  public void require(boolean condition, String what) {
    if (!condition) {
      throw new SavedFileException(
          file.toString(), SavedFileException.Kind.DAMAGED, "damaged: " + what + " is wrong");
    }
  }

  @Override
  public void close() {
    memories.forEach(Memory::close);
  }
}

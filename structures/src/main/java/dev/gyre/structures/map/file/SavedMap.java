package dev.gyre.structures.map.file;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.map.Layout;
import java.util.List;

/**
 * Table on its way to or from a file.
 *
 * @param file its name, for messages
 * @param kind types of keys and values
 * @param layout layout of the slots
 * @param entries number of keys
 * @param capacity largest number of keys of the table
 * @param slots number of slots
 * @param hash identity of the hash
 * @param schema schema of records, or empty
 * @param memories memories of the table
 * @param removable whether keys could be removed
 */
public record SavedMap(
    String file,
    Kind kind,
    Layout layout,
    long entries,
    long capacity,
    long slots,
    HashName hash,
    String schema,
    List<Memory> memories,
    boolean removable)
    implements AutoCloseable {

  /** Types of keys and values, in the order of their numbers in files. */
  public enum Kind {
    INTS("a map from int to int"),
    LONGS("a map from long to long"),
    TEXTS("a map from text to long"),
    INT_SET("a set of ints"),
    LONG_SET("a set of longs"),
    TEXT_SET("a set of texts"),

    /** Rows of words. */
    RECORDS("a map of records"),

    /** Keys that are packed in a long, with one long as value. */
    PACKED_RECORDS("a map of records"),
    INT_LONGS("a map from int to long"),
    LONG_INTS("a map from long to int");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** Returns whether keys are numbers that are their own values. */
    public boolean isSetOfNumbers() {
      return this == INT_SET || this == LONG_SET;
    }

    /** Returns whether keys and values are ints. */
    public boolean isOfInts() {
      return this == INTS || this == INT_SET;
    }

    /** Returns whether either keys or values are ints, and the others longs. */
    public boolean isMixed() {
      return this == INT_LONGS || this == LONG_INTS;
    }

    /** Returns the size of a key that is a number. */
    public int keyBytes() {
      return isOfInts() || this == INT_LONGS ? Integer.BYTES : Long.BYTES;
    }

    /** Returns the size of a value that is a number. */
    public int valueBytes() {
      return isOfInts() || this == LONG_INTS ? Integer.BYTES : Long.BYTES;
    }

    /** Returns whether keys and values are records. */
    public boolean isOfRecords() {
      return this == RECORDS || this == PACKED_RECORDS;
    }

    /** Returns whether the builder selects the layout. */
    public boolean hasLayouts() {
      return !isOfTexts() && this != RECORDS && !isSetOfNumbers();
    }

    public boolean isOfTexts() {
      return this == TEXTS || this == TEXT_SET;
    }
  }

  /**
   * Returns the load factor, for which a table of the capacity has the same number of slots again.
   */
  public double load() {
    // Half a slot fewer, so that rounding up gives the same number in spite of rounding errors.
    return capacity / (slots - 0.5);
  }

  /** Throws if the file has another kind of map, or other records. */
  public void requireKind(Kind expected, String itsSchema) {
    boolean records = kind.isOfRecords() && expected.isOfRecords();
    if (records && !schema.equals(itsSchema)) {
      throw new SavedFileException(
          file,
          SavedFileException.Kind.OTHER_TYPE,
          "holds %s; asked for are %s".formatted(schema, itsSchema));
    }
    if (kind != expected) {
      throw new SavedFileException(
          file,
          SavedFileException.Kind.OTHER_TYPE,
          "holds %s, not %s".formatted(kind.label, expected.label));
    }
  }

  /** Throws if the file has a valid checksum and an invalid content. */
  public void require(boolean condition, String what) {
    if (!condition) {
      throw new SavedFileException(
          file, SavedFileException.Kind.DAMAGED, "damaged: " + what + " is wrong");
    }
  }

  @Override
  public void close() {
    memories.forEach(Memory::close);
  }
}

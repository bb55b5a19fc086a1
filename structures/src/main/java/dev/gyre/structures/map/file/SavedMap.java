package dev.gyre.structures.map.file;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.map.Layout;
import java.util.List;

/**
 * A table on its way to a file or from it.
 *
 * @param file its name, for messages
 * @param kind types of keys and values
 * @param layout of the slots
 * @param entries number of keys
 * @param capacity most keys that the table may have
 * @param slots number of slots
 * @param hash which hash
 * @param schema of keys and values that are records, or nothing
 * @param memories of the table
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
    List<Memory> memories)
    implements AutoCloseable {

  /** Types of keys, and of values where there are any; in the order of their numbers in files. */
  public enum Kind {
    INTS("a map from int to int"),
    LONGS("a map from long to long"),
    TEXTS("a map from text to long"),
    INT_SET("a set of ints"),
    LONG_SET("a set of longs"),
    TEXT_SET("a set of texts"),

    /** Rows of words. */
    RECORDS("a map of records"),

    /** Keys that are packed in a long, with one long for their value. */
    PACKED_RECORDS("a map of records");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** Whether keys are numbers that are their own values. */
    public boolean isSetOfNumbers() {
      return this == INT_SET || this == LONG_SET;
    }

    boolean isOfInts() {
      return this == INTS || this == INT_SET;
    }

    /** Whether keys and values are records. */
    public boolean isOfRecords() {
      return this == RECORDS || this == PACKED_RECORDS;
    }

    /** Whether the builder says how the slots of its tables lie. */
    public boolean hasLayouts() {
      return !isOfTexts() && this != RECORDS && !isSetOfNumbers();
    }

    public boolean isOfTexts() {
      return this == TEXTS || this == TEXT_SET;
    }
  }

  /** Keys per slot, at most: a table of the capacity has as many slots again. */
  public double load() {
    // Half a slot fewer, so that rounding up makes the very number, whatever the quotient became.
    return capacity / (slots - 0.5);
  }

  /** Refuses a file of another kind of map, or of other records. */
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

  /** Refuses a file whose checksum is right and whose content is not. */
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

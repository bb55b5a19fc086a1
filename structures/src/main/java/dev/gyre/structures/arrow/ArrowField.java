package dev.gyre.structures.arrow;

import static dev.gyre.structures.arrow.ArrowStruct.WORD;

import dev.gyre.atomics.Internal;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;

/** Name and type of a column. */
@Internal
public record ArrowField(String name, Type type) {

  /** Type of the elements of a column that can be imported. */
  public enum Type {
    INT8("c", Byte.BYTES),
    UINT8("C", Byte.BYTES),
    INT16("s", Short.BYTES),
    UINT16("S", Short.BYTES),
    INT32("i", Integer.BYTES),
    UINT32("I", Integer.BYTES),
    INT64("l", Long.BYTES),
    FLOAT("f", Float.BYTES),
    DOUBLE("g", Double.BYTES),
    UTF8("u", Integer.BYTES),
    LARGE_UTF8("U", Long.BYTES);

    private final String format;

    /** Size of an element, or of an offset of a text. */
    final int bytes;

    Type(String format, int bytes) {
      this.format = format;
      this.bytes = bytes;
    }

    /** Returns whether the elements are texts. */
    public boolean isText() {
      return this == UTF8 || this == LARGE_UTF8;
    }

    /** Returns whether the elements are floats or doubles. */
    public boolean isReal() {
      return this == FLOAT || this == DOUBLE;
    }
  }

  /** Returns the field of the schema of a column. */
  static ArrowField of(MemorySegment schema) {
    String name = ArrowStruct.text(schema.get(WORD, ArrowStruct.NAME));
    String format = ArrowStruct.text(schema.get(WORD, ArrowStruct.FORMAT));
    boolean hasDictionary = schema.get(WORD, ArrowStruct.SCHEMA.dictionary) != 0;
    return Stream.of(Type.values())
        .filter(type -> type.format.equals(format) && !hasDictionary)
        .findFirst()
        .map(type -> new ArrowField(name, type))
        .orElseThrow(
            () ->
                new ArrowException(
                    "the column %s has the Arrow format %s%s, which is not supported: %s before"
                        + " the import",
                    name,
                    format,
                    hasDictionary ? " with a dictionary" : "",
                    hasDictionary
                        ? "decode the dictionary"
                        : format.startsWith("+")
                            ? "make its parts columns of their own, or leave it out"
                            : "cast it to int64, double, utf8 or large_utf8"));
  }
}

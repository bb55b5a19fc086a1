package dev.gyre.atomics.table;

/** Type of the elements that a handle gives access to. */
public enum ElementType {
  INT("int", "Ints", 4),
  LONG("long", "Longs", 8),
  FLOAT("float", "Floats", 4),
  DOUBLE("double", "Doubles", 8);

  private final String primitive;
  private final String suffix;
  private final int bytes;

  ElementType(String primitive, String suffix, int bytes) {
    this.primitive = primitive;
    this.suffix = suffix;
    this.bytes = bytes;
  }

  /** The Java primitive type, such as {@code int}. */
  public String primitive() {
    return primitive;
  }

  /** The end of the names of handles of this type, such as {@code Ints}. */
  public String suffix() {
    return suffix;
  }

  /** Size of an element, in bytes. */
  public int bytes() {
    return bytes;
  }

  /** Whether elements are floating-point numbers, which are compared and kept by their bits. */
  public boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /** The whole numbers of the same size; a type of whole numbers is its own. */
  public ElementType whole() {
    return bytes == Integer.BYTES ? INT : LONG;
  }
}

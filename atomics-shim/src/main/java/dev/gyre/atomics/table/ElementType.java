package dev.gyre.atomics.table;

/** Type of the elements of a handle. */
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

  /** Returns the Java primitive type, such as {@code int}. */
  public String primitive() {
    return primitive;
  }

  /** Returns the end of the names of handles of this type, such as {@code Ints}. */
  public String suffix() {
    return suffix;
  }

  /** Returns the size of an element, in bytes. */
  public int bytes() {
    return bytes;
  }

  /** Returns whether elements are floating-point numbers, which atomics compare by their bits. */
  public boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /** Returns the integer type of the same size. */
  public ElementType whole() {
    return bytes == Integer.BYTES ? INT : LONG;
  }
}

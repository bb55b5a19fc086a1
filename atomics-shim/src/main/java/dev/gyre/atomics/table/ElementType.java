package dev.gyre.atomics.table;

/** Type of the elements that a handle gives access to. */
public enum ElementType {
  INT("int", "Ints", 4),
  LONG("long", "Longs", 8);

  private final String primitive;
  private final String suffix;
  private final int bytes;

  ElementType(String primitive, String suffix, int bytes) {
    this.primitive = primitive;
    this.suffix = suffix;
    this.bytes = bytes;
  }

  /** The Java primitive type, {@code int} or {@code long}. */
  public String primitive() {
    return primitive;
  }

  /** The end of the names of handles of this type, {@code Ints} or {@code Longs}. */
  public String suffix() {
    return suffix;
  }

  /** Size of an element, in bytes. */
  public int bytes() {
    return bytes;
  }
}

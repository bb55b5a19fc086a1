package dev.gyre.atomics.tornadovm.c;

import dev.gyre.atomics.table.ElementType;

/** Names in which dialects of C differ. */
public enum CDialect {
  OPENCL(
      "__global ",
      "long",
      "uint",
      "ulong",
      "char",
      "uchar",
      "mul_hi",
      "as_int",
      "as_long",
      "as_float",
      "as_double",
      "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"),
  CUDA(
      "",
      "long long",
      "unsigned int",
      "unsigned long long",
      "signed char",
      "unsigned char",
      "__umul64hi",
      "__float_as_int",
      "__double_as_longlong",
      "__int_as_float",
      "__longlong_as_double",
      "__syncthreads();");

  private final String global;
  private final String longType;
  private final String unsignedInt;
  private final String unsignedLong;
  private final String signedByte;
  private final String unsignedByte;
  private final String multiplyHigh;
  private final String bitsOfFloat;
  private final String bitsOfDouble;
  private final String floatOfBits;
  private final String doubleOfBits;
  private final String barrier;

  CDialect(
      String global,
      String longType,
      String unsignedInt,
      String unsignedLong,
      String signedByte,
      String unsignedByte,
      String multiplyHigh,
      String bitsOfFloat,
      String bitsOfDouble,
      String floatOfBits,
      String doubleOfBits,
      String barrier) {
    this.global = global;
    this.longType = longType;
    this.unsignedInt = unsignedInt;
    this.unsignedLong = unsignedLong;
    this.signedByte = signedByte;
    this.unsignedByte = unsignedByte;
    this.multiplyHigh = multiplyHigh;
    this.bitsOfFloat = bitsOfFloat;
    this.bitsOfDouble = bitsOfDouble;
    this.floatOfBits = floatOfBits;
    this.doubleOfBits = doubleOfBits;
    this.barrier = barrier;
  }

  /** Returns the function that converts a floating-point number of a width to its bits. */
  public String bits(int width) {
    return width > Integer.SIZE ? bitsOfDouble : bitsOfFloat;
  }

  /** Returns the function that converts bits to the floating-point number of their width. */
  public String floating(int width) {
    return width > Integer.SIZE ? doubleOfBits : floatOfBits;
  }

  /** Returns the signed type of a width in bits. */
  public String signed(int bits) {
    return bits > Integer.SIZE ? longType : "int";
  }

  /** Returns the unsigned type of a width in bits. */
  public String unsigned(int bits) {
    return bits > Integer.SIZE ? unsignedLong : unsignedInt;
  }

  /** Returns the type of an element; signed for integers. */
  public String type(ElementType type) {
    return type.isFloating() ? type.primitive() : signed(type.bytes() * Byte.SIZE);
  }

  /** Returns a value of a type as the integer of its bits. */
  public String whole(ElementType type, String value) {
    return type.isFloating() ? "%s(%s)".formatted(bits(type.bytes() * Byte.SIZE), value) : value;
  }

  /** Returns an integer as the value of a type with these bits. */
  public String ofWhole(ElementType type, String whole) {
    return type.isFloating()
        ? "%s(%s)".formatted(floating(type.bytes() * Byte.SIZE), whole)
        : whole;
  }

  /** Returns the unsigned type of an element's bits. */
  String unsigned(ElementType type) {
    return unsigned(type.bytes() * Byte.SIZE);
  }

  /** Returns the qualifier of a pointer to device memory. */
  String global() {
    return global;
  }

  /** Returns the barrier of a block. */
  String barrier() {
    return barrier;
  }

  String signedByte() {
    return signedByte;
  }

  String unsignedByte() {
    return unsignedByte;
  }

  /** Returns the function for the upper half of an unsigned product of two longs. */
  String multiplyHigh() {
    return multiplyHigh;
  }
}

package dev.gyre.atomics.tornadovm.c;

import dev.gyre.atomics.table.ElementType;

/** The names in which dialects of C differ. */
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

  /** The function that takes a floating-point number of a width as the bits that it is. */
  public String bits(int width) {
    return width > Integer.SIZE ? bitsOfDouble : bitsOfFloat;
  }

  /** The function that takes bits as the floating-point number of their width. */
  public String floating(int width) {
    return width > Integer.SIZE ? doubleOfBits : floatOfBits;
  }

  /** The signed type of a width in bits. */
  public String signed(int bits) {
    return bits > Integer.SIZE ? longType : "int";
  }

  /** The unsigned type of a width in bits. */
  public String unsigned(int bits) {
    return bits > Integer.SIZE ? unsignedLong : unsignedInt;
  }

  /** The type of an element; of whole numbers, that is signed. */
  public String type(ElementType type) {
    return type.isFloating() ? type.primitive() : signed(type.bytes() * Byte.SIZE);
  }

  /** A value of a type as the whole number of its bits. */
  public String whole(ElementType type, String value) {
    return type.isFloating() ? "%s(%s)".formatted(bits(type.bytes() * Byte.SIZE), value) : value;
  }

  /** A whole number as the value of a type whose bits it is. */
  public String ofWhole(ElementType type, String whole) {
    return type.isFloating()
        ? "%s(%s)".formatted(floating(type.bytes() * Byte.SIZE), whole)
        : whole;
  }

  /** The type of an element's bits. */
  String unsigned(ElementType type) {
    return unsigned(type.bytes() * Byte.SIZE);
  }

  /** What a pointer to memory of the device begins with. */
  String global() {
    return global;
  }

  /** Waits for the threads of the block. */
  String barrier() {
    return barrier;
  }

  String signedByte() {
    return signedByte;
  }

  String unsignedByte() {
    return unsignedByte;
  }

  /** The upper half of an unsigned product of two longs. */
  String multiplyHigh() {
    return multiplyHigh;
  }
}

package dev.gyre.atomics.tornadovm.c;

import dev.gyre.atomics.table.ElementType;

/** The names in which dialects of C differ. */
public enum CDialect {
  OPENCL("__global ", "long", "uint", "ulong", "char", "uchar", "mul_hi"),
  CUDA(
      "",
      "long long",
      "unsigned int",
      "unsigned long long",
      "signed char",
      "unsigned char",
      "__umul64hi");

  private final String global;
  private final String longType;
  private final String unsignedInt;
  private final String unsignedLong;
  private final String signedByte;
  private final String unsignedByte;
  private final String multiplyHigh;

  CDialect(
      String global,
      String longType,
      String unsignedInt,
      String unsignedLong,
      String signedByte,
      String unsignedByte,
      String multiplyHigh) {
    this.global = global;
    this.longType = longType;
    this.unsignedInt = unsignedInt;
    this.unsignedLong = unsignedLong;
    this.signedByte = signedByte;
    this.unsignedByte = unsignedByte;
    this.multiplyHigh = multiplyHigh;
  }

  /** The signed type of a width in bits. */
  public String signed(int bits) {
    return bits > Integer.SIZE ? longType : "int";
  }

  /** The unsigned type of a width in bits. */
  public String unsigned(int bits) {
    return bits > Integer.SIZE ? unsignedLong : unsignedInt;
  }

  /** The type of an element, which is signed. */
  public String type(ElementType type) {
    return signed(type.bytes() * Byte.SIZE);
  }

  /** The type of an element's bits. */
  String unsigned(ElementType type) {
    return unsigned(type.bytes() * Byte.SIZE);
  }

  /** What a pointer to memory of the device begins with. */
  String global() {
    return global;
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

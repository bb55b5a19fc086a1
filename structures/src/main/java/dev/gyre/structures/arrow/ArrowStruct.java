package dev.gyre.structures.arrow;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A struct of the interface: its size, and where its members are, in bytes. */
enum ArrowStruct {
  SCHEMA(72, 40),
  ARRAY(80, 48);

  /** Any member, which may be a pointer. */
  static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  // Members of a schema.
  static final int FORMAT = 0;
  static final int NAME = 8;
  static final int FLAGS = 24;

  // Members of an array.
  static final int LENGTH = 0;
  static final int NULL_COUNT = 8;
  static final int OFFSET = 16;
  static final int BUFFER_COUNT = 24;
  static final int BUFFERS = 40;

  /** Member of both. */
  static final int CHILD_COUNT = 32;

  final int bytes;
  final int children;
  final int dictionary;
  final int release;
  final int privateData;

  ArrowStruct(int bytes, int children) {
    this.bytes = bytes;
    this.children = children;
    this.dictionary = children + Long.BYTES;
    this.release = dictionary + Long.BYTES;
    this.privateData = release + Long.BYTES;
  }

  /** Returns the name of the struct in C. */
  @Override
  public String toString() {
    return this == ARRAY ? "ArrowArray" : "ArrowSchema";
  }

  /** Returns the struct at an address. */
  MemorySegment at(long address) {
    if (address == 0) {
      throw new ArrowException("an %s is null: pass the address of an allocated struct", this);
    }
    return memory(address, bytes, Arena.global());
  }

  /** Returns memory of the other side of the interface, which says how long it is. */
  @SuppressWarnings("restricted")
  static MemorySegment memory(long address, long bytes, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
  }

  /** Returns an element of an array of pointers, which is a member of a struct. */
  static long pointer(MemorySegment struct, int member, long index) {
    long pointers = struct.get(WORD, member);
    if (pointers == 0) {
      throw new ArrowException("a struct has buffers or children, and a null pointer to them");
    }
    return memory(pointers + index * Long.BYTES, Long.BYTES, Arena.global()).get(WORD, 0);
  }

  /** Returns a text that ends with a zero, or the empty text for a null pointer. */
  static String text(long address) {
    return address == 0 ? "" : memory(address, Long.MAX_VALUE, Arena.global()).getString(0);
  }
}

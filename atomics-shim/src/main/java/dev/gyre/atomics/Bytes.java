package dev.gyre.atomics;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Handle with plain access to bytes, for data such as text that no thread writes while others read.
 *
 * <p>On a device only handles made by {@link #of(Memory)} can be passed.
 */
public final class Bytes implements Handle {

  private final MemorySegment segment;
  private final @Nullable Memory memory;

  private Bytes(MemorySegment segment, @Nullable Memory memory) {
    this.segment = segment;
    this.memory = memory;
  }

  /** Gives access to all bytes of a memory. */
  public static Bytes of(Memory memory) {
    return new Bytes(memory.segment(), memory);
  }

  /** Gives access to a segment, such as a mapped file, without a copy; for the JVM only. */
  public static Bytes of(MemorySegment segment) {
    return new Bytes(segment, null);
  }

  /** The memory that this gives access to, or null where there is only a segment; for the host. */
  @Override
  public @Nullable Memory memory() {
    return memory;
  }

  /** Number of bytes; for the host. */
  public long length() {
    return segment.byteSize();
  }

  /** The bytes themselves; for the host. */
  public MemorySegment segment() {
    return segment;
  }

  /** Reads a byte. */
  public byte get(long index) {
    try {
      return segment.get(ValueLayout.JAVA_BYTE, index);
    } catch (IndexOutOfBoundsException _) {
      throw outOfBounds(index);
    }
  }

  /** Reads a byte as a number from 0 to 255. */
  public int getUnsigned(long index) {
    return get(index) & 0xff;
  }

  /** Writes a byte. */
  public void set(long index, byte value) {
    try {
      segment.set(ValueLayout.JAVA_BYTE, index, value);
    } catch (IndexOutOfBoundsException _) {
      throw outOfBounds(index);
    }
  }

  private ElementIndexException outOfBounds(long index) {
    return new ElementIndexException(this, index, segment.byteSize());
  }
}

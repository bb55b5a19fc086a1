package dev.gyre.atomics;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Handle with plain access to bytes, for data such as text that no thread writes while others read.
 *
 * <pre>{@code
 * Bytes text = Bytes.of(memory);
 * int first = text.getUnsigned(0);
 * }</pre>
 *
 * <p>A kernel on a device accepts only handles that {@link #of(Memory)} made.
 *
 * @since 0.1.0
 */
public final class Bytes implements Handle {

  private final MemorySegment segment;
  private final @Nullable Memory memory;

  private Bytes(MemorySegment segment, @Nullable Memory memory) {
    this.segment = segment;
    this.memory = memory;
  }

  /** Returns a handle to all bytes of a memory. */
  public static Bytes of(Memory memory) {
    return new Bytes(memory.segment(), memory);
  }

  /** Returns a handle to a segment, such as a mapped file, without a copy; for the JVM only. */
  public static Bytes of(MemorySegment segment) {
    return new Bytes(segment, null);
  }

  /** Returns the memory, or null if the handle was made from a segment. Only the host calls it. */
  @Override
  public @Nullable Memory memory() {
    return memory;
  }

  /** Returns the number of bytes. Only the host calls it. */
  public long length() {
    return segment.byteSize();
  }

  /** Returns the segment. Only the host calls it. */
  public MemorySegment segment() {
    return segment;
  }

  /**
   * Reads a byte.
   *
   * @throws IndexOutOfBoundsException if the index is out of bounds, on the JVM
   */
  public byte get(long index) {
    try {
      return segment.get(ValueLayout.JAVA_BYTE, index);
    } catch (IndexOutOfBoundsException _) {
      throw outOfBounds(index);
    }
  }

  /**
   * Reads a byte as a number from 0 to 255.
   *
   * @throws IndexOutOfBoundsException if the index is out of bounds, on the JVM
   */
  public int getUnsigned(long index) {
    return get(index) & 0xff;
  }

  /**
   * Writes a byte.
   *
   * @throws IndexOutOfBoundsException if the index is out of bounds, on the JVM
   */
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

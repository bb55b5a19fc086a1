package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.structures.Memories;
import dev.gyre.structures.Overlaps;
import dev.gyre.structures.ParallelCopy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Longs in an array, a segment or a memory: what bulk operations read and write.
 *
 * <p>This is a view; nothing is copied. Operations read and write the elements where they are.
 *
 * @since 0.1.0
 */
@IntSpecialized
public class Longs {

  /** A thread that is never started: represents any thread other than the caller. */
  private static final Thread ANOTHER = new Thread();

  private final MemorySegment segment;
  private final long length;

  /** The array, if these are all elements of one. */
  private final long @Nullable [] array;

  /** The memory, if these are its first elements. */
  private final @Nullable Memory memory;

  private final boolean onDevice;

  private Longs(MemorySegment segment, long @Nullable [] array) {
    this(segment, array, null, false);
  }

  private Longs(
      MemorySegment segment, long @Nullable [] array, @Nullable Memory memory, boolean onDevice) {
    if (array == null) {
      requireShared(segment);
    }
    this.memory = memory;
    this.onDevice = onDevice;
    this.segment = segment;
    this.length = segment.byteSize() / Long.BYTES;
    this.array = array;
  }

  /** Creates elements that are stored by a subclass. */
  @Internal
  protected Longs(long length) {
    this.memory = null;
    this.onDevice = false;
    this.segment = MemorySegment.NULL;
    this.length = length;
    this.array = null;
  }

  /** Throws if other threads cannot access a segment. */
  static void requireShared(MemorySegment segment) {
    if (!segment.isAccessibleBy(ANOTHER)) {
      throw new IllegalArgumentException(
          "the segment belongs to one thread, and bulk operations use several: allocate it from"
              + " Arena.ofShared() or Arena.ofAuto()");
    }
  }

  /** Returns the elements of an array. */
  public static Longs of(long... array) {
    return new Longs(MemorySegment.ofArray(Objects.requireNonNull(array, "array")), array);
  }

  /**
   * Returns the elements of a segment, in native byte order, at any alignment.
   *
   * @throws IllegalArgumentException if the size is not a multiple of the element size, or only one
   *     thread can access the segment. An operation throws it if the arena is closed.
   */
  public static Longs of(MemorySegment segment) {
    if (Objects.requireNonNull(segment, "segment").byteSize() % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "a segment of %d bytes does not hold whole elements of %d bytes"
              .formatted(segment.byteSize(), Long.BYTES));
    }
    return new Longs(segment, null);
  }

  /**
   * Returns the first {@code length} elements of a memory.
   *
   * @throws IllegalArgumentException if the memory has fewer elements
   * @throws dev.gyre.atomics.ClosedException if the memory is closed; an operation throws it if the
   *     memory is closed later
   */
  public static Longs of(Memory memory, long length) {
    return of(memory, length, false);
  }

  /**
   * Returns the first {@code length} elements of a memory on the device of the map's launcher.
   *
   * <p>A bulk operation reads and writes them there without a copy, in one step. It sees what a
   * kernel or an earlier operation wrote. What the host wrote must be sent by {@link
   * dev.gyre.kernels.Launcher#hostWrote}, except before the first use. The host sees results after
   * {@link dev.gyre.kernels.Launcher#readBack}. On the JVM this is {@link #of(Memory, long)}.
   *
   * <p>All arguments of one operation must be on the device, or none. Kernels read elements more
   * than once: nothing else may change them during the operation. Found values may overwrite
   * exactly the keys or the values, but must not overlap them in another way.
   *
   * @throws IllegalArgumentException if the memory has fewer elements
   * @throws dev.gyre.atomics.ClosedException if the memory is closed
   */
  public static Longs onDevice(Memory memory, long length) {
    return of(memory, length, true);
  }

  private static Longs of(Memory memory, long length, boolean onDevice) {
    if (length < 0 || length > Objects.requireNonNull(memory, "memory").byteSize() / Long.BYTES) {
      throw new IllegalArgumentException(
          "a memory of %d bytes does not hold %d elements of %d bytes"
              .formatted(memory.byteSize(), length, Long.BYTES));
    }
    return new Longs(memory.segment().asSlice(0, length * Long.BYTES), null, memory, onDevice);
  }

  /** Returns the segment of the elements. A closed memory throws on every target. */
  @Internal
  public MemorySegment segment() {
    if (memory != null) {
      var _ = memory.segment();
    } else if (array == null) {
      Memories.requireReadable(segment);
    }
    return segment;
  }

  /** Returns whether the elements are in one segment. */
  @Internal
  public boolean isInSegment() {
    return !segment.equals(MemorySegment.NULL);
  }

  /** Returns the number of elements. */
  public long length() {
    return length;
  }

  /** Returns a range of the elements. */
  @Internal
  public Longs part(long from, long count) {
    return from == 0 && count == length
        ? this
        : new Longs(segment().asSlice(from * Long.BYTES, count * Long.BYTES), null);
  }

  /** Returns the array, if these are all its elements, or null. */
  @Internal
  public long @Nullable [] array() {
    return array;
  }

  /** Returns the memory, if these are its first elements, or null. */
  @Internal
  public @Nullable Memory memory() {
    return memory;
  }

  /** Returns the elements of the memory for kernels. */
  @Internal
  public Numbers numbers() {
    return Numbers.of(/* DeviceInts */ DeviceLongs.of(Objects.requireNonNull(memory)));
  }

  /** Returns whether kernels use the memory on the device. */
  @Internal
  public boolean isOnDevice() {
    return onDevice;
  }

  boolean isReadOnly() {
    return segment.isReadOnly();
  }

  void requireWritable() {
    if (isReadOnly()) {
      throw new IllegalArgumentException("values cannot be written to a read-only segment");
    }
  }

  /**
   * Throws if writing these elements would overwrite part of what an operation reads. They may
   * exactly replace it. Memory on a device is not checked.
   *
   * @param what name of the elements that are read
   */
  @Internal
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  public void requireSameOrApart(Longs read, String what) {
    boolean arrays = array != null && read.array != null;
    boolean overlap = arrays ? array == read.array : !isOnDevice() && !read.isOnDevice();
    if (overlap) {
      Overlaps.requireSameOrApart(segment(), read.segment(), what);
    }
  }

  /** Throws if outcomes would overwrite these elements, which the operation reads. */
  void requireApartFrom(BulkOptions options) {
    if (!onDevice) {
      options.requireOutcomesApart(segment());
    }
  }

  /** Throws if writing these elements would overwrite the mask or the outcomes. */
  void requireWrittenApartFrom(BulkOptions options) {
    if (!onDevice) {
      options.requireApartFrom(segment());
    }
  }

  /** Copies elements to an array, from its start. */
  @Internal
  public void read(long from, long[] to, int count) {
    if (array != null) {
      System.arraycopy(array, (int) from, to, 0, count);
      return;
    }
    MemorySegment.copy(segment(), ValueLayout.JAVA_LONG_UNALIGNED, from * Long.BYTES, to, 0, count);
  }

  /** Copies elements from an array, from its start. */
  @Internal
  public void write(long to, long[] from, int count) {
    if (array != null) {
      System.arraycopy(from, 0, array, (int) to, count);
      return;
    }
    MemorySegment.copy(from, 0, segment(), ValueLayout.JAVA_LONG_UNALIGNED, to * Long.BYTES, count);
  }

  /** Returns a range of the elements in a new array. */
  @Internal
  public Longs copied(long from, int count) {
    long[] copy = new long[count];
    read(from, copy, count);
    return of(copy);
  }

  /** Copies elements to a segment. */
  @Internal
  public void read(long from, MemorySegment to, long at, long count) {
    ParallelCopy.copy(
        segment().asSlice(from * Long.BYTES, count * Long.BYTES),
        to.asSlice(at * Long.BYTES, count * Long.BYTES));
  }

  /** Copies elements from a segment. */
  @Internal
  public void write(long to, MemorySegment from, long at, long count) {
    ParallelCopy.copy(
        from.asSlice(at * Long.BYTES, count * Long.BYTES),
        segment().asSlice(to * Long.BYTES, count * Long.BYTES));
  }

  /** Writes an element. */
  @Internal
  public void set(long index, /* int */ long value) {
    segment().set(ValueLayout.JAVA_LONG_UNALIGNED, index * Long.BYTES, value);
  }
}

package dev.gyre.structures.map;

import dev.gyre.atomics.IntTwin;
import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.structures.Memories;
import dev.gyre.structures.Overlaps;
import dev.gyre.structures.ParallelCopy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Longs in an array, a segment or a memory: what bulk operations read and write. A view; the
 * elements stay where they are.
 */
@IntTwin
public class Longs {

  /** Never started: stands for a thread other than the caller's. */
  private static final Thread ANOTHER = new Thread();

  private final MemorySegment segment;
  private final long length;

  /** The array, if the elements are one, from its start to its end. */
  private final long @Nullable [] array;

  /** The memory whose first elements these are, if they are in one. */
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

  /** So many elements that lie somewhere else, of which a subclass says all. */
  @Internal
  protected Longs(long length) {
    this.memory = null;
    this.onDevice = false;
    this.segment = MemorySegment.NULL;
    this.length = length;
    this.array = null;
  }

  /** Refuses a segment that other threads cannot use. */
  static void requireShared(MemorySegment segment) {
    if (!segment.isAccessibleBy(ANOTHER)) {
      throw new IllegalArgumentException(
          "the segment belongs to one thread, and bulk operations use several: allocate it from"
              + " Arena.ofShared() or Arena.ofAuto()");
    }
  }

  /** The elements of an array. */
  public static Longs of(long... array) {
    return new Longs(MemorySegment.ofArray(Objects.requireNonNull(array, "array")), array);
  }

  /**
   * The elements of a segment, in the byte order of the machine, at any alignment.
   *
   * @throws IllegalArgumentException if its size is no multiple of the size of an element, or it
   *     can be used by one thread only; an operation on them throws it if the arena was closed
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
   * The first elements of a memory.
   *
   * @throws IllegalArgumentException if it holds fewer
   * @throws dev.gyre.atomics.ClosedException if the memory was closed; an operation on them, after
   *     it was closed, throws it, too
   */
  public static Longs of(Memory memory, long length) {
    return of(memory, length, false);
  }

  /**
   * The first elements of a memory as kernels see it: where the map's launcher is of a device, a
   * bulk operation reads and writes them there, with no copy, and all at once, however many there
   * are. So what a kernel wrote is what the operation reads, and what it writes the next kernel
   * reads, or the next operation; what the host wrote it sees after {@link
   * dev.gyre.kernels.Launcher#hostWrote}, but for the first time, and the host sees what it wrote
   * after {@link dev.gyre.kernels.Launcher#readBack}. On the JVM it is as {@link #of(Memory,
   * long)}.
   *
   * <p>All that one operation is given is on the device, or nothing. Kernels read elements where
   * they lie, and more than once: nothing else may change them meanwhile, and values that are
   * looked up may go to the memory of the keys, or of the values, but to no other one that overlaps
   * these.
   *
   * @throws IllegalArgumentException if it holds fewer
   * @throws dev.gyre.atomics.ClosedException if the memory was closed
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

  /** Where the elements are; a memory that was closed says so itself, on every target. */
  @Internal
  public MemorySegment segment() {
    if (memory != null) {
      var _ = memory.segment();
    } else if (array == null) {
      Memories.requireReadable(segment);
    }
    return segment;
  }

  /** Whether the elements are in a segment, and not put together from several. */
  @Internal
  public boolean isInSegment() {
    return !segment.equals(MemorySegment.NULL);
  }

  /** Number of elements. */
  public long length() {
    return length;
  }

  /** Some of the elements. */
  @Internal
  public Longs part(long from, long count) {
    return from == 0 && count == length
        ? this
        : new Longs(segment().asSlice(from * Long.BYTES, count * Long.BYTES), null);
  }

  /** The array whose elements these are, all of them, if it is one. */
  @Internal
  public long @Nullable [] array() {
    return array;
  }

  /** The memory whose first elements these are, if they are in one. */
  @Internal
  public @Nullable Memory memory() {
    return memory;
  }

  /** Whether kernels are to use the memory where they run. */
  @Internal
  public boolean isOnDevice() {
    return onDevice;
  }

  boolean isReadOnly() {
    return segment.isReadOnly();
  }

  /**
   * Refuses that values are written here where some of the elements that an operation reads are,
   * unless all are. Memory on a device is not looked at.
   *
   * @param what those elements are called
   */
  @Internal
  @SuppressWarnings("ReferenceEquality") // that array, not one like it
  public void requireSameOrApart(Longs read, String what) {
    boolean arrays = array != null && read.array != null;
    boolean overlap = arrays ? array == read.array : !onDevice && !read.onDevice;
    if (overlap) {
      Overlaps.requireSameOrApart(segment(), read.segment(), what);
    }
  }

  /** Fails if outcomes would be written over these, which an operation reads. */
  void requireApartFrom(BulkOptions options) {
    if (!onDevice) {
      options.requireOutcomesApart(segment());
    }
  }

  /** Fails if these are to be written over the mask or the outcomes. */
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

  /** Some of the elements in an array of their own. */
  @Internal
  public Longs copied(long from, int count) {
    long[] copy = new long[count];
    read(from, copy, count);
    return of(copy);
  }

  /** Copies elements to another place. */
  @Internal
  public void read(long from, MemorySegment to, long at, long count) {
    ParallelCopy.copy(
        segment().asSlice(from * Long.BYTES, count * Long.BYTES),
        to.asSlice(at * Long.BYTES, count * Long.BYTES));
  }

  /** Copies elements from another place. */
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

package dev.gyre.atomics;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner.Cleanable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the addresses of a {@link Memory}, for readers that pass no lock and whom no close waits
 * for: as long as this object is reachable they can be read, also after the memory was closed. What
 * is read then is what was there last, or 0; who reads has to find out afterwards that the memory
 * was closed meanwhile, and forget what was read. For the structures of Gyre.
 *
 * <p>A read costs one instruction or two, where one of a segment costs a dozen: its bounds, and
 * whether it was closed. Nothing is checked here: an address that is not one of the memory's ends
 * the JVM. So does a write to a memory that was closed: who writes sees to it that nobody closes it
 * meanwhile.
 *
 * <p>A large block gives its pages back to the system when its memory is closed, and keeps nothing
 * but the addresses, until the garbage collector finds its hold unreachable; where the system has
 * no more of those, {@link Memory} asks for a collection. Small ones stay as they are until the
 * garbage collector finds their holds unreachable; all of them together are an eighth of the heap
 * at most, and memories that would be more have no hold.
 */
@Internal
public final class Hold {

  private static final VarHandle INTS = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();

  /** Whether memory is used by its address; a constant, since HotSpot leaves out the other way. */
  private static final boolean BY_ADDRESS = HugePages.mayUseAddresses();

  /** All addresses; a constant, of which HotSpot knows all there is to check. */
  @SuppressWarnings("restricted") // Used with addresses of ours, and where it is enabled.
  private static final MemorySegment ALL =
      BY_ADDRESS ? MemorySegment.NULL.reinterpret(Long.MAX_VALUE) : MemorySegment.NULL;

  private static final long MOST_SMALL = Runtime.getRuntime().maxMemory() / 8;

  /** Bytes of small blocks that the garbage collector has not found yet. */
  private static final AtomicLong SMALL = new AtomicLong();

  /** How many large blocks are only addresses by now, which somebody may still read. */
  private static final AtomicLong LEFT = new AtomicLong();

  private final long address;

  /** Small: what has the block freed once it is unreachable, as this is. */
  @SuppressWarnings({"unused", "FieldCanBeLocal"}) // It is there to be reachable.
  private final @Nullable MemorySegment block;

  private Hold(long address, @Nullable MemorySegment block) {
    this.address = address;
    this.block = block;
  }

  /** Of a large block, that is to be unmapped by {@link #unmapLater}. */
  static Hold ofMapped(long address) {
    return new Hold(address, null);
  }

  void unmapLater(Runnable unmap) {
    long _ = LEFT.incrementAndGet();
    Cleanable _ =
        Tracked.CLEANER.register(
            this,
            () -> {
              unmap.run();
              long _ = LEFT.decrementAndGet();
            });
  }

  /** How many large blocks are only addresses, which a reader may still use. */
  static long left() {
    return LEFT.get();
  }

  /**
   * A small block that is zero, and freed once its hold is unreachable.
   *
   * @return null if there are too many already
   */
  static @Nullable Hold ofSmall(long bytes) {
    if (SMALL.addAndGet(bytes) > MOST_SMALL) {
      SMALL.addAndGet(-bytes);
      return null;
    }
    MemorySegment block;
    try {
      block = Arena.ofAuto().allocate(bytes, Memory.HEADER_BYTES);
    } catch (OutOfMemoryError e) {
      SMALL.addAndGet(-bytes);
      throw e;
    }
    Hold hold = new Hold(block.address(), block);
    Cleanable _ = Tracked.CLEANER.register(hold, () -> SMALL.addAndGet(-bytes));
    return hold;
  }

  /** The end of a segment of the block: until then, what is to be done at that end keeps this. */
  void release(MemorySegment ended) {}

  /** Where the block begins: {@link Memory#HEADER_BYTES} before the payload. */
  long block() {
    return address;
  }

  /** The address of the first byte of the payload. */
  public long payload() {
    return address + Memory.HEADER_BYTES;
  }

  // Where a word is: what HotSpot then knows of an address, neither negative nor between words, it
  // does not check.

  private static long ofInt(long address) {
    return address & 0x3fff_ffff_ffff_fffcL;
  }

  private static long ofLong(long address) {
    return address & 0x3fff_ffff_ffff_fff8L;
  }

  /** An int, plain. */
  public static int getInt(long address) {
    return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, ofInt(address));
  }

  /** A long, plain. */
  public static long getLong(long address) {
    return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, ofLong(address));
  }

  /** An int, seq_cst. */
  public static int getIntVolatile(long address) {
    return (int) INTS.getVolatile(ALL, ofInt(address));
  }

  /** A long, seq_cst. */
  public static long getLongVolatile(long address) {
    return (long) LONGS.getVolatile(ALL, ofLong(address));
  }

  /** Writes an int, plain. */
  public static void setInt(long address, int value) {
    ALL.set(ValueLayout.JAVA_INT_UNALIGNED, ofInt(address), value);
  }

  /** Writes a long, plain. */
  public static void setLong(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, ofLong(address), value);
  }

  // Of a memory that nobody closes meanwhile, by address or, where native access is not enabled, by
  // its segment, whose bounds are then checked. What is said to be "at" is its first plus an
  // offset.

  /**
   * Where the first byte of a memory's segment is: its address or, in the segment, 0. It is checked
   * here, once for all accesses, that the host reaches it and that it has so many elements of
   * {@code 2^shift} bytes.
   *
   * @throws IllegalStateException if the host does not reach it
   * @throws IndexOutOfBoundsException if it is shorter
   */
  public static long first(MemorySegment memory, long elements, int shift) {
    if (!memory.scope().isAlive()) {
      throw new IllegalStateException("the host does not reach this memory");
    }
    if (elements > memory.byteSize() >> shift) {
      throw new IndexOutOfBoundsException(
          "a memory of %d bytes has not %d elements of %d"
              .formatted(memory.byteSize(), elements, 1 << shift));
    }
    return BY_ADDRESS ? memory.address() : 0;
  }

  /** An int, plain. */
  public static int getInt(MemorySegment memory, long at) {
    return (BY_ADDRESS ? ALL : memory).get(ValueLayout.JAVA_INT_UNALIGNED, ofInt(at));
  }

  /** A long, plain. */
  public static long getLong(MemorySegment memory, long at) {
    return (BY_ADDRESS ? ALL : memory).get(ValueLayout.JAVA_LONG_UNALIGNED, ofLong(at));
  }

  /** Writes an int, plain. */
  public static void setInt(MemorySegment memory, long at, int value) {
    (BY_ADDRESS ? ALL : memory).set(ValueLayout.JAVA_INT_UNALIGNED, ofInt(at), value);
  }

  /** Writes an int, release. */
  public static void setIntRelease(MemorySegment memory, long at, int value) {
    INTS.setRelease(BY_ADDRESS ? ALL : memory, ofInt(at), value);
  }

  /** Writes a long, plain. */
  public static void setLong(MemorySegment memory, long at, long value) {
    (BY_ADDRESS ? ALL : memory).set(ValueLayout.JAVA_LONG_UNALIGNED, ofLong(at), value);
  }

  /** Writes an int where another is expected, seq_cst; returns whether it was there. */
  public static boolean compareAndSet(long address, int expected, int value) {
    return INTS.compareAndSet(ALL, ofInt(address), expected, value);
  }

  /** Writes a long where another is expected, seq_cst; returns whether it was there. */
  public static boolean compareAndSet(long address, long expected, long value) {
    return LONGS.compareAndSet(ALL, ofLong(address), expected, value);
  }

  /** Replaces an int, seq_cst; returns what was there. */
  public static int getAndSet(long address, int value) {
    return (int) INTS.getAndSet(ALL, ofInt(address), value);
  }

  /** Replaces a long, seq_cst; returns what was there. */
  public static long getAndSet(long address, long value) {
    return (long) LONGS.getAndSet(ALL, ofLong(address), value);
  }

  /** Adds to an int, seq_cst; returns what was there. */
  public static int getAndAdd(long address, int value) {
    return (int) INTS.getAndAdd(ALL, ofInt(address), value);
  }

  /** Adds to a long, seq_cst; returns what was there. */
  public static long getAndAdd(long address, long value) {
    return (long) LONGS.getAndAdd(ALL, ofLong(address), value);
  }
}

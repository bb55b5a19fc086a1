package dev.gyre.atomics;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner.Cleanable;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the addresses of a {@link Memory} mapped for optimistic reads, also after the memory is
 * closed.
 *
 * <p><b>Purpose.</b> An optimistic read takes no lock, and close does not wait for it. While this
 * object is reachable, the addresses can be read. After close a read returns the last value or 0.
 * The reader must check afterwards whether the memory was closed, and discard the value if so.
 *
 * <p><b>Cost.</b> A read costs one or two instructions. A read of a segment costs a dozen: it
 * checks the bounds and whether the segment is open.
 *
 * <p><b>Invariants.</b> Nothing is checked here: an address outside the memory ends the JVM. A
 * write to a closed memory ends the JVM too: the writer must make sure that no thread closes the
 * memory meanwhile.
 *
 * <p><b>Memory.</b> When its memory is closed, a large block gives its pages back to the system and
 * keeps only its addresses, until the garbage collector finds the pin unreachable. If the system
 * runs out of addresses, {@link Memory} asks for a collection. A small block keeps its memory until
 * the garbage collector finds the pin unreachable. All small blocks together take at most an eighth
 * of the maximum heap; memories beyond that have no pin.
 */
@Internal
public final class AddressPin {

  private static final VarHandle INTS = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Whether accesses use raw addresses; a constant, so that HotSpot drops the other path. */
  private static final boolean BY_ADDRESS = HugePages.mayUseAddresses();

  /** A segment of all addresses; a constant, so that HotSpot drops its checks. */
  @SuppressWarnings("restricted") // Used with addresses of ours, and where it is enabled.
  private static final MemorySegment ALL =
      BY_ADDRESS ? MemorySegment.NULL.reinterpret(Long.MAX_VALUE) : MemorySegment.NULL;

  static final long MAX_SMALL_BYTES = Runtime.getRuntime().maxMemory() / 8;

  /** Bytes of small blocks that the garbage collector has not freed yet. */
  private static final AtomicLong SMALL_BYTES = new AtomicLong();

  /** Number of closed large blocks whose addresses are still mapped. */
  private static final AtomicLong LEFT = new AtomicLong();

  private final long address;

  /** Segment of a small block, which is freed when the segment is unreachable; null if large. */
  @SuppressWarnings({"unused", "FieldCanBeLocal"}) // Keeps the segment reachable.
  private final @Nullable MemorySegment block;

  private AddressPin(long address, @Nullable MemorySegment block) {
    this.address = address;
    this.block = block;
  }

  /** Makes the pin of a large block, which {@link #unmapLater} unmaps. */
  static AddressPin ofMapped(long address) {
    return new AddressPin(address, null);
  }

  /** Registers the action that unmaps the addresses once this pin is unreachable. */
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

  /** Returns the number of closed large blocks whose addresses are still mapped. */
  static long left() {
    return LEFT.get();
  }

  /**
   * Allocates a small block, all 0, that is freed once its pin is unreachable.
   *
   * @return null if small blocks take too many bytes already
   */
  static @Nullable AddressPin ofSmall(long bytes) {
    if (SMALL_BYTES.addAndGet(bytes) > MAX_SMALL_BYTES) {
      SMALL_BYTES.addAndGet(-bytes);
      return null;
    }
    MemorySegment block;
    try {
      block = Arena.ofAuto().allocate(bytes, Memory.HEADER_BYTES);
    } catch (OutOfMemoryError e) {
      SMALL_BYTES.addAndGet(-bytes);
      throw e;
    }
    AddressPin pin = new AddressPin(block.address(), block);
    Cleanable _ = Tracked.CLEANER.register(pin, () -> SMALL_BYTES.addAndGet(-bytes));
    return pin;
  }

  /** Does nothing: as the cleanup action of a segment, it keeps this pin reachable until then. */
  void release(MemorySegment ended) {}

  /** Returns the address of the block: {@link Memory#HEADER_BYTES} before the payload. */
  long block() {
    return address;
  }

  /** Returns the address of the first byte of the payload. */
  public long payload() {
    return address + Memory.HEADER_BYTES;
  }

  // The masks tell HotSpot that an address is neither negative nor misaligned, so that it drops
  // these checks.

  private static long ofInt(long address) {
    return address & 0x3fff_ffff_ffff_fffcL;
  }

  private static long ofLong(long address) {
    return address & 0x3fff_ffff_ffff_fff8L;
  }

  private static long ofByte(long address) {
    return address & 0x3fff_ffff_ffff_ffffL;
  }

  /** Reads an int, plain. */
  public static int getInt(long address) {
    return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, ofInt(address));
  }

  /** Reads a long, plain. */
  public static long getLong(long address) {
    return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, ofLong(address));
  }

  /** Reads an int, seq_cst. */
  public static int getIntVolatile(long address) {
    return (int) INTS.getVolatile(ALL, ofInt(address));
  }

  /** Reads a long, seq_cst. */
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

  // The accesses below require that no thread closes the memory meanwhile. They use the address or,
  // if native access is not enabled, the segment, which checks its bounds. The parameter "at" is
  // the result of first() plus an offset in bytes.

  /**
   * Returns the base for accesses to a segment: its address or, if accesses go through the segment,
   * 0. Checks once, for all accesses, that the host has access and that the segment is long enough.
   *
   * @param elements number of elements that the accesses may use
   * @param shift binary logarithm of the bytes of an element
   * @throws IllegalStateException if the host has no access
   * @throws IndexOutOfBoundsException if the segment is shorter
   */
  public static long first(MemorySegment memory, long elements, int shift) {
    if (!memory.scope().isAlive()) {
      throw new IllegalStateException(
          "the host has no access to this memory: it is on a device, or it was closed");
    }
    if (elements > memory.byteSize() >> shift) {
      throw new IndexOutOfBoundsException(
          "a memory of %d bytes is too short for %d elements of %d bytes"
              .formatted(memory.byteSize(), elements, 1 << shift));
    }
    return BY_ADDRESS ? memory.address() : 0;
  }

  /** Reads an int, plain. */
  public static int getInt(MemorySegment memory, long at) {
    return (BY_ADDRESS ? ALL : memory).get(ValueLayout.JAVA_INT_UNALIGNED, ofInt(at));
  }

  /** Reads a long, plain. */
  public static long getLong(MemorySegment memory, long at) {
    return (BY_ADDRESS ? ALL : memory).get(ValueLayout.JAVA_LONG_UNALIGNED, ofLong(at));
  }

  /**
   * Reads a long behind a place, plain. HotSpot computes what several reads and writes behind the
   * same place have in common once.
   *
   * @param offset bytes from the place on, which HotSpot should know not to be negative
   */
  public static long getLong(MemorySegment memory, long at, int offset) {
    return (BY_ADDRESS ? ALL : memory).get(ValueLayout.JAVA_LONG_UNALIGNED, ofLong(at) + offset);
  }

  /** Reads a byte, plain. */
  public static byte getByte(MemorySegment memory, long at) {
    return (BY_ADDRESS ? ALL : memory).get(ValueLayout.JAVA_BYTE, ofByte(at));
  }

  /** Reads 8 bytes from any address on, plain; the first byte is the lowest. */
  public static long getWord(MemorySegment memory, long at) {
    return (BY_ADDRESS ? ALL : memory).get(WORD, ofByte(at));
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

  /** Writes a long behind a place, plain: see {@link #getLong(MemorySegment, long, int)}. */
  public static void setLong(MemorySegment memory, long at, int offset, long value) {
    (BY_ADDRESS ? ALL : memory).set(ValueLayout.JAVA_LONG_UNALIGNED, ofLong(at) + offset, value);
  }

  /** Writes an int if the old value equals {@code expected}, seq_cst; returns whether it wrote. */
  public static boolean compareAndSet(long address, int expected, int value) {
    return INTS.compareAndSet(ALL, ofInt(address), expected, value);
  }

  /** Writes a long if the old value equals {@code expected}, seq_cst; returns whether it wrote. */
  public static boolean compareAndSet(long address, long expected, long value) {
    return LONGS.compareAndSet(ALL, ofLong(address), expected, value);
  }

  /** Writes an int, seq_cst; returns the old value. */
  public static int getAndSet(long address, int value) {
    return (int) INTS.getAndSet(ALL, ofInt(address), value);
  }

  /** Writes a long, seq_cst; returns the old value. */
  public static long getAndSet(long address, long value) {
    return (long) LONGS.getAndSet(ALL, ofLong(address), value);
  }

  /** Adds to an int, seq_cst; returns the old value. */
  public static int getAndAdd(long address, int value) {
    return (int) INTS.getAndAdd(ALL, ofInt(address), value);
  }

  /** Adds to a long, seq_cst; returns the old value. */
  public static long getAndAdd(long address, long value) {
    return (long) LONGS.getAndAdd(ALL, ofLong(address), value);
  }
}

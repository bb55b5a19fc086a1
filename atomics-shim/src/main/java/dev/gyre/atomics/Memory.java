package dev.gyre.atomics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Block of off-heap memory, zero at first, that threads of the JVM and of devices share.
 *
 * <p>Handles read and write it. Several handles may refer to one memory:
 *
 * <pre>{@code
 * try (Memory memory = Memory.ofInts(100)) {
 *   DeviceInts ints = DeviceInts.of(memory);
 *   ints.storeRelease(0, 42);
 * }
 * }</pre>
 *
 * <p><b>Layout.</b> The payload starts {@value #HEADER_BYTES} bytes into a segment that is aligned
 * to {@value #HEADER_BYTES} bytes. No naturally aligned element straddles a cache line or a sector.
 * A device runtime that needs an array header in front of the elements wraps the segment in place.
 *
 * <p><b>Threads.</b> All methods are thread-safe.
 *
 * <p><b>Memory.</b> The owner must close each memory. A device accesses a memory in launches and
 * copies, and {@link #close} waits for them. If they do not end in time, or if a thread of the host
 * is inside an access, close frees nothing and throws {@link MemoryInUseException}. The owner may
 * call it again. The system property {@code gyre.memory.limit} limits the memory of the process.
 *
 * @since 0.1.0
 */
public final class Memory implements MemoryRange, AutoCloseable {

  /** Distance from the start of {@link #segmentWithHeader()} to the payload, in bytes. */
  public static final int HEADER_BYTES = 64;

  private static final long SMALLEST_PAGE = 4096;

  /** Number of memories that are not closed. */
  private static final AtomicLong OPEN = new AtomicLong();

  private final Arena arena;
  private final MemorySegment whole;
  private final MemorySegment payload;

  /** Bytes that this memory takes from {@link MemoryBudget#PROCESS}. */
  private final long budget;

  /** Whether the host has access to the payload. */
  private final boolean onHost;

  /** Whether the system allocates each page at its first use. */
  private final boolean paged;

  /** Lock of the thread that frees. The holder never waits for the monitor of this object. */
  private final Object freeing = new Object();

  // Guarded by this.
  private final List<Runnable> beforeFree = new ArrayList<>();

  /** Written under the monitor, so that no action is added afterwards. */
  private volatile boolean closed;

  // Guarded by freeing.
  private boolean freed;

  /** Keeps the addresses after close; null if they end with this memory. */
  private volatile @Nullable AddressPin pin;

  /** Whether a caller has asked for the pin; written under the monitor. */
  private volatile boolean isPinTaken;

  private Memory(
      Arena arena, MemorySegment whole, MemorySegment payload, long budget, boolean paged) {
    this.arena = arena;
    this.budget = budget;
    this.onHost = payload.scope().isAlive();
    this.whole = whole;
    this.payload = payload;
    this.paged = paged;
  }

  /**
   * Allocates memory for {@code count} bytes, all 0.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws MemoryExhaustedException if the limit or the system leaves too little memory
   */
  public static Memory ofBytes(long count) {
    return allocate(count, 1);
  }

  /**
   * Allocates memory for {@code count} ints, all 0.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws MemoryExhaustedException if the limit or the system leaves too little memory
   */
  public static Memory ofInts(long count) {
    return allocate(count, Integer.BYTES);
  }

  /**
   * Allocates memory for {@code count} longs, all 0.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws MemoryExhaustedException if the limit or the system leaves too little memory
   */
  public static Memory ofLongs(long count) {
    return allocate(count, Long.BYTES);
  }

  /**
   * Allocates memory for {@code count} floats, all 0.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws MemoryExhaustedException if the limit or the system leaves too little memory
   */
  public static Memory ofFloats(long count) {
    return allocate(count, Float.BYTES);
  }

  /**
   * Allocates memory for {@code count} doubles, all 0.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws MemoryExhaustedException if the limit or the system leaves too little memory
   */
  public static Memory ofDoubles(long count) {
    return allocate(count, Double.BYTES);
  }

  private static void requireAddressable(long count, int elementBytes) {
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative: " + count);
    }
    if (count > (Long.MAX_VALUE - HEADER_BYTES - Long.BYTES) / elementBytes) {
      throw new MemoryExhaustedException(
          count + " elements of " + elementBytes + " bytes are more than can be addressed",
          Long.MAX_VALUE,
          null);
    }
  }

  /**
   * Allocates memory whose addresses can stay mapped after close; see {@link #addressPin}.
   *
   * @param count number of elements
   * @param elementBytes bytes of each element
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws MemoryExhaustedException if the limit or the system leaves too little memory
   */
  @Internal
  public static Memory addressable(long count, int elementBytes) {
    requireAddressable(count, elementBytes);
    return HugePages.mayUseAddresses()
        ? allocate(count * elementBytes, Memory::addressable)
        : allocate(count, elementBytes);
  }

  private static Memory allocate(long count, int elementBytes) {
    requireAddressable(count, elementBytes);
    return allocate(count * elementBytes, Memory::prompt);
  }

  /** Makes a memory of {@code taken} bytes with a payload of {@code bytes}. */
  @FunctionalInterface
  private interface Making {
    Memory make(Arena arena, long taken, long bytes);
  }

  /** Makes a memory whose addresses end when it is closed. */
  private static Memory prompt(Arena arena, long taken, long bytes) {
    MemorySegment large = HugePages.allocate(taken, arena);
    MemorySegment whole = large != null ? large : arena.allocate(taken, HEADER_BYTES);
    return new Memory(arena, whole, whole.asSlice(HEADER_BYTES, bytes), taken, large != null);
  }

  @SuppressWarnings("restricted") // The block is the pin's, and its end is known.
  private static Memory addressable(Arena arena, long taken, long bytes) {
    HugePages.Mapping large = HugePages.map(taken);
    AddressPin pin =
        large != null ? AddressPin.ofMapped(large.address()) : AddressPin.ofSmall(taken);
    if (pin == null) {
      return prompt(arena, taken, bytes);
    }
    // The cleanup action of the arena keeps the memory and its pin reachable until the arena ends.
    // Afterwards only readers keep the pin reachable.
    AtomicReference<@Nullable Memory> made = new AtomicReference<>();
    MemorySegment whole =
        large != null
            ? large.segment(arena, () -> unmap(large, made.get()))
            // A caller may hold only the segment of a memory that was never closed: this action
            // keeps the block reachable for it.
            : MemorySegment.ofAddress(pin.block()).reinterpret(taken, arena, pin::release);
    Memory memory =
        new Memory(arena, whole, whole.asSlice(HEADER_BYTES, bytes), taken, large != null);
    memory.pin = pin;
    made.set(memory);
    return memory;
  }

  /** Unmaps a block. If a caller has the pin, gives back its pages and keeps its addresses. */
  private static void unmap(HugePages.Mapping mapping, @Nullable Memory of) {
    AddressPin pin = of == null ? null : of.pin;
    if (of == null || pin == null || !of.isPinTaken) {
      mapping.unmap();
    } else {
      mapping.giveBackPages();
      pin.unmapLater(mapping::unmap);
    }
  }

  /**
   * Returns the pin that keeps the addresses of this memory mapped after close.
   *
   * @return null if this memory was not made by {@link #addressable}, if native access is not
   *     enabled for this module (JVM option {@code --enable-native-access}), or if too many small
   *     memories have a pin
   * @throws ClosedException if this memory is closed
   */
  @Internal
  public synchronized @Nullable AddressPin addressPin() {
    requireOpen();
    isPinTaken = true;
    return pin;
  }

  private static Memory allocate(long bytes, Making making) {
    long taken = HEADER_BYTES + wholeLongs(bytes);
    return orAfterCollection(taken, () -> allocate(bytes, taken, making));
  }

  /**
   * Allocates. If memory is exhausted and a garbage collection may have freed dropped structures,
   * allocates again.
   */
  private static Memory orAfterCollection(long taken, Supplier<Memory> allocation) {
    try {
      return allocation.get();
    } catch (MemoryExhaustedException e) {
      // If the system has no more memory, nothing tells when there is enough.
      boolean bySystem = e.getCause() != null;
      if (!MemoryBudget.PROCESS.couldFit(taken)
          || !Tracked.collect(() -> !bySystem && MemoryBudget.PROCESS.fits(taken))) {
        throw e;
      }
      return allocation.get();
    }
  }

  private static Memory allocate(long bytes, long taken, Making making) {
    MemoryBudget.PROCESS.take(taken);
    Arena arena = Arena.ofShared();
    try {
      Memory memory = making.make(arena, taken, bytes);
      OPEN.incrementAndGet();
      return memory;
    } catch (OutOfMemoryError e) {
      arena.close();
      MemoryBudget.PROCESS.giveBack(taken);
      throw new MemoryExhaustedException(
          "cannot allocate %d bytes of off-heap memory: the system has no more memory; %s"
              .formatted(bytes, unclosed()),
          bytes,
          e);
    } catch (RuntimeException | Error e) {
      arena.close();
      MemoryBudget.PROCESS.giveBack(taken);
      throw e;
    }
  }

  /** Describes, for a message, how many memories were never closed. */
  static String unclosed() {
    long dropped = Tracked.dropped();
    String freed =
        dropped == 0
            ? ""
            : ", and the garbage collector freed %d structures that were not closed (-D%s=trace records where they are made)"
                .formatted(dropped, Tracked.PROPERTY);
    return "%d memories were never closed%s".formatted(OPEN.get(), freed);
  }

  /**
   * Maps a file privately: its first {@value #HEADER_BYTES} bytes are the header, the rest is the
   * payload.
   *
   * <p>Writes to the memory do not reach the file. While the memory is open, no process may change
   * the file: if it becomes shorter, an access ends the JVM.
   *
   * @param file a channel that is open to read and write
   * @throws IOException if the system cannot map the file
   * @throws IllegalArgumentException if the file has fewer than {@value #HEADER_BYTES} bytes
   * @throws MemoryExhaustedException if the limit leaves too little memory
   */
  public static Memory ofMapped(FileChannel file) throws IOException {
    return ofMapped(file, 0, file.size() - HEADER_BYTES);
  }

  /**
   * Maps a part of a file, as {@link #ofMapped(FileChannel)} maps all of it.
   *
   * @param file a channel that is open to read and write
   * @param at offset of the header in the file, in bytes; a multiple of {@value #HEADER_BYTES}
   * @param bytes length of the payload, in bytes
   * @throws IOException if the system cannot map the file
   * @throws IllegalArgumentException if {@code at} is no such multiple, or if the file ends before
   *     the payload does
   * @throws MemoryExhaustedException if the limit leaves too little memory
   */
  public static Memory ofMapped(FileChannel file, long at, long bytes) throws IOException {
    if (at < 0 || at % HEADER_BYTES != 0) {
      throw new IllegalArgumentException(
          "the header must begin at a multiple of %d bytes, not at %d".formatted(HEADER_BYTES, at));
    }
    if (bytes < 0 || bytes > file.size() - at - HEADER_BYTES) {
      throw new IllegalArgumentException(
          "a file of %d bytes is too short for a header and %d bytes at %d"
              .formatted(file.size(), bytes, at));
    }
    long taken = Math.min(HEADER_BYTES + wholeLongs(bytes), file.size() - at);
    try {
      Making mapping = (arena, length, payload) -> map(file, at, arena, length, payload);
      return orAfterCollection(taken, () -> allocate(bytes, taken, mapping));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static Memory map(FileChannel file, long at, Arena arena, long taken, long bytes) {
    try {
      MemorySegment whole = file.map(MapMode.PRIVATE, at, taken, arena);
      return new Memory(arena, whole, whole.asSlice(HEADER_BYTES, bytes), taken, false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Wraps a block that the driver of a device allocated. Launchers call it.
   *
   * @param block header and payload, all 0, aligned to {@value #HEADER_BYTES} bytes
   * @param bytes length of the payload, in bytes; the block is as long as {@link #blockBytes} says
   * @param free gives the block back to the driver; runs when this memory is freed
   */
  @SuppressWarnings("restricted") // The block is the driver's, and its end is known.
  public static Memory ofBlock(MemorySegment block, long bytes, Runnable free) {
    Arena arena = Arena.ofShared();
    MemorySegment whole = block.reinterpret(block.byteSize(), arena, _ -> free.run());
    OPEN.incrementAndGet();
    return new Memory(arena, whole, whole.asSlice(HEADER_BYTES, bytes), 0, false);
  }

  /**
   * Makes memory that only a device can use. Launchers call it.
   *
   * <p>The host has an address for it and no pages. An access on the host throws {@link
   * IllegalStateException}.
   *
   * @param bytes length of the payload, in bytes
   * @throws MemoryExhaustedException if the host cannot reserve the addresses
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public static Memory onDevice(long bytes) {
    Memory host = ofBytes(bytes);
    return new Memory(host.arena, host.whole, closed(host.payload), host.budget, host.paged);
  }

  /** Returns a segment of the same address and length whose arena is closed. */
  @SuppressWarnings("restricted") // Nothing is reached by it.
  private static MemorySegment closed(MemorySegment like) {
    try (Arena arena = Arena.ofShared()) {
      return MemorySegment.ofAddress(like.address()).reinterpret(like.byteSize(), arena, null);
    }
  }

  /**
   * Returns the size of a block, in bytes: the header, and the payload rounded up to whole longs.
   *
   * @param bytes length of the payload, in bytes
   * @throws IllegalArgumentException if {@code bytes} is negative
   * @throws MemoryExhaustedException if the block exceeds the address space
   */
  public static long blockBytes(long bytes) {
    requireAddressable(bytes, 1);
    return HEADER_BYTES + wholeLongs(bytes);
  }

  /**
   * Looks up the system calls for large blocks in the background. Launchers of devices call it, so
   * that the first large block does not wait for the lookup.
   *
   * <p>On Linux, if native access is enabled for this module (JVM option {@code
   * --enable-native-access}), the system allocates a large block page by page as the host first
   * uses it. Otherwise the JVM writes zeros to the whole block.
   */
  public static void expectLargeBlocks() {
    Thread _ = Thread.ofPlatform().daemon().name("gyre-memory").start(HugePages::prepare);
  }

  /** Rounds up to whole longs: a device runtime may wrap any segment as an array of longs. */
  private static long wholeLongs(long bytes) {
    return (bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
  }

  /** Returns whether the host has access to the payload; otherwise only a device has. */
  public boolean isOnHost() {
    return onHost;
  }

  /** A proper part of a memory's payload. */
  record Range(Memory memory, long from, long byteSize) implements MemoryRange {}

  /** Returns this memory: as a range, a memory is its whole payload. */
  @Override
  public Memory memory() {
    return this;
  }

  /** Returns 0, the offset at which the payload begins. */
  @Override
  public long from() {
    return 0;
  }

  /** Returns the size of the payload, in bytes. */
  @Override
  public long byteSize() {
    return payload.byteSize();
  }

  /**
   * Returns the range of the first {@code bytes} bytes of the payload.
   *
   * @throws IllegalArgumentException if the payload is shorter
   */
  public MemoryRange first(long bytes) {
    return range(0, bytes);
  }

  /**
   * Returns the range of {@code bytes} bytes that begins {@code from} bytes into the payload.
   *
   * @throws IllegalArgumentException if the range is not within the payload
   */
  public MemoryRange range(long from, long bytes) {
    if (from < 0 || bytes < 0 || bytes > byteSize() - from) {
      throw new IllegalArgumentException(
          "a range of %d bytes at offset %d is outside a memory of %d bytes"
              .formatted(bytes, from, byteSize()));
    }
    return new Range(this, from, bytes);
  }

  /**
   * Returns the payload, for bulk access by the host.
   *
   * <p>If the host {@linkplain #isOnHost has no access}, every access to the segment throws {@link
   * IllegalStateException}.
   *
   * @throws ClosedException if this memory is closed
   */
  public MemorySegment segment() {
    requireOpen();
    return payload;
  }

  /**
   * Has the system allocate the pages of a part of this memory, so that the first user of a page
   * need not wait. Does nothing if the JVM has written the memory already; see {@link
   * #expectLargeBlocks}.
   *
   * <p>Call it before the first use only: it overwrites elements with 0. Several threads may each
   * do a part.
   *
   * @param from first byte of the part
   * @param to end of the part, exclusive
   * @throws ClosedException if this memory is closed
   */
  public void givePages(long from, long to) {
    requireOpen();
    for (long at = from; paged && at < to; at += SMALLEST_PAGE) {
      payload.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
    }
  }

  /**
   * Returns the whole segment; the payload starts at {@link #HEADER_BYTES}. The header belongs to
   * the device runtime that wraps the segment.
   *
   * @throws ClosedException if this memory is closed
   */
  public MemorySegment segmentWithHeader() {
    requireOpen();
    return whole;
  }

  /**
   * Registers an action to run before the memory is freed, such as the release of a device's copy.
   *
   * <p>{@link #close} runs actions in reverse order of registration, without a lock that {@link
   * #segment} would wait for. If an action throws {@link MemoryInUseException}, the memory is not
   * freed, and the next close runs the action again.
   *
   * @throws ClosedException if this memory is closed
   */
  public synchronized void beforeFree(Runnable action) {
    requireOpen();
    beforeFree.add(action);
  }

  /**
   * Removes an action of {@link #beforeFree}, compared by identity. Does nothing if it is absent.
   */
  @SuppressWarnings("ReferenceEquality") // that action, not one like it
  public synchronized void forget(Runnable action) {
    boolean _ = beforeFree.removeIf(a -> a == action);
  }

  /** Returns whether {@link #close} has begun. */
  public boolean isClosed() {
    return closed;
  }

  private void requireOpen() {
    if (closed) {
      throw new ClosedException("memory of " + payload.byteSize() + " bytes");
    }
  }

  /**
   * Runs the actions of {@link #beforeFree}, which wait for devices that use this memory, and frees
   * it. Further calls do nothing. An interrupt does not end the wait; the interrupt status is kept.
   *
   * @throws MemoryInUseException if a device does not stop using this memory in time, or another
   *     thread is inside an access, such as a channel that writes it. This memory is not freed
   *     then; call close again
   * @throws RuntimeException if an action throws; the exception of the first such action. All
   *     actions have run, and this memory is freed
   */
  @Override
  public void close() {
    synchronized (freeing) {
      RuntimeException failure = null;
      boolean free = true;
      for (Runnable action : beginToClose()) {
        try {
          action.run();
          forget(action);
        } catch (MemoryInUseException e) {
          free = false;
          failure = first(failure, e);
        } catch (RuntimeException e) {
          forget(action);
          failure = first(failure, e);
        }
      }
      try {
        free(free);
      } catch (MemoryInUseException e) {
        failure = first(failure, e);
      }
      if (failure != null) {
        throw failure;
      }
    }
  }

  /** Lets no thread add actions any more, and returns the actions to run. */
  private synchronized List<Runnable> beginToClose() {
    closed = true;
    return List.copyOf(beforeFree).reversed();
  }

  /** Combines failures: an exception that keeps the memory takes precedence over any other. */
  private static RuntimeException first(@Nullable RuntimeException first, RuntimeException next) {
    if (first == null) {
      return next;
    }
    boolean kept = next instanceof MemoryInUseException && !(first instanceof MemoryInUseException);
    RuntimeException thrown = kept ? next : first;
    thrown.addSuppressed(kept ? first : next);
    return thrown;
  }

  private void free(boolean free) {
    if (free && !freed) {
      try {
        arena.close();
      } catch (IllegalStateException e) {
        throw new MemoryInUseException(
            "memory of %d bytes is not freed: a thread is inside an access; close it again after that"
                .formatted(byteSize()),
            e);
      } finally {
        // The arena may be closed although an action of its end, such as unmapping, has failed.
        if (!arena.scope().isAlive()) {
          freed = true;
          pin = null;
          MemoryBudget.PROCESS.giveBack(budget);
          OPEN.decrementAndGet();
        }
      }
    }
  }
}

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
 * Owner of a block of off-heap memory, zero at first, that the threads of the JVM and of devices
 * share.
 *
 * <p>The payload starts {@value #HEADER_BYTES} bytes into a segment that is aligned to as many, so
 * that no naturally aligned element straddles a cache line or a sector, and so that a device
 * runtime which wants an array header in front of the elements can wrap the segment in place.
 *
 * <p>Give access with a handle: {@code DeviceInts.of(memory)}, {@code Bytes.of(memory)}. Several
 * handles may look at one memory.
 *
 * <p>Thread-safe. A device may read and write a memory by itself, for launches and copies that are
 * queued or under way: {@link #close} waits for those. What does not end within the time that a
 * device is given, and a thread of the host that is inside an access, it does not wait for: it
 * frees nothing then, throws {@link MemoryInUseException}, and may be called again.
 */
public final class Memory implements MemoryRange, AutoCloseable {

  /** Distance from the start of {@link #segmentWithHeader()} to the payload, in bytes. */
  public static final int HEADER_BYTES = 64;

  private static final long SMALLEST_PAGE = 4096;

  /** How many are not closed. */
  private static final AtomicLong OPEN = new AtomicLong();

  private final Arena arena;
  private final MemorySegment whole;
  private final MemorySegment payload;

  /** What it takes of {@link MemoryBudget#PROCESS}. */
  private final long budget;

  /** Whether the host reaches the payload. */
  private final boolean onHost;

  /** Whether the system gives the pages as they are first used. */
  private final boolean paged;

  /** Held by who frees; never while waiting for this object's own lock. */
  private final Object freeing = new Object();

  // Guarded by this.
  private final List<Runnable> beforeFree = new ArrayList<>();

  /** Written under the lock, so that no action is added after it. */
  private volatile boolean closed;

  // Guarded by freeing.
  private boolean freed;

  /** Where the addresses can outlive this. */
  private volatile @Nullable Hold hold;

  /** Written under the lock. */
  private volatile boolean held;

  private Memory(
      Arena arena, MemorySegment whole, MemorySegment payload, long budget, boolean paged) {
    this(arena, whole, payload, budget, paged, true);
  }

  private Memory(
      Arena arena,
      MemorySegment whole,
      MemorySegment payload,
      long budget,
      boolean paged,
      boolean onHost) {
    this.arena = arena;
    this.budget = budget;
    this.onHost = onHost;
    this.whole = whole;
    this.payload = payload;
    this.paged = paged;
  }

  /**
   * Allocates memory for {@code count} bytes.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws MemoryExhaustedException if there is not as much
   */
  public static Memory ofBytes(long count) {
    return allocate(count, 1);
  }

  /**
   * Allocates memory for {@code count} ints.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws MemoryExhaustedException if there is not as much
   */
  public static Memory ofInts(long count) {
    return allocate(count, Integer.BYTES);
  }

  /**
   * Allocates memory for {@code count} longs.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws MemoryExhaustedException if there is not as much
   */
  public static Memory ofLongs(long count) {
    return allocate(count, Long.BYTES);
  }

  /**
   * Allocates memory for {@code count} floats.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws MemoryExhaustedException if there is not as much
   */
  public static Memory ofFloats(long count) {
    return allocate(count, Float.BYTES);
  }

  /**
   * Allocates memory for {@code count} doubles.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws MemoryExhaustedException if there is not as much
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
   * Allocates memory whose addresses may outlive it; see {@link #hold}. Else it is as any other.
   *
   * @param elementBytes of each of {@code count} elements
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws MemoryExhaustedException if there is not as much
   */
  @Internal
  public static Memory holdable(long count, int elementBytes) {
    requireAddressable(count, elementBytes);
    return HugePages.mayUseAddresses()
        ? allocate(count * elementBytes, Memory::holdable)
        : allocate(count, elementBytes);
  }

  private static Memory allocate(long count, int elementBytes) {
    requireAddressable(count, elementBytes);
    return allocate(count * elementBytes, Memory::prompt);
  }

  /** How memory is made of a block of so many bytes, of which the payload has so many. */
  @FunctionalInterface
  private interface Making {
    Memory make(Arena arena, long taken, long bytes);
  }

  /** Freed when it is closed. */
  private static Memory prompt(Arena arena, long taken, long bytes) {
    MemorySegment large = HugePages.allocate(taken, arena);
    MemorySegment whole = large != null ? large : arena.allocate(taken, HEADER_BYTES);
    return new Memory(arena, whole, whole.asSlice(HEADER_BYTES, bytes), taken, large != null);
  }

  @SuppressWarnings("restricted") // The block is the hold's, and its end is known.
  private static Memory holdable(Arena arena, long taken, long bytes) {
    HugePages.Mapping large = HugePages.map(taken);
    Hold hold = large != null ? Hold.ofMapped(large.address()) : Hold.ofSmall(taken);
    if (hold == null) {
      return prompt(arena, taken, bytes);
    }
    // What is done at the arena's end keeps the memory and its hold until then; from then on only
    // readers keep the hold.
    AtomicReference<@Nullable Memory> made = new AtomicReference<>();
    MemorySegment whole =
        large != null
            ? large.segment(arena, () -> unmap(large, made.get()))
            // Until then: who has the segment alone, of a memory that was never closed, uses it.
            : MemorySegment.ofAddress(hold.block()).reinterpret(taken, arena, hold::release);
    Memory memory =
        new Memory(arena, whole, whole.asSlice(HEADER_BYTES, bytes), taken, large != null);
    memory.hold = hold;
    made.set(memory);
    return memory;
  }

  /** Where somebody has the hold, all but the addresses. */
  private static void unmap(HugePages.Mapping mapping, @Nullable Memory of) {
    Hold hold = of == null ? null : of.hold;
    if (of == null || hold == null || !of.held) {
      mapping.unmap();
    } else {
      mapping.giveBackPages();
      hold.unmapLater(mapping::unmap);
    }
  }

  /**
   * What keeps the addresses of this memory once it was closed; null where there is no such thing:
   * the memory is none that is {@link #holdable}, or native access is not enabled for this module
   * (JVM option {@code --enable-native-access}), or too many have a hold.
   *
   * @throws ClosedException if this memory was closed
   */
  @Internal
  public synchronized @Nullable Hold hold() {
    requireOpen();
    held = true;
    return hold;
  }

  private static Memory allocate(long bytes, Making making) {
    long taken = HEADER_BYTES + wholeLongs(bytes);
    return orAfterCollection(taken, () -> allocate(bytes, taken, making));
  }

  /**
   * Allocates, and once more if there is no room and a garbage collection may have freed structures
   * that were dropped.
   */
  private static Memory orAfterCollection(long taken, Supplier<Memory> allocation) {
    try {
      return allocation.get();
    } catch (MemoryExhaustedException e) {
      // If the system has no more, it is not known when there is enough.
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
          "cannot allocate %d bytes of off-heap memory: the system has no more; %s"
              .formatted(bytes, unclosed()),
          bytes,
          e);
    } catch (RuntimeException | Error e) {
      arena.close();
      MemoryBudget.PROCESS.giveBack(taken);
      throw e;
    }
  }

  /** Says, for a message, how many memories were not closed. */
  static String unclosed() {
    long dropped = Tracked.dropped();
    String freed =
        dropped == 0
            ? ""
            : ", and %d structures that were dropped without being closed were freed (-D%s=trace records where they are made)"
                .formatted(dropped, Tracked.PROPERTY);
    return "%d memories were never closed%s".formatted(OPEN.get(), freed);
  }

  /**
   * Maps a file privately: its first {@value #HEADER_BYTES} bytes are the header, the rest is the
   * payload. What is written later does not reach the file. Nobody may change the file meanwhile:
   * where it becomes shorter, an access ends the JVM.
   *
   * @param file open to read and write, of at least {@value #HEADER_BYTES} bytes
   * @throws IOException if it cannot be mapped
   * @throws MemoryExhaustedException if there is not as much memory
   */
  public static Memory ofMapped(FileChannel file) throws IOException {
    return ofMapped(file, 0, file.size() - HEADER_BYTES);
  }

  /**
   * Maps a part of a file as {@link #ofMapped(FileChannel)} does the whole.
   *
   * @param at where the header begins, a multiple of {@value #HEADER_BYTES}
   * @param bytes length of the payload; where it is no multiple of 8, the file is longer
   */
  public static Memory ofMapped(FileChannel file, long at, long bytes) throws IOException {
    if (at < 0 || at % HEADER_BYTES != 0) {
      throw new IllegalArgumentException("no multiple of " + HEADER_BYTES + ": " + at);
    }
    if (bytes < 0 || bytes > file.size() - at - HEADER_BYTES) {
      throw new IllegalArgumentException(
          "a file of %d bytes has no header and %d bytes at %d".formatted(file.size(), bytes, at));
    }
    long taken = Math.min(HEADER_BYTES + wholeLongs(bytes), file.size() - at);
    try {
      return orAfterCollection(taken, () -> map(file, at, taken, bytes));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static Memory map(FileChannel file, long at, long taken, long bytes) {
    MemoryBudget.PROCESS.take(taken);
    Arena arena = Arena.ofShared();
    try {
      MemorySegment whole = file.map(MapMode.PRIVATE, at, taken, arena);
      Memory memory = new Memory(arena, whole, whole.asSlice(HEADER_BYTES, bytes), taken, false);
      OPEN.incrementAndGet();
      return memory;
    } catch (IOException e) {
      arena.close();
      MemoryBudget.PROCESS.giveBack(taken);
      throw new UncheckedIOException(e);
    } catch (RuntimeException | Error e) {
      arena.close();
      MemoryBudget.PROCESS.giveBack(taken);
      throw e;
    }
  }

  /**
   * Memory in a block that the driver of a device made, for launchers.
   *
   * @param block header and payload, all 0, aligned to {@value #HEADER_BYTES} bytes
   * @param bytes length of the payload; the block has whole longs
   * @param free gives the block back, when this memory is freed
   */
  @SuppressWarnings("restricted") // The block is the driver's, and its end is known.
  public static Memory ofBlock(MemorySegment block, long bytes, Runnable free) {
    Arena arena = Arena.ofShared();
    MemorySegment whole = block.reinterpret(block.byteSize(), arena, _ -> free.run());
    OPEN.incrementAndGet();
    return new Memory(arena, whole, whole.asSlice(HEADER_BYTES, bytes), 0, false);
  }

  /**
   * Memory that is on a device alone, for launchers: the host has an address for it and no pages,
   * and who uses the elements there gets an {@link IllegalStateException}.
   *
   * @throws MemoryExhaustedException if the host has not as many addresses
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public static Memory onDevice(long bytes) {
    Memory host = ofBytes(bytes);
    return new Memory(host.arena, host.whole, closed(host.payload), host.budget, host.paged, false);
  }

  /** A segment as long, which nobody can use any more. */
  @SuppressWarnings("restricted") // Nothing is reached by it.
  private static MemorySegment closed(MemorySegment like) {
    try (Arena arena = Arena.ofShared()) {
      return MemorySegment.ofAddress(like.address()).reinterpret(like.byteSize(), arena, null);
    }
  }

  /**
   * Size of a block with so large a payload, in bytes: the header, and whole longs.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative
   * @throws MemoryExhaustedException if it is more than can be addressed
   */
  public static long blockBytes(long bytes) {
    requireAddressable(bytes, 1);
    return HEADER_BYTES + wholeLongs(bytes);
  }

  /**
   * Makes ready, in the background, for large blocks, as launchers of devices ask for: the first
   * one then need not wait until the system's calls were looked up.
   *
   * <p>A large block is given by the system page by page, as the host first uses it, where the
   * system is Linux and native access is enabled for this module (JVM option {@code
   * --enable-native-access}); elsewhere it is written with zeros as a whole.
   */
  public static void expectLargeBlocks() {
    Thread _ = Thread.ofPlatform().daemon().name("gyre-memory").start(HugePages::prepare);
  }

  /** A device runtime may wrap the segment as an array of longs, whatever it holds. */
  private static long wholeLongs(long bytes) {
    return (bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
  }

  /** Whether the host reaches the payload; else only a device does. */
  public boolean isOnHost() {
    return onHost;
  }

  /** A range of a memory that is not all of it. */
  record Range(Memory memory, long from, long byteSize) implements MemoryRange {}

  /** This memory, whose range is its whole payload. */
  @Override
  public Memory memory() {
    return this;
  }

  /** 0: the payload begins there. */
  @Override
  public long from() {
    return 0;
  }

  /** Size of the payload, in bytes. */
  @Override
  public long byteSize() {
    return payload.byteSize();
  }

  /** The range of the first bytes of the payload; see {@link #range}. */
  public MemoryRange first(long bytes) {
    return range(0, bytes);
  }

  /**
   * A range of the payload.
   *
   * @throws IllegalArgumentException if the payload does not have so many bytes there
   */
  public MemoryRange range(long from, long bytes) {
    if (from < 0 || bytes < 0 || bytes > byteSize() - from) {
      throw new IllegalArgumentException(
          "a memory of %d bytes has no part of %d from %d on".formatted(byteSize(), bytes, from));
    }
    return new Range(this, from, bytes);
  }

  /**
   * The payload, for bulk access by the host; where it {@linkplain #isOnHost has none}, every
   * access throws an {@link IllegalStateException}.
   *
   * @throws ClosedException if this memory was closed
   */
  public MemorySegment segment() {
    requireOpen();
    return payload;
  }

  /**
   * Has the system give the pages of a part of this memory, which was just made and is still zero,
   * before who uses them first has to wait for that; several threads may do a part each. See {@link
   * #expectLargeBlocks} for when there is something to wait for.
   *
   * @throws ClosedException if this memory was closed
   */
  public void givePages(long from, long to) {
    requireOpen();
    for (long at = from; paged && at < to; at += SMALLEST_PAGE) {
      payload.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
    }
  }

  /**
   * The whole segment; the payload starts at {@link #HEADER_BYTES}. What is before belongs to the
   * device runtime that wraps it.
   *
   * @throws ClosedException if this memory was closed
   */
  public MemorySegment segmentWithHeader() {
    requireOpen();
    return whole;
  }

  /**
   * Registers an action to run before the memory is freed, such as the release of a device's copy.
   * Actions run in reverse order of registration, without a lock that {@link #segment} would wait
   * for. One that throws {@link MemoryInUseException} keeps the memory from being freed, and runs
   * again when it is closed again.
   *
   * @throws ClosedException if this memory was closed
   */
  public synchronized void beforeFree(Runnable action) {
    requireOpen();
    beforeFree.add(action);
  }

  /**
   * Takes back an action of {@link #beforeFree}: that very object; does nothing if it is not there.
   */
  @SuppressWarnings("ReferenceEquality") // that action, not one like it
  public synchronized void forget(Runnable action) {
    boolean _ = beforeFree.removeIf(a -> a == action);
  }

  /** Whether {@link #close} has begun. */
  public boolean isClosed() {
    return closed;
  }

  private void requireOpen() {
    if (closed) {
      throw new ClosedException("memory of " + payload.byteSize() + " bytes");
    }
  }

  /**
   * Runs the actions of {@link #beforeFree}, which wait for devices that work on this memory, and
   * frees it; calls after that do nothing. An interrupt does not end the wait, and is kept.
   *
   * @throws MemoryInUseException if a device may touch the memory and does not come to an end, or
   *     another thread is inside an access, such as a channel that writes it; the memory is then
   *     kept, and still to be freed by another call
   * @throws RuntimeException what the first action threw that threw anything; all have run then,
   *     and the memory is freed unless that is a {@link MemoryInUseException}
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

  /** Lets nobody begin, and says what those want done who have begun. */
  private synchronized List<Runnable> beginToClose() {
    closed = true;
    return List.copyOf(beforeFree).reversed();
  }

  /** What keeps the memory goes before what does not. */
  private static RuntimeException first(@Nullable RuntimeException first, RuntimeException next) {
    if (first == null) {
      return next;
    }
    boolean kept = next instanceof MemoryInUseException && !(first instanceof MemoryInUseException);
    RuntimeException told = kept ? next : first;
    told.addSuppressed(kept ? first : next);
    return told;
  }

  private void free(boolean free) {
    if (free && !freed) {
      try {
        arena.close();
      } catch (IllegalStateException e) {
        throw new MemoryInUseException(
            "memory of %d bytes is kept: a thread is inside an access; close it again after that"
                .formatted(byteSize()),
            e);
      }
      freed = true;
      hold = null;
      MemoryBudget.PROCESS.giveBack(budget);
      OPEN.decrementAndGet();
    }
  }
}

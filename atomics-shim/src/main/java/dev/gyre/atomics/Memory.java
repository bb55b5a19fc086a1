package dev.gyre.atomics;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.util.ArrayList;
import java.util.List;
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
 * <p>Thread-safe. {@link #close} waits for nobody: it throws {@link IllegalStateException} and
 * frees nothing while another thread is inside an access, and may be called again.
 */
public final class Memory implements AutoCloseable {

  /** Distance from the start of {@link #segmentWithHeader()} to the payload, in bytes. */
  public static final int HEADER_BYTES = 64;

  private static final long SMALLEST_PAGE = 4096;

  private final Arena arena;
  private final MemorySegment whole;
  private final MemorySegment payload;

  /** Whether the system gives the pages as they are first used. */
  private final boolean paged;

  private final List<Runnable> beforeFree = new ArrayList<>();
  private boolean closed;
  private boolean freed;

  private Memory(Arena arena, MemorySegment whole, MemorySegment payload, boolean paged) {
    this.arena = arena;
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

  private static Memory allocate(long count, int elementBytes) {
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative: " + count);
    }
    if (count > (Long.MAX_VALUE - HEADER_BYTES - Long.BYTES) / elementBytes) {
      throw new MemoryExhaustedException(
          count + " elements of " + elementBytes + " bytes are more than can be addressed",
          Long.MAX_VALUE,
          null);
    }
    long bytes = count * elementBytes;
    long taken = HEADER_BYTES + wholeLongs(bytes);
    MemoryBudget.PROCESS.take(taken);
    Arena arena = Arena.ofShared();
    try {
      MemorySegment large = HugePages.allocate(taken, arena);
      MemorySegment whole = large != null ? large : arena.allocate(taken, HEADER_BYTES);
      return new Memory(arena, whole, whole.asSlice(HEADER_BYTES, bytes), large != null);
    } catch (OutOfMemoryError e) {
      arena.close();
      MemoryBudget.PROCESS.giveBack(taken);
      throw new MemoryExhaustedException(
          "cannot allocate " + bytes + " bytes of off-heap memory: the system has no more",
          bytes,
          e);
    } catch (RuntimeException | Error e) {
      arena.close();
      MemoryBudget.PROCESS.giveBack(taken);
      throw e;
    }
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
    MemoryBudget.PROCESS.take(taken);
    Arena arena = Arena.ofShared();
    try {
      MemorySegment whole = file.map(MapMode.PRIVATE, at, taken, arena);
      return new Memory(arena, whole, whole.asSlice(HEADER_BYTES, bytes), false);
    } catch (IOException | RuntimeException | Error e) {
      arena.close();
      MemoryBudget.PROCESS.giveBack(taken);
      throw e;
    }
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

  /** Size of the payload, in bytes. */
  public long byteSize() {
    return payload.byteSize();
  }

  /**
   * The payload, for bulk access by the host.
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
   * Actions run in reverse order of registration.
   *
   * @throws ClosedException if this memory was closed
   */
  public synchronized void beforeFree(Runnable action) {
    requireOpen();
    beforeFree.add(action);
  }

  /** Whether {@link #close} has begun. */
  public synchronized boolean isClosed() {
    return closed;
  }

  private synchronized void requireOpen() {
    if (closed) {
      throw new ClosedException("memory of " + payload.byteSize() + " bytes");
    }
  }

  /**
   * Runs the actions of {@link #beforeFree} and frees the memory; calls after that do nothing.
   *
   * @throws IllegalStateException if another thread is inside an access, such as a channel that
   *     writes this memory; it is then still to be freed by another call
   * @throws RuntimeException what the first action threw that threw anything; all have run then,
   *     and the memory is freed
   */
  @Override
  public synchronized void close() {
    closed = true;
    RuntimeException failure = null;
    while (!beforeFree.isEmpty()) {
      try {
        beforeFree.removeLast().run();
      } catch (RuntimeException e) {
        failure = first(failure, e);
      }
    }
    try {
      free();
    } catch (IllegalStateException e) {
      failure = first(failure, e);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static RuntimeException first(@Nullable RuntimeException first, RuntimeException next) {
    if (first == null) {
      return next;
    }
    first.addSuppressed(next);
    return first;
  }

  private void free() {
    if (!freed) {
      arena.close();
      freed = true;
      MemoryBudget.PROCESS.giveBack(whole.byteSize());
    }
  }
}

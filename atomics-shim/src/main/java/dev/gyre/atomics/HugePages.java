package dev.gyre.atomics;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Maps large blocks of memory by Linux system calls, in pages of 2 MiB if the system has them
 * ({@code madvise(2)}, {@code MADV_HUGEPAGE}).
 *
 * <p>Linux maps zeros and allocates a page at its first use. A block therefore costs little until
 * the host accesses it; a block that only a device uses is never accessed. A page of 2 MiB is
 * allocated sooner than 512 small pages, and random accesses miss the TLB less often.
 *
 * <p>On other systems, or if native access is not enabled for this module, a block comes from the
 * {@link Arena}, which writes zeros to all of it.
 */
final class HugePages {

  /** Size of the smallest block to map; the arena allocates smaller blocks. */
  static final long MIN_BLOCK_BYTES = 4L << 20;

  /** Sum of the sizes of large blocks from which the lookup of the system calls pays off. */
  static final long LOOKUP_BYTES = 64L << 20;

  private static final long PAGE_BYTES = 2L << 20;

  private static final int PROT_READ = 0x1;
  private static final int PROT_READ_WRITE = PROT_READ | 0x2;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20;
  private static final int MAP_FIXED = 0x10;
  private static final int MADV_HUGEPAGE = 14;

  private static volatile boolean prepared;

  /** Sum of the sizes of large blocks until the system calls are looked up. */
  private static final AtomicLong REQUESTED_BYTES = new AtomicLong();

  /** The system calls, looked up at first use. */
  private static final class Calls {
    static final @Nullable Calls SYSTEM = find();

    private final MethodHandle mmap;
    private final MethodHandle munmap;
    private final MethodHandle madvise;

    @SuppressWarnings("restricted") // find() checks that native access is enabled.
    private Calls(Linker linker) {
      mmap =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("mmap"),
              FunctionDescriptor.of(
                  JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
      munmap =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("munmap"),
              FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
      madvise =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("madvise"),
              FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    }

    private static @Nullable Calls find() {
      boolean linux = System.getProperty("os.name", "").equals("Linux");
      try {
        return linux && mayUseAddresses() ? new Calls(Linker.nativeLinker()) : null;
      } catch (UnsupportedOperationException | NoSuchElementException e) {
        // The JVM has no linker, or the library does not have the calls.
        return null;
      }
    }

    /** Calls mmap; returns -1 if it fails. */
    long map(long at, long bytes, int protection, int flags) {
      try {
        return (long) mmap.invokeExact(at, bytes, protection, flags, -1, 0L);
      } catch (Throwable e) {
        throw thrown(e);
      }
    }

    void unmap(long at, long bytes) {
      try {
        int _ = (int) munmap.invokeExact(at, bytes);
      } catch (Throwable e) {
        throw thrown(e);
      }
    }

    int advise(long at, long bytes, int advice) {
      try {
        return (int) madvise.invokeExact(at, bytes, advice);
      } catch (Throwable e) {
        throw thrown(e);
      }
    }

    private static IllegalStateException thrown(Throwable e) {
      if (e instanceof Error error) {
        throw error;
      }
      return new IllegalStateException("a system call threw an unexpected exception", e);
    }
  }

  private HugePages() {}

  /** Looks up the system calls and uses them for all large blocks from then on. */
  static void prepare() {
    prepared = Calls.SYSTEM != null;
  }

  /**
   * Maps a block that is freed with its arena.
   *
   * @return null if {@link #map} returns null
   * @throws OutOfMemoryError if the system has no more memory
   */
  static @Nullable MemorySegment allocate(long bytes, Arena arena) {
    Mapping mapping = map(bytes);
    return mapping == null ? null : mapping.segment(arena, mapping::unmap);
  }

  /** Returns whether native access is enabled for this module. */
  static boolean mayUseAddresses() {
    return HugePages.class.getModule().isNativeAccessEnabled();
  }

  /**
   * Maps a block. The caller must unmap it.
   *
   * @return null if the block is small, the system is not Linux, native access is not enabled, or
   *     the lookup of the system calls does not pay off yet
   * @throws OutOfMemoryError if the system has no more memory
   */
  static @Nullable Mapping map(long bytes) {
    if (bytes >= MIN_BLOCK_BYTES && !prepared && REQUESTED_BYTES.addAndGet(bytes) >= LOOKUP_BYTES) {
      prepare();
    }
    Calls calls = bytes >= MIN_BLOCK_BYTES && prepared ? Calls.SYSTEM : null;
    if (calls == null) {
      return null;
    }
    // One more page than needed, so that the block can begin at a page boundary.
    long mapped = Math.addExact(bytes, PAGE_BYTES);
    long start = calls.map(0, mapped, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS);
    if (start == -1) {
      throw new OutOfMemoryError("mmap of " + mapped + " bytes");
    }
    Mapping mapping = new Mapping(calls, start, mapped, bytes);
    mapping.wantHugePages();
    return mapping;
  }

  /** A mapped block, which begins at the first page boundary of the mapping. */
  record Mapping(Calls calls, long start, long mapped, long bytes) {
    /** Returns the address of the first byte of the block. */
    long address() {
      return Math.ceilDiv(start, PAGE_BYTES) * PAGE_BYTES;
    }

    /** Returns a segment of the block that lives as long as an arena; then runs an action. */
    @SuppressWarnings("restricted") // The block belongs to this mapping.
    MemorySegment segment(Arena arena, Runnable after) {
      return MemorySegment.ofAddress(address()).reinterpret(bytes, arena, _ -> after.run());
    }

    private void wantHugePages() {
      // If the call fails, the block has small pages.
      int _ = calls.advise(address(), bytes, MADV_HUGEPAGE);
    }

    /** Gives all pages back and keeps the addresses: reads return 0, and a write ends the JVM. */
    void giveBackPages() {
      // If the call fails, unmap() gives the pages back.
      long _ = calls.map(start, mapped, PROT_READ, MAP_PRIVATE_ANONYMOUS | MAP_FIXED);
    }

    void unmap() {
      calls.unmap(start, mapped);
    }
  }
}

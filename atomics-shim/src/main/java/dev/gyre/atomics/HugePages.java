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
 * Large blocks of memory as Linux gives them: zero without being written, in pages that come when
 * they are first used, and those of two megabytes where the system has them ({@code madvise(2)},
 * {@code MADV_HUGEPAGE}).
 *
 * <p>So a block costs next to nothing until the host looks at it, which for what only a device uses
 * is never; a page of two megabytes comes sooner than 512 small ones, and random accesses miss the
 * TLB less often. Elsewhere, and where native access was not enabled for this module, a block comes
 * from the {@link Arena}, which writes all of it.
 */
final class HugePages {

  /** Smaller blocks come from the arena, which has them at hand. */
  static final long LEAST = 4L << 20;

  /**
   * Bytes of such blocks from which on it pays to look up the system's calls, rather than write
   * zeros.
   */
  static final long FIRST = 64L << 20;

  private static final long PAGE = 2L << 20;

  private static final int PROT_READ = 0x1;
  private static final int PROT_READ_WRITE = PROT_READ | 0x2;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20;
  private static final int MAP_FIXED = 0x10;
  private static final int MADV_HUGEPAGE = 14;

  private static volatile boolean prepared;

  /** Bytes of all blocks so far that are not smaller, until the calls are looked up. */
  private static final AtomicLong ASKED = new AtomicLong();

  /** The calls of the system, looked up when they are first needed. */
  private static final class Calls {
    static final @Nullable Calls SYSTEM = find();

    private final MethodHandle mmap;
    private final MethodHandle munmap;
    private final MethodHandle madvise;

    @SuppressWarnings("restricted") // Only where it is enabled.
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
        // A virtual machine without a linker, or a library without the calls.
        return null;
      }
    }

    /** Returns -1 where the system has no more. */
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
      return new IllegalStateException("a call of the system threw what it cannot throw", e);
    }
  }

  private HugePages() {}

  /** Looks up the system's calls, which are used for all large blocks from then on. */
  static void prepare() {
    prepared = Calls.SYSTEM != null;
  }

  /**
   * A block that is freed with its arena.
   *
   * @return null if there are no such blocks here, or it does not pay yet
   * @throws OutOfMemoryError if the system has no more
   */
  static @Nullable MemorySegment allocate(long bytes, Arena arena) {
    Mapping mapping = map(bytes);
    return mapping == null ? null : mapping.segment(arena, mapping::unmap);
  }

  /** Whether this module may use memory by its address. */
  static boolean mayUseAddresses() {
    return HugePages.class.getModule().isNativeAccessEnabled();
  }

  /**
   * A block, which whoever asks for it has to unmap.
   *
   * @return null if there are no such blocks here, or it does not pay yet
   * @throws OutOfMemoryError if the system has no more
   */
  static @Nullable Mapping map(long bytes) {
    if (bytes >= LEAST && !prepared && ASKED.addAndGet(bytes) >= FIRST) {
      prepare();
    }
    Calls calls = bytes >= LEAST && prepared ? Calls.SYSTEM : null;
    if (calls == null) {
      return null;
    }
    // A page more than needed: the first whole one is where the block begins.
    long mapped = Math.addExact(bytes, PAGE);
    long start = calls.map(0, mapped, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS);
    if (start == -1) {
      throw new OutOfMemoryError("mmap of " + mapped + " bytes");
    }
    Mapping mapping = new Mapping(calls, start, mapped, bytes);
    mapping.wantHugePages();
    return mapping;
  }

  /** What was mapped. */
  static final class Mapping {
    private final Calls calls;
    private final long start;
    private final long mapped;
    private final long bytes;

    private Mapping(Calls calls, long start, long mapped, long bytes) {
      this.calls = calls;
      this.start = start;
      this.mapped = mapped;
      this.bytes = bytes;
    }

    /** The first byte of the block. */
    long address() {
      return Math.ceilDiv(start, PAGE) * PAGE;
    }

    /** The block, for as long as an arena is open, after which something is done. */
    @SuppressWarnings("restricted") // The block is ours.
    MemorySegment segment(Arena arena, Runnable after) {
      return MemorySegment.ofAddress(address()).reinterpret(bytes, arena, _ -> after.run());
    }

    private void wantHugePages() {
      // Where it fails, pages are small.
      int _ = calls.advise(address(), bytes, MADV_HUGEPAGE);
    }

    /** Gives all pages back; who reads the addresses sees zeros, and who writes ends the JVM. */
    void giveBackPages() {
      // Where it fails, they are given back with the addresses.
      long _ = calls.map(start, mapped, PROT_READ, MAP_PRIVATE_ANONYMOUS | MAP_FIXED);
    }

    void unmap() {
      calls.unmap(start, mapped);
    }
  }
}

package dev.gyre.atomics;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;
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

  /** The first block for which it pays to look up the system's calls, rather than write zeros. */
  static final long FIRST = 64L << 20;

  private static final long PAGE = 2L << 20;

  private static final int PROT_READ_WRITE = 0x1 | 0x2;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20;
  private static final int MADV_HUGEPAGE = 14;

  private static volatile boolean prepared;

  /** The calls of the system, looked up when they are first needed. */
  private static final class Calls {
    static final @Nullable Calls SYSTEM = find();

    final MethodHandle mmap;
    final MethodHandle munmap;
    final MethodHandle madvise;

    @SuppressWarnings("restricted") // Only where it is enabled.
    private Calls(Linker linker) {
      mmap =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("mmap"),
              FunctionDescriptor.of(
                  JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
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
        return linux && HugePages.class.getModule().isNativeAccessEnabled()
            ? new Calls(Linker.nativeLinker())
            : null;
      } catch (UnsupportedOperationException | NoSuchElementException e) {
        // A virtual machine without a linker, or a library without the calls.
        return null;
      }
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
    if (bytes >= FIRST && !prepared) {
      prepare();
    }
    Calls calls = bytes >= LEAST && prepared ? Calls.SYSTEM : null;
    return calls == null ? null : allocate(bytes, arena, calls);
  }

  @SuppressWarnings("restricted") // The block is ours, and unmapped with the arena.
  private static MemorySegment allocate(long bytes, Arena arena, Calls calls) {
    // A page more than needed: the first whole one is where the block begins.
    long mapped = Math.addExact(bytes, PAGE);
    try {
      long start =
          (long)
              calls.mmap.invokeExact(
                  MemorySegment.NULL, mapped, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
      if (start == -1) {
        throw new OutOfMemoryError("mmap of " + mapped + " bytes");
      }
      long aligned = Math.ceilDiv(start, PAGE) * PAGE;
      // Where it fails, pages are small.
      int _ = (int) calls.madvise.invokeExact(aligned, bytes, MADV_HUGEPAGE);
      return MemorySegment.ofAddress(aligned)
          .reinterpret(bytes, arena, _ -> unmap(calls, start, mapped));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a call of the system threw what it cannot throw", e);
    }
  }

  private static void unmap(Calls calls, long start, long mapped) {
    try {
      int _ = (int) calls.munmap.invokeExact(start, mapped);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a call of the system threw what it cannot throw", e);
    }
  }
}

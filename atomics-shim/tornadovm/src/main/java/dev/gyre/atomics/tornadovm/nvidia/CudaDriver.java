package dev.gyre.atomics.tornadovm.nvidia;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.gyre.atomics.GyreException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks CUDA's driver what TornadoVM does not: how many blocks of a kernel a multiprocessor holds,
 * and to make a context current.
 */
public final class CudaDriver {

  private static final Pattern ENTRY = Pattern.compile("\\.entry\\s+(\\w+)");

  private CudaDriver() {}

  /**
   * How many blocks of a size one multiprocessor has room for, by {@code
   * cuOccupancyMaxActiveBlocksPerMultiprocessor}.
   *
   * <p>TornadoVM keeps the module that it loaded to itself, so the text is loaded once more.
   *
   * @param ptx the text of one kernel
   */
  public static int blocksPerUnit(String ptx, int blockSize) {
    Matcher entry = ENTRY.matcher(ptx);
    if (!entry.find()) {
      throw new IllegalArgumentException("this PTX has no kernel");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment module = arena.allocate(ADDRESS);
      call(arena, "cuModuleLoadData", ADDRESS, ADDRESS)
          .run((handle) -> (int) handle.invokeExact(module, arena.allocateFrom(ptx)));
      MemorySegment loaded = module.get(ADDRESS, 0);
      try {
        MemorySegment function = arena.allocate(ADDRESS);
        MemorySegment name = arena.allocateFrom(entry.group(1));
        call(arena, "cuModuleGetFunction", ADDRESS, ADDRESS, ADDRESS)
            .run((handle) -> (int) handle.invokeExact(function, loaded, name));
        return blocksPerUnit(arena, function.get(ADDRESS, 0), blockSize);
      } finally {
        call(arena, "cuModuleUnload", ADDRESS).run((handle) -> (int) handle.invokeExact(loaded));
      }
    }
  }

  /**
   * How many blocks of a size one multiprocessor has room for, of a kernel that is loaded.
   *
   * @param holder address of the driver's {@code CUfunction}
   */
  public static int blocksPerUnit(long holder, int blockSize) {
    try (Arena arena = Arena.ofConfined()) {
      return blocksPerUnit(arena, held(holder), blockSize);
    }
  }

  /**
   * Makes a context current on this thread.
   *
   * @param holder address of the driver's {@code CUcontext}
   */
  public static void setCurrent(long holder) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment context = held(holder);
      call(arena, "cuCtxSetCurrent", ADDRESS).run((handle) -> (int) handle.invokeExact(context));
    }
  }

  @SuppressWarnings("restricted") // The address is one of TornadoVM's native structures.
  private static MemorySegment held(long holder) {
    return MemorySegment.ofAddress(holder).reinterpret(ADDRESS.byteSize()).get(ADDRESS, 0);
  }

  private static int blocksPerUnit(Arena arena, MemorySegment kernel, int blockSize) {
    MemorySegment blocks = arena.allocate(JAVA_INT);
    call(
            arena,
            "cuOccupancyMaxActiveBlocksPerMultiprocessor",
            ADDRESS,
            ADDRESS,
            JAVA_INT,
            JAVA_LONG)
        .run((handle) -> (int) handle.invokeExact(blocks, kernel, blockSize, 0L));
    return blocks.get(JAVA_INT, 0);
  }

  /** A call of the driver, which returns 0 or the number of an error. */
  interface Invocation {
    int invoke(MethodHandle handle) throws Throwable;
  }

  /** A function of the driver. */
  record Call(String name, MethodHandle handle) {

    /** Calls it; fails with an error of the driver's, but for some that the caller knows of. */
    void run(Invocation invocation, int... known) {
      int error;
      try {
        error = invocation.invoke(handle);
      } catch (Throwable e) {
        throw new GyreException("CUDA's driver could not be called: " + name, e);
      }
      if (error != 0 && Arrays.stream(known).noneMatch(one -> one == error)) {
        throw new GyreException("CUDA's driver says error %d to %s".formatted(error, name));
      }
    }
  }

  /** A function of the driver, for as long as the arena is open. */
  @SuppressWarnings("restricted") // A native call is what this is for.
  static Call call(Arena arena, String name, MemoryLayout... parameters) {
    return new Call(
        name,
        Linker.nativeLinker()
            .downcallHandle(
                SymbolLookup.libraryLookup("libcuda.so.1", arena).findOrThrow(name),
                FunctionDescriptor.of(JAVA_INT, parameters)));
  }
}

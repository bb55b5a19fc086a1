package dev.gyre.atomics.tornadovm.nvidia;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.MemoryExhaustedException;
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
 * Calls CUDA's driver for what TornadoVM does not offer: the blocks of a kernel per multiprocessor,
 * memory of host and device, and the current context.
 */
public final class CudaDriver {

  private static final Pattern ENTRY = Pattern.compile("\\.entry\\s+(\\w+)");

  // Names and numbers of the driver's API.
  private static final int HOST_PORTABLE = 1;
  private static final int HOST_DEVICEMAP = 2;
  private static final int ATTACH_GLOBAL = 1;

  private CudaDriver() {}

  /**
   * Returns how many blocks of a size fit on one multiprocessor, by {@code
   * cuOccupancyMaxActiveBlocksPerMultiprocessor}.
   *
   * <p>TornadoVM does not share the module that it loaded, so that the text is loaded again.
   *
   * @param ptx text of one kernel
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
   * Returns how many blocks of a size of a loaded kernel fit on one multiprocessor.
   *
   * @param holder address of the driver's {@code CUfunction}
   */
  public static int blocksPerUnit(long holder, int blockSize) {
    try (Arena arena = Arena.ofConfined()) {
      return blocksPerUnit(arena, held(holder), blockSize);
    }
  }

  /**
   * Makes a context current for this thread.
   *
   * @param holder address of the driver's {@code CUcontext}
   */
  public static void setCurrent(long holder) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment context = held(holder);
      call(arena, "cuCtxSetCurrent", ADDRESS).run((handle) -> (int) handle.invokeExact(context));
    }
  }

  /** Returns an attribute of the device that is current for this thread. */
  static int attribute(int number) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment device = arena.allocate(JAVA_INT);
      call(arena, "cuCtxGetDevice", ADDRESS).run((handle) -> (int) handle.invokeExact(device));
      MemorySegment value = arena.allocate(JAVA_INT);
      int of = device.get(JAVA_INT, 0);
      call(arena, "cuDeviceGetAttribute", ADDRESS, JAVA_INT, JAVA_INT)
          .run((handle) -> (int) handle.invokeExact(value, number, of));
      return value.get(JAVA_INT, 0);
    }
  }

  /** Returns the free bytes of the device. */
  static long freeBytes() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment free = arena.allocate(JAVA_LONG);
      MemorySegment all = arena.allocate(JAVA_LONG);
      call(arena, "cuMemGetInfo_v2", ADDRESS, ADDRESS)
          .run((handle) -> (int) handle.invokeExact(free, all));
      return free.get(JAVA_LONG, 0);
    }
  }

  /** Allocates pinned memory of the host, which all devices can access. */
  static MemorySegment hostMemory(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      call(arena, "cuMemHostAlloc", ADDRESS, JAVA_LONG, JAVA_INT)
          .runForMemory(
              bytes,
              (handle) -> (int) handle.invokeExact(made, bytes, HOST_PORTABLE | HOST_DEVICEMAP));
      return sized(made.get(ADDRESS, 0), bytes);
    }
  }

  /** Returns the device address of memory of {@link #hostMemory}. */
  static long addressOf(MemorySegment host) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(JAVA_LONG);
      call(arena, "cuMemHostGetDevicePointer_v2", ADDRESS, ADDRESS, JAVA_INT)
          .run((handle) -> (int) handle.invokeExact(address, host, 0));
      return address.get(JAVA_LONG, 0);
    }
  }

  /** Allocates unified memory. */
  static MemorySegment managed(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      call(arena, "cuMemAllocManaged", ADDRESS, JAVA_LONG, JAVA_INT)
          .runForMemory(bytes, (handle) -> (int) handle.invokeExact(made, bytes, ATTACH_GLOBAL));
      return sized(made.get(ADDRESS, 0), bytes);
    }
  }

  /**
   * Frees memory.
   *
   * @param ofHost whether {@link #hostMemory} allocated it, not {@link #managed}
   */
  static void free(MemorySegment memory, boolean ofHost) {
    try (Arena arena = Arena.ofConfined()) {
      call(arena, ofHost ? "cuMemFreeHost" : "cuMemFree_v2", ADDRESS)
          .run((handle) -> (int) handle.invokeExact(memory));
    }
  }

  @SuppressWarnings("restricted") // Memory of the driver.
  private static MemorySegment sized(MemorySegment memory, long bytes) {
    return memory.reinterpret(bytes);
  }

  @SuppressWarnings("restricted") // Reads a handle from one of TornadoVM's native structures.
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

  /** Call of the driver, which returns 0 or an error number. */
  interface Invocation {
    int invoke(MethodHandle handle) throws Throwable;
  }

  /** Function of the driver. */
  record Call(String name, MethodHandle handle) {

    /** Calls the function; throws for an error of the driver. */
    void run(Invocation invocation) {
      int _ = runUnless(invocation);
    }

    /** Calls the function; returns one of some expected errors, or 0. */
    int runUnless(Invocation invocation, int... known) {
      int error = invoke(invocation);
      if (error != 0 && Arrays.stream(known).noneMatch(one -> one == error)) {
        throw new GyreException("CUDA's driver says error %d to %s".formatted(error, name));
      }
      return error;
    }

    void runForMemory(long bytes, Invocation invocation) {
      int error = invoke(invocation);
      if (error != 0) {
        throw new MemoryExhaustedException(
            "CUDA's driver says error %d to %s of %d bytes".formatted(error, name, bytes),
            bytes,
            null);
      }
    }

    private int invoke(Invocation invocation) {
      try {
        return invocation.invoke(handle);
      } catch (Throwable e) {
        throw new GyreException("CUDA's driver could not be called: " + name, e);
      }
    }
  }

  /** Returns a function of the driver, valid while the arena is open. */
  @SuppressWarnings("restricted") // The purpose of this class is native calls.
  static Call call(Arena arena, String name, MemoryLayout... parameters) {
    return new Call(
        name,
        Linker.nativeLinker()
            .downcallHandle(
                SymbolLookup.libraryLookup("libcuda.so.1", arena).findOrThrow(name),
                FunctionDescriptor.of(JAVA_INT, parameters)));
  }
}

package dev.gyre.atomics.tornadovm.nvidia;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.gyre.atomics.tornadovm.nvidia.CudaDriver.Call;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How one of CUDA's devices reaches another: by copies, which its driver makes, from memory to
 * memory where it does and else by way of the host; and by kernels that use the other's memory
 * where it lies.
 */
public final class Peers {

  /** {@code CU_POINTER_ATTRIBUTE_CONTEXT}. */
  private static final int CONTEXT = 1;

  /** {@code CU_STREAM_PER_THREAD}: waits for no other stream. */
  private static final MemorySegment OWN_STREAM = MemorySegment.ofAddress(2);

  // Errors which say that the devices do not reach each other, or do so already.
  private static final int UNSUPPORTED = 217;
  private static final int ENABLED_ALREADY = 704;
  private static final int TOO_MANY_PEERS = 711;

  private static final Call ATTRIBUTE =
      CudaDriver.call(Arena.global(), "cuPointerGetAttribute", ADDRESS, JAVA_INT, JAVA_LONG);
  private static final Call CURRENT = CudaDriver.call(Arena.global(), "cuCtxGetCurrent", ADDRESS);
  private static final Call ENABLE =
      CudaDriver.call(Arena.global(), "cuCtxEnablePeerAccess", ADDRESS, JAVA_INT);
  private static final Call COPY =
      CudaDriver.call(
          Arena.global(),
          "cuMemcpyPeerAsync",
          JAVA_LONG,
          ADDRESS,
          JAVA_LONG,
          ADDRESS,
          JAVA_LONG,
          ADDRESS);
  private static final Call WAIT = CudaDriver.call(Arena.global(), "cuStreamSynchronize", ADDRESS);

  /** Two contexts, by their addresses. */
  private record Pair(long to, long from) {}

  /** Whether one reaches the other, of those that were to. */
  private static final Map<Pair, Boolean> ENABLED = new ConcurrentHashMap<>();

  private Peers() {}

  /**
   * Whether kernels of the device that is current on this thread reach what is at an address of any
   * device; from then on they do.
   */
  public static boolean reaches(long address) {
    return reaches(current(), context(address));
  }

  private static boolean reaches(MemorySegment here, MemorySegment there) {
    return here.equals(there)
        || ENABLED.computeIfAbsent(
            new Pair(here.address(), there.address()), _ -> isEnabled(there));
  }

  private static boolean isEnabled(MemorySegment there) {
    int error =
        ENABLE.runUnless(
            handle -> (int) handle.invokeExact(there, 0),
            UNSUPPORTED,
            ENABLED_ALREADY,
            TOO_MANY_PEERS);
    return error == 0 || error == ENABLED_ALREADY;
  }

  /**
   * Copies, and waits until that is done; on a thread that the device which it goes to is current
   * on.
   *
   * @param to address on that device
   * @param from address on any device
   */
  public static void copy(long to, long from, long bytes) {
    MemorySegment here = context(to);
    MemorySegment there = context(from);
    // Else the driver goes by way of the host.
    boolean _ = reaches(here, there);
    COPY.run(handle -> (int) handle.invokeExact(to, here, from, there, bytes, OWN_STREAM));
    WAIT.run(handle -> (int) handle.invokeExact(OWN_STREAM));
  }

  private static MemorySegment current() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment context = arena.allocate(ADDRESS);
      CURRENT.run(handle -> (int) handle.invokeExact(context));
      return context.get(ADDRESS, 0);
    }
  }

  private static MemorySegment context(long address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment context = arena.allocate(ADDRESS);
      ATTRIBUTE.run(handle -> (int) handle.invokeExact(context, CONTEXT, address));
      return context.get(ADDRESS, 0);
    }
  }
}

package dev.gyre.kernels;

/**
 * Kind of memory, by how a device accesses it; {@link Launcher#memory} allocates it.
 *
 * @since 0.1.0
 */
public enum MemoryKind {
  /** Ordinary pages of the host, which are copied when needed. */
  ORDINARY,
  /**
   * Pinned pages of the host. Bulk operations copy them at full speed, and kernels access them in
   * place over the bus, also while the host does.
   *
   * <p>Host and device synchronize by loads, stores and waits of system scope ({@code SystemInts},
   * {@code SystemLongs}). A kernel with a handle of device or block scope on this memory is
   * refused. So is a kernel with read-modify-write operations of system scope, if the device cannot
   * do them together with the host. Data that a kernel reads repeatedly is faster in other memory.
   *
   * <p>PTX and CUDA support it, and OpenCL devices with fine-grained shared virtual memory and
   * atomics.
   */
  PINNED,
  /**
   * Unified memory: one address on both sides, whose pages migrate to where they are used. It is
   * never more than the free memory of the device. PTX and CUDA support it if host and device may
   * use it at the same time, and OpenCL as {@link #PINNED}.
   */
  UNIFIED,
  /**
   * Memory on the device only, allocated at once. The host accesses it only by {@link
   * Launcher#copyIn} and {@link Launcher#copyOut}; other launchers cannot. PTX, CUDA and OpenCL
   * support it.
   */
  DEVICE_ONLY
}

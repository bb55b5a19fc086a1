package dev.gyre.kernels;

/** What the pages of a memory are to a device; {@link Launcher#memory} makes it. */
public enum MemoryKind {
  /** Pages as the system gives them: copied when needed. */
  ORDINARY,
  /**
   * Pages that stay with the host: bulk operations have a device copy them by itself, at full
   * speed, from where they lie; and its kernels use them there, over the bus, while the host may,
   * too. What orders the two is of system scope ({@code SystemInts}, {@code SystemLongs}): loads,
   * stores and waits. A kernel with a handle of device or block scope on it is refused, and so is
   * one that reads, modifies and writes at system scope where the device cannot together with the
   * host. What a kernel comes back to is faster in other memory. PTX and CUDA have it, and OpenCL
   * where fine-grained shared virtual memory with atomics is declared.
   */
  PINNED,
  /**
   * One address on both sides, whose pages go to where they are used; never more than the device
   * has free. PTX and CUDA have it where host and device may use it at the same time, and OpenCL as
   * {@link #PINNED}.
   */
  UNIFIED,
  /**
   * On the device alone, which has room for it from the beginning. The host reaches none of it but
   * by {@link Launcher#copyIn} and {@link Launcher#copyOut}; other launchers none at all. PTX, CUDA
   * and OpenCL have it.
   */
  DEVICE_ONLY
}

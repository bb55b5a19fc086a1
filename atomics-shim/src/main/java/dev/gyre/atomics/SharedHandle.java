package dev.gyre.atomics;

/**
 * Shared memory of a block ({@code __shared__} in CUDA, {@code __local} in OpenCL).
 *
 * <p>A shared handle is a component of a kernel's record and says how many elements each block has.
 * Each block has its own elements while it runs.
 *
 * <ul>
 *   <li><b>Size.</b> The length is part of the compiled code: another length compiles the kernel
 *       again. A device has little shared memory: GPUs of NVIDIA have 48 KiB for a block, and
 *       OpenCL guarantees 32 KiB. The launcher refuses a kernel that needs more.
 *   <li><b>Content.</b> When a block starts, the elements have any value: write an element before
 *       you read it, with a {@link Block#barrier} in between. Outside of a launch there are no
 *       elements.
 *   <li><b>Order.</b> All operations of block scope exist, in all orders. On OpenCL an atomic
 *       operation on shared memory orders only shared memory, and an operation on global memory
 *       only global memory. To publish one kind of memory by the other, use a barrier or a fence,
 *       which order both.
 * </ul>
 *
 * @since 0.1.0
 */
public sealed interface SharedHandle permits SharedDoubles, SharedFloats, SharedInts, SharedLongs {

  /** Returns the size of all elements of a block, in bytes. */
  long byteSize();

  /** Returns a handle to a memory of at least {@link #byteSize} bytes. Launchers call it. */
  SharedHandle in(Memory memory);

  /**
   * Checks a length.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  static void check(int length) {
    if (length < 1) {
      throw new IllegalArgumentException(
          "shared memory must have 1 element or more, not " + length);
    }
  }
}

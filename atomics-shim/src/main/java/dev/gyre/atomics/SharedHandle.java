package dev.gyre.atomics;

/**
 * Memory that the threads of a block share: a component of a kernel's record, which says how much
 * of it there is. Each block has its own, while it runs.
 *
 * <p>How long it is belongs to the kernel's code: other lengths are other code. A device has little
 * of it (NVIDIA's GPUs 48 KiB for a block, OpenCL promises 32), and a kernel that wants more is
 * refused before it is launched. What is in it when a block begins is up to the device: write
 * before you read, and let a {@link Block#barrier} come between. Outside of a launch there is none.
 *
 * <p>All operations of block scope are there, in all orders. What an atomic operation orders is
 * memory of its own kind: where one on shared memory is to publish other memory, or the other way
 * round, let a barrier or a fence come between, which order both. (So it is in OpenCL; other
 * targets order more.)
 */
public sealed interface SharedHandle permits SharedDoubles, SharedFloats, SharedInts, SharedLongs {

  /** Size of the elements of a block, in bytes. */
  long byteSize();

  /** The elements of one block, in a memory of at least {@link #byteSize}; for launchers. */
  SharedHandle in(Memory memory);

  /** Refuses a length that is less than 1. */
  static void check(int length) {
    if (length < 1) {
      throw new IllegalArgumentException("a block shares 1 element or more, not " + length);
    }
  }
}

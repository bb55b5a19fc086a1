package dev.gyre.atomics.tornadovm;

import java.lang.foreign.MemorySegment;

/** Memory that host and device access in place, as the driver of a device allocates it. */
public interface SharedMemory {

  /** Behaviour of its pages. */
  enum Pages {
    /** The pages stay with the host. */
    STAY,
    /** The pages migrate to where they are used. */
    MOVE
  }

  /**
   * Block of memory.
   *
   * @param segment the block on the host, aligned to 64 bytes or more
   * @param address its address for kernels
   * @param free frees it, on any thread
   */
  record Block(MemorySegment segment, long address, Runnable free) {}

  /** Returns why the device does not support it, in a sentence; empty if it does. */
  String problem(Pages pages);

  /**
   * Allocates a block, set to 0; only without a {@link #problem}.
   *
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory is not available
   */
  Block make(Pages pages, long bytes);

  /**
   * Returns whether a read-modify-write of the device on pages of the host is atomic with
   * operations of the host. Otherwise one of two may be lost.
   */
  boolean updatesAtomically();
}

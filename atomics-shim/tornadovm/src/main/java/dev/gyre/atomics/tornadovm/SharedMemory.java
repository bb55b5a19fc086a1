package dev.gyre.atomics.tornadovm;

import java.lang.foreign.MemorySegment;

/** Memory that host and device use where it lies, as the driver of a device makes it. */
public interface SharedMemory {

  /** What becomes of its pages. */
  enum Pages {
    /** They stay with the host. */
    STAY,
    /** They go to where they are used. */
    MOVE
  }

  /**
   * A block of it.
   *
   * @param segment as the host sees it, aligned to 64 bytes or more
   * @param address what kernels are given for it
   * @param free gives it back, on any thread
   */
  record Block(MemorySegment segment, long address, Runnable free) {}

  /** Why the device has none, in a sentence; empty where it has. */
  String problem(Pages pages);

  /**
   * Makes a block, all 0; for what has no {@link #problem}.
   *
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not as much
   */
  Block make(Pages pages, long bytes);

  /**
   * Whether a read-modify-write of the device, on pages that stay with the host, is one with those
   * of the host: where it is not, one of two is lost.
   */
  boolean updatesAtomically();
}

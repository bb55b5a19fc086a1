package dev.gyre.structures.sync;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import dev.gyre.kernels.sync.SyncLayout;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;

/** Base of latch, barrier and semaphore: a few words of memory that threads and kernels share. */
abstract class SyncWords implements AutoCloseable {

  static final String TIMED = "ends when the time is over, but takes a lock before it sleeps";

  private final String name;
  private final Memory memory = Memory.ofInts(SyncLayout.WORDS);
  final SystemInts words = SystemInts.of(memory);

  SyncWords(String name) {
    this.name = name;
  }

  /** Returns the memory, for kernels. */
  @Progress(value = ProgressClass.WAIT_FREE, because = "reads a field")
  public final Memory memory() {
    return memory;
  }

  /**
   * Returns the exception to throw for one that the memory threw: a ClosedException if it is
   * closed.
   */
  final RuntimeException explained(IllegalStateException thrown) {
    return memory.isClosed() ? new ClosedException(name) : thrown;
  }

  /** Frees the memory. No thread may be waiting. */
  @Override
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits until devices have finished with the memory")
  public final void close() {
    memory.close();
  }
}

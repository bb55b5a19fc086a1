package dev.gyre.structures.sync;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import dev.gyre.kernels.sync.SyncLayout;
import dev.gyre.kernels.sync.SystemBarrier;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;

/**
 * A barrier, as {@code cuda::barrier}: a phase ends when all expected threads have arrived. A
 * thread may arrive early, work on and wait later.
 *
 * <p>Kernels take {@link #memory} as a handle and call {@code BlockBarrier}, {@code DeviceBarrier}
 * or {@code SystemBarrier}. A launch whose threads may not be there at once is refused.
 */
public final class Barrier implements AutoCloseable {

  private final Memory memory = Memory.ofInts(SyncLayout.WORDS);
  private final SystemInts words = SystemInts.of(memory);

  /**
   * An arrival: what to wait with.
   *
   * @param token the token of the device function
   */
  public record Arrival(int token) {

    /** Whether this thread was the last of its phase, and so must {@link Barrier#complete} it. */
    public boolean isLast() {
      return SystemBarrier.isLast(token) == 1;
    }
  }

  private Barrier() {}

  /**
   * A barrier for so many threads.
   *
   * @throws IllegalArgumentException if {@code expected} is not positive
   */
  public static Barrier of(int expected) {
    if (expected < 1) {
      throw new IllegalArgumentException("expected must be positive, not " + expected);
    }
    Barrier barrier = new Barrier();
    SystemBarrier.init(barrier.words, 0, expected);
    return barrier;
  }

  /** The words of the barrier, for a kernel. */
  @Progress(value = ProgressClass.WAIT_FREE, because = "reads a field")
  public Memory memory() {
    return memory;
  }

  /**
   * Arrives. The last of a phase does what is to be done once per phase, then completes it.
   *
   * @throws IllegalStateException if all arrivals of this phase have been
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = "is two loads and one fetch-and-subtract")
  public Arrival arrive() {
    requireExpected();
    return new Arrival(SystemBarrier.arrive(words, 0));
  }

  /**
   * Arrives for the last time: this thread is not expected in the phases that follow.
   *
   * @throws IllegalStateException as {@link #arrive}
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = "is two fetch-and-subtracts and two loads")
  public Arrival arriveAndDrop() {
    requireExpected();
    return new Arrival(SystemBarrier.arriveAndDrop(words, 0));
  }

  private void requireExpected() {
    if (words.loadRelaxed(SyncLayout.MISSING) < 1) {
      throw new IllegalStateException("more arrivals than this phase of the barrier expects");
    }
  }

  /**
   * Ends the phase whose last arrival this is, and begins the next.
   *
   * @throws IllegalArgumentException if it is not the last arrival
   */
  @Progress(
      value = ProgressClass.WAIT_FREE,
      because = "is three stores; a waker may take a lock for a moment")
  public void complete(Arrival last) {
    if (!last.isLast()) {
      throw new IllegalArgumentException("only the last arriver of a phase completes it");
    }
    SystemBarrier.complete(words, 0);
  }

  /** Whether the phase of an arrival has ended. */
  @Progress(value = ProgressClass.WAIT_FREE, because = "is one load")
  public boolean hasEnded(Arrival arrival) {
    return SystemBarrier.tryWait(words, 0, arrival.token()) == 1;
  }

  /**
   * Waits until the phase of an arrival has ended.
   *
   * @throws dev.gyre.atomics.GyreException if the thread is interrupted
   */
  @Progress(
      value = ProgressClass.STARVATION_FREE,
      because = "waits for those that have not arrived")
  public void await(Arrival arrival) {
    Patience.require(
        "a barrier", () -> SystemBarrier.await(words, 0, arrival.token(), Patience.FOR_EVER));
  }

  /** Arrives, completes the phase if this is the last arrival, and waits; whether it was. */
  @Progress(
      value = ProgressClass.STARVATION_FREE,
      because = "waits for those that have not arrived")
  public boolean arriveAndWait() {
    Arrival arrival = arrive();
    if (arrival.isLast()) {
      complete(arrival);
    }
    await(arrival);
    return arrival.isLast();
  }

  /** Frees the memory; nobody may be waiting. */
  @Override
  @Progress(value = ProgressClass.WAIT_FREE, because = "frees memory")
  public void close() {
    memory.close();
  }
}

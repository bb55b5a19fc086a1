package dev.gyre.structures.sync;

import dev.gyre.kernels.sync.SyncLayout;
import dev.gyre.kernels.sync.SystemBarrier;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import java.time.Duration;
import java.util.Objects;

/**
 * Barrier for a fixed number of threads, as {@code cuda::barrier}. A phase ends when all expected
 * threads have arrived; a thread may arrive, do other work, and wait later.
 *
 * <p>Kernels take {@code memory()} as a handle and call {@code BlockBarrier}, {@code DeviceBarrier}
 * or {@code SystemBarrier}. A launch whose threads may not all run at the same time is refused.
 *
 * <p>Thread-safe. Close it when no thread waits.
 *
 * @since 0.1.0
 */
public final class Barrier extends SyncWords {

  private static final String ARRIVES =
      "retries only after another arrival, and a phase has finitely many";
  private static final String COMPLETES = "makes three stores, and takes a lock to wake waiters";
  private static final String WAITS = "waits for the threads that have not arrived";

  /** An arrival, which a thread later waits with. */
  public static final class Arrival {

    private final Barrier barrier;
    private final int token;
    private boolean completes;

    private Arrival(Barrier barrier, int token) {
      this.barrier = barrier;
      this.token = token;
      this.completes = isLast();
    }

    /** Returns the token that device functions wait with. */
    public int token() {
      return token;
    }

    /**
     * Returns whether this thread arrived last in its phase and must call {@link Barrier#complete}.
     */
    public boolean isLast() {
      return SystemBarrier.isLast(token) == 1;
    }

    /** Returns whether the phase is still to be completed, and marks it as taken. */
    private synchronized boolean take() {
      boolean taken = completes;
      completes = false;
      return taken;
    }
  }

  private Barrier() {
    super("barrier");
  }

  /**
   * Returns a barrier for {@code expected} threads.
   *
   * @throws IllegalArgumentException if {@code expected} is less than 1
   */
  public static Barrier of(int expected) {
    if (expected < 1) {
      throw new IllegalArgumentException("expected must be positive, not " + expected);
    }
    Barrier barrier = new Barrier();
    SystemBarrier.init(barrier.words, 0, expected);
    return barrier;
  }

  /**
   * Arrives. The last thread of a phase does the work that is needed once per phase, then calls
   * {@link #complete}.
   *
   * <p>A thread may arrive again only after it knows that the phase has ended, because it waited
   * for it or completed it. Otherwise it may arrive in the phase that is ending.
   *
   * @throws IllegalStateException if all threads of this phase have arrived
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = ARRIVES)
  public Arrival arrive() {
    return arrive(1);
  }

  /**
   * Arrives as if {@code arrivals} threads called {@link #arrive()}. A thread that waits with this
   * arrival waits for the whole phase.
   *
   * @param arrivals at least 1
   * @throws IllegalArgumentException if {@code arrivals} is less than 1
   * @throws IllegalStateException if fewer arrivals are missing in this phase; none is counted
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = ARRIVES)
  public Arrival arrive(int arrivals) {
    if (arrivals < 1) {
      throw new IllegalArgumentException("arrivals must be positive, not " + arrivals);
    }
    return open(() -> arrived(arrivals));
  }

  private Arrival arrived(int arrivals) {
    // relaxed, and before the arrival, as in SystemBarrier.
    int phase = words.loadRelaxed(SyncLayout.PHASE);
    int seen = words.loadRelaxed(SyncLayout.MISSING);
    int missing;
    do {
      missing = seen;
      if (missing < arrivals) {
        throw new IllegalStateException("more arrivals than this phase of the barrier expects");
      }
      // acq_rel: as the fetch-and-subtract of SystemBarrier. A late arrival must not count below 0.
      seen = words.compareAndExchangeAcqRel(SyncLayout.MISSING, missing, missing - arrivals);
    } while (seen != missing);
    return new Arrival(this, (phase << 1) + (missing == arrivals ? 1 : 0));
  }

  /**
   * Arrives for the last time: later phases do not expect this thread.
   *
   * @throws IllegalStateException as {@link #arrive}; if the phase ends at the same time, the next
   *     phase may expect one thread less
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = ARRIVES)
  public Arrival arriveAndDrop() {
    expect(-1);
    try {
      return arrive();
    } catch (IllegalStateException e) {
      expect(1);
      throw e;
    }
  }

  private void expect(int more) {
    // relaxed: the arrival publishes it to the last arriver; afterwards it could be too late.
    int _ = open(() -> words.fetchAddRelaxed(SyncLayout.EXPECTED, more));
  }

  /**
   * Ends the phase of a last arrival, and begins the next.
   *
   * @throws IllegalArgumentException if {@code last} is not the last arrival of a phase of this
   *     barrier, or the phase was completed before
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = COMPLETES)
  public void complete(Arrival last) {
    if (Objects.requireNonNull(last, "last").barrier != this || !last.take()) {
      throw new IllegalArgumentException(
          "only the last arriver of a phase of this barrier completes it, and once");
    }
    run(() -> SystemBarrier.complete(words, 0));
  }

  /**
   * Returns whether the phase of an arrival has ended.
   *
   * @throws IllegalArgumentException if the arrival is at another barrier
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = "makes one load")
  public boolean hasEnded(Arrival arrival) {
    requireHere(arrival);
    return open(() -> SystemBarrier.tryWait(words, 0, arrival.token())) == 1;
  }

  /**
   * Waits until the phase of an arrival has ended.
   *
   * @throws dev.gyre.atomics.GyreException if the thread is interrupted
   * @throws IllegalArgumentException if the arrival is at another barrier
   */
  @Progress(value = ProgressClass.STARVATION_FREE, because = WAITS)
  public void await(Arrival arrival) {
    requireHere(arrival);
    await(() -> SystemBarrier.await(words, 0, arrival.token(), FOR_EVER));
  }

  /**
   * Waits until the phase of an arrival has ended, up to a time limit. The arrival still counts if
   * the wait ended early, and the thread may wait again.
   *
   * @return whether the phase has ended
   * @throws IllegalArgumentException if the arrival is at another barrier
   * @throws dev.gyre.atomics.GyreException if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TIMED)
  public boolean await(Arrival arrival, Duration timeout) {
    requireHere(arrival);
    return await(timeout, SyncLayout.PHASE, () -> hasEnded(arrival));
  }

  private void requireHere(Arrival arrival) {
    if (Objects.requireNonNull(arrival, "arrival").barrier != this) {
      throw new IllegalArgumentException("an arrival at another barrier");
    }
  }

  /**
   * Arrives, completes the phase if this is the last arrival, and waits; returns whether it was the
   * last.
   */
  @Progress(value = ProgressClass.STARVATION_FREE, because = WAITS)
  public boolean arriveAndWait() {
    Arrival arrival = arrive();
    if (arrival.isLast()) {
      complete(arrival);
    }
    await(arrival);
    return arrival.isLast();
  }
}

package dev.gyre.structures.sync;

import dev.gyre.kernels.sync.SyncLayout;
import dev.gyre.kernels.sync.SystemBarrier;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import java.time.Duration;
import java.util.Objects;

/**
 * A barrier, as {@code cuda::barrier}: a phase ends when all expected threads have arrived. A
 * thread may arrive early, work on and wait later.
 *
 * <p>Kernels take {@code memory()} as a handle and call {@code BlockBarrier}, {@code DeviceBarrier}
 * or {@code SystemBarrier}. A launch whose threads may not be there at once is refused.
 */
public final class Barrier extends SyncWords {

  /** An arrival at one barrier: what to wait with. */
  public static final class Arrival {

    private final Barrier barrier;
    private final int token;
    private boolean completes;

    private Arrival(Barrier barrier, int token) {
      this.barrier = barrier;
      this.token = token;
      this.completes = isLast();
    }

    /** The token that the device functions wait with. */
    public int token() {
      return token;
    }

    /** Whether this thread was the last of its phase, and so must {@link Barrier#complete} it. */
    public boolean isLast() {
      return SystemBarrier.isLast(token) == 1;
    }

    /** Whether the phase is still to be completed; from now on it is not. */
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

  /**
   * Arrives. The last of a phase does what is to be done once per phase, then completes it. A
   * thread that arrives again must know that the phase has ended: it waited, completed it, or was
   * told. Else what it gets may be an arrival at the phase that is just ending.
   *
   * @throws IllegalStateException if all arrivals of this phase have been
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = "fails only for one that arrives")
  public Arrival arrive() {
    return arrive(1);
  }

  /**
   * Arrives for several at once, as if each of {@code arrivals} threads called {@link #arrive()}.
   * Who waits with this arrival waits for all of the phase.
   *
   * @param arrivals at least 1
   * @throws IllegalArgumentException if {@code arrivals} is not positive
   * @throws IllegalStateException if fewer are missing in this phase; none has arrived then
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = "fails only for one that arrives")
  public Arrival arrive(int arrivals) {
    if (arrivals < 1) {
      throw new IllegalArgumentException("arrivals must be positive, not " + arrivals);
    }
    try {
      // relaxed, and before the arrival, as in SystemBarrier.
      int phase = words.loadRelaxed(SyncLayout.PHASE);
      int seen = words.loadRelaxed(SyncLayout.MISSING);
      int missing;
      do {
        missing = seen;
        if (missing < arrivals) {
          throw new IllegalStateException("more arrivals than this phase of the barrier expects");
        }
        // acq_rel: as the fetch-and-subtract of SystemBarrier. A late one must not count below 0.
        seen = words.compareAndExchangeAcqRel(SyncLayout.MISSING, missing, missing - arrivals);
      } while (seen != missing);
      return new Arrival(this, (phase << 1) + (missing == arrivals ? 1 : 0));
    } catch (IllegalStateException e) {
      throw explained(e);
    }
  }

  /**
   * Arrives for the last time: this thread is not expected in the phases that follow.
   *
   * @throws IllegalStateException as {@link #arrive}; where the phase ends at this very moment, the
   *     next one may expect one thread less
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = "fails only for one that arrives")
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
    try {
      // relaxed: the arrival publishes it to the last arriver; after that it could be too late.
      int _ = words.fetchAddRelaxed(SyncLayout.EXPECTED, more);
    } catch (IllegalStateException e) {
      throw explained(e);
    }
  }

  /**
   * Ends the phase whose last arrival this is, and begins the next.
   *
   * @throws IllegalArgumentException if it is not the last arrival of a phase of this barrier, or
   *     the phase was completed before
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "is three stores; who wakes others takes their lock")
  public void complete(Arrival last) {
    try {
      if (Objects.requireNonNull(last, "last").barrier != this || !last.take()) {
        throw new IllegalArgumentException(
            "only the last arriver of a phase of this barrier completes it, and once");
      }
      SystemBarrier.complete(words, 0);
    } catch (IllegalStateException e) {
      throw explained(e);
    }
  }

  /**
   * Whether the phase of an arrival has ended.
   *
   * @throws IllegalArgumentException if it is an arrival at another barrier
   */
  @Progress(value = ProgressClass.WAIT_FREE, because = "is one load")
  public boolean hasEnded(Arrival arrival) {
    try {
      requireHere(arrival);
      return SystemBarrier.tryWait(words, 0, arrival.token()) == 1;
    } catch (IllegalStateException e) {
      throw explained(e);
    }
  }

  /**
   * Waits until the phase of an arrival has ended.
   *
   * @throws dev.gyre.atomics.GyreException if the thread is interrupted
   * @throws IllegalArgumentException if it is an arrival at another barrier
   */
  @Progress(
      value = ProgressClass.STARVATION_FREE,
      because = "waits for those that have not arrived")
  public void await(Arrival arrival) {
    try {
      requireHere(arrival);
      Patience.require(
          "a barrier", () -> SystemBarrier.await(words, 0, arrival.token(), Patience.FOR_EVER));
    } catch (IllegalStateException e) {
      throw explained(e);
    }
  }

  /**
   * Waits until the phase of an arrival has ended, for some time at most. Who gives up has arrived
   * all the same, and may wait again.
   *
   * @return whether it has ended
   * @throws dev.gyre.atomics.GyreException if the thread is interrupted
   * @throws IllegalArgumentException if it is an arrival at another barrier
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TIMED)
  public boolean await(Arrival arrival, Duration patience) {
    try {
      requireHere(arrival);
      return Patience.within(
          patience, "a barrier", words, SyncLayout.PHASE, () -> hasEnded(arrival));
    } catch (IllegalStateException e) {
      throw explained(e);
    }
  }

  private void requireHere(Arrival arrival) {
    if (Objects.requireNonNull(arrival, "arrival").barrier != this) {
      throw new IllegalArgumentException("an arrival at another barrier");
    }
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
}

package dev.gyre.structures.map;

import dev.gyre.atomics.ClosedException;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Says which operations of a map may run at the same time.
 *
 * <p>Updates run beside updates and beside concurrent readers; quiescent readers beside all readers
 * and no update; an exclusive operation, such as growth, beside nothing. A reader never waits for
 * an update: where one runs or waits, the reader is a concurrent one. A large update that comes
 * while there is no other may enter as the sole one, beside concurrent readers; other updates then
 * wait for it.
 *
 * <p>Updates of single keys enter by a {@link Turnstile}, without a lock, and only where that is
 * barred as other updates do. Reads of single keys do not enter at all; see {@link LongAccess}.
 */
final class Gate {

  /** What an operation entered as, and has to leave as. */
  enum Mode {
    UPDATE,
    SOLE_UPDATE,
    CONCURRENT_READ,
    QUIESCENT_READ,
    EXCLUSIVE
  }

  private final String owner;
  private final Turnstile singles;

  // All guarded by this.
  private final Map<Mode, Integer> inside = new EnumMap<>(Mode.class);
  private final Map<Mode, Integer> waiting = new EnumMap<>(Mode.class);
  private boolean closed;

  Gate(String owner) {
    this(owner, new Turnstile());
  }

  Gate(String owner, Turnstile singles) {
    this.owner = owner;
    this.singles = singles;
  }

  /** Enters as an update. */
  synchronized void enterUpdate() {
    enter(
        Mode.UPDATE,
        () ->
            none(inside, Mode.QUIESCENT_READ)
                && none(inside, Mode.SOLE_UPDATE)
                && none(waiting, Mode.QUIESCENT_READ)
                && unlocked());
  }

  /** Enters as the sole update, if that can be at once; returns whether it could. */
  synchronized boolean tryEnterSole() {
    boolean free =
        !closed
            && none(inside, Mode.QUIESCENT_READ)
            && none(waiting, Mode.QUIESCENT_READ)
            && unlocked()
            && quiet();
    add(inside, Mode.SOLE_UPDATE, free ? 1 : 0);
    return free;
  }

  /** Enters as an update of one key; returns what to {@link #leaveSingle leave} with. */
  int enterSingle() {
    int stripe = singles.enter();
    if (stripe == Turnstile.BARRED) {
      synchronized (this) {
        // Who barred it may have seen this thread inside for a moment.
        notifyAll();
        enterUpdate();
      }
    }
    return stripe;
  }

  void leaveSingle(int stripe) {
    if (stripe == Turnstile.BARRED) {
      leave(Mode.UPDATE);
    } else if (singles.leave(stripe)) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /** Enters as a reader; returns as which kind. */
  synchronized Mode enterRead() {
    awaitTurn(Mode.CONCURRENT_READ, this::unlocked, 0);
    Mode mode = quiet() ? Mode.QUIESCENT_READ : Mode.CONCURRENT_READ;
    add(inside, mode, 1);
    return mode;
  }

  /** Enters as a quiescent reader, waiting for updates to end. */
  synchronized void enterQuiescentRead() {
    enter(
        Mode.QUIESCENT_READ,
        () ->
            none(inside, Mode.UPDATE)
                && none(inside, Mode.SOLE_UPDATE)
                && unlocked()
                && singles.isEmpty());
  }

  /** Enters alone. */
  synchronized void enterExclusive() {
    enter(
        Mode.EXCLUSIVE,
        () ->
            none(inside, Mode.UPDATE)
                && none(inside, Mode.SOLE_UPDATE)
                && none(inside, Mode.CONCURRENT_READ)
                && none(inside, Mode.QUIESCENT_READ)
                && none(inside, Mode.EXCLUSIVE)
                && singles.isEmpty());
  }

  synchronized void leave(Mode mode) {
    add(inside, mode, -1);
    notifyAll();
  }

  /** Lets nobody in any more; those who wait are turned away. The caller is inside, alone. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Whether no update runs or waits; bars single keys, until the next change of what is inside. */
  private boolean quiet() {
    boolean quiet =
        none(inside, Mode.UPDATE) && none(inside, Mode.SOLE_UPDATE) && none(waiting, Mode.UPDATE);
    if (quiet) {
      singles.bar(true);
      quiet = singles.isEmpty();
    }
    return quiet;
  }

  private boolean unlocked() {
    return none(inside, Mode.EXCLUSIVE) && none(waiting, Mode.EXCLUSIVE);
  }

  private static boolean none(Map<Mode, Integer> counts, Mode mode) {
    return counts.getOrDefault(mode, 0) == 0;
  }

  private void add(Map<Mode, Integer> counts, Mode mode, int change) {
    counts.put(mode, counts.getOrDefault(mode, 0) + change);
    singles.bar(
        !unlocked()
            || !none(inside, Mode.SOLE_UPDATE)
            || !none(inside, Mode.QUIESCENT_READ)
            || !none(waiting, Mode.QUIESCENT_READ));
  }

  private void enter(Mode mode, BooleanSupplier turn) {
    awaitTurn(mode, turn, 1);
  }

  /**
   * Waits for a turn, and enters so many times: before it waits no longer, as single keys are not
   * to be let in between.
   */
  private synchronized void awaitTurn(Mode mode, BooleanSupplier turn, int entries) {
    boolean interrupted = false;
    add(waiting, mode, 1);
    try {
      while (!closed && !turn.getAsBoolean()) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      add(inside, mode, closed ? 0 : entries);
    } finally {
      add(waiting, mode, -1);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (closed) {
      throw new ClosedException(owner);
    }
  }
}

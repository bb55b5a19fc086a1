package dev.gyre.structures.map.work;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.events.Span;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says which operations of a map may run at the same time.
 *
 * <p>Updates run beside updates and beside concurrent readers; quiescent readers beside all readers
 * and no update; an exclusive operation, such as growth, beside nothing. A reader never waits for
 * an update: where one runs or waits, the reader is a concurrent one. A large update that comes
 * while there is no other may enter as the sole one, beside concurrent readers; other updates then
 * wait for it.
 *
 * <p>Operations that may not run beside each other take turns: one waits for those that are inside,
 * and for those that came before it and still wait. So none is kept out for ever by others that
 * come again and again.
 *
 * <p>Updates of single keys enter by a {@link Turnstile}, without a lock, and only where that is
 * barred as other updates do. Reads of single keys do not enter at all.
 */
public final class Gate {

  /** What an operation entered as, and has to leave as. */
  public enum Mode {
    UPDATE,
    SOLE_UPDATE,
    CONCURRENT_READ,
    QUIESCENT_READ,
    EXCLUSIVE;

    /** Whether operations of this and another mode may not run at the same time. */
    boolean bars(Mode other) {
      return switch (this) {
        case UPDATE -> other != UPDATE && other != CONCURRENT_READ;
        case SOLE_UPDATE -> other != CONCURRENT_READ;
        case CONCURRENT_READ -> other == EXCLUSIVE;
        case QUIESCENT_READ -> other != CONCURRENT_READ && other != QUIESCENT_READ;
        case EXCLUSIVE -> true;
      };
    }
  }

  /** One that waits to enter; compared by identity. */
  private static final class Waiter {
    final Mode mode;

    Waiter(Mode mode) {
      this.mode = mode;
    }
  }

  private static final List<Mode> MODES = List.of(Mode.values());

  private final String owner;
  private final Turnstile singles;

  // Guarded by this, all that follows.
  private final Map<Mode, Integer> inside = new EnumMap<>(Mode.class);

  /** Those who wait, in the order in which they came. */
  private final List<Waiter> waiting = new ArrayList<>();

  /** Written by who holds the lock, read by anybody. */
  private volatile boolean closed;

  public Gate(String owner) {
    this(owner, new Turnstile());
  }

  Gate(String owner, Turnstile singles) {
    this.owner = owner;
    this.singles = singles;
  }

  /** Enters as an update. */
  public synchronized void enterUpdate() {
    awaitTurn(Mode.UPDATE);
    add(Mode.UPDATE, 1);
  }

  /** Enters as the sole update, if that can be at once; returns whether it could. */
  public synchronized boolean tryEnterSole() {
    boolean free = !closed && admits(Mode.SOLE_UPDATE, null) && quiet();
    add(Mode.SOLE_UPDATE, free ? 1 : 0);
    return free;
  }

  /** Enters as an update of one key; returns what to {@link #leaveSingle leave} with. */
  public int enterSingle() {
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

  public void leaveSingle(int stripe) {
    if (stripe == Turnstile.BARRED) {
      leave(Mode.UPDATE);
    } else if (singles.leave(stripe)) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /** Enters as a reader; returns as which kind. */
  public synchronized Mode enterRead() {
    awaitTurn(Mode.CONCURRENT_READ);
    Mode mode = quiet() ? Mode.QUIESCENT_READ : Mode.CONCURRENT_READ;
    add(mode, 1);
    return mode;
  }

  /** Enters as a quiescent reader, waiting for updates to end. */
  public synchronized void enterQuiescentRead() {
    awaitTurn(Mode.QUIESCENT_READ);
    add(Mode.QUIESCENT_READ, 1);
  }

  /** Enters alone. */
  public synchronized void enterExclusive() {
    awaitTurn(Mode.EXCLUSIVE);
    add(Mode.EXCLUSIVE, 1);
  }

  /** Does something alone. */
  public void exclusively(Runnable work) {
    enterExclusive();
    try {
      work.run();
    } finally {
      leave(Mode.EXCLUSIVE);
    }
  }

  public synchronized void leave(Mode mode) {
    add(mode, -1);
    notifyAll();
  }

  /** Lets nobody in any more; those who wait are turned away. The caller is inside, alone. */
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Takes no lock: who only wants to know waits for nobody. */
  public boolean isClosed() {
    return closed;
  }

  /** Whether no update runs or waits; bars single keys, until the next change of what is inside. */
  private boolean quiet() {
    boolean quiet =
        isOut(Mode.UPDATE)
            && isOut(Mode.SOLE_UPDATE)
            && waiting.stream().noneMatch(waiter -> waiter.mode == Mode.UPDATE);
    if (quiet) {
      singles.bar(true);
      quiet = singles.isEmpty();
    }
    return quiet;
  }

  private boolean isOut(Mode mode) {
    return inside.getOrDefault(mode, 0) == 0;
  }

  private void add(Mode mode, int change) {
    inside.put(mode, inside.getOrDefault(mode, 0) + change);
    barSingles();
  }

  /** Bars single keys where an update would wait: for one inside, or one that came before it. */
  private void barSingles() {
    singles.bar(!admits(Mode.UPDATE, null));
  }

  /**
   * Whether nobody is inside, and nobody waits since before another one or at all, who may not run
   * beside an operation of a mode.
   */
  @SuppressWarnings("ReferenceEquality") // that one, not one like it
  private boolean admits(Mode mode, @Nullable Waiter self) {
    boolean admits = true;
    for (Mode other : MODES) {
      admits &= isOut(other) || !mode.bars(other);
    }
    for (int i = 0; admits && i < waiting.size() && waiting.get(i) != self; i++) {
      admits = !mode.bars(waiting.get(i).mode);
    }
    return admits;
  }

  /** Whether it is a waiter's turn; updates of single keys that are inside have come before it. */
  private boolean hasTurn(Waiter waiter) {
    return admits(waiter.mode, waiter) && (!waiter.mode.bars(Mode.UPDATE) || singles.isEmpty());
  }

  /**
   * Waits for a turn; the caller then says that it is inside, before it lets go of the lock.
   *
   * @throws ClosedException if the gate was closed
   */
  private synchronized void awaitTurn(Mode mode) {
    boolean interrupted = false;
    Span span = Span.waiting();
    Waiter waiter = new Waiter(mode);
    waiting.add(waiter);
    barSingles();
    while (!closed && !hasTurn(waiter)) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    waiting.remove(waiter);
    span.ended(owner);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (closed) {
      barSingles();
      throw new ClosedException(owner);
    }
  }
}

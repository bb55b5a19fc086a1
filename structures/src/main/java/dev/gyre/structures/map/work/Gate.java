package dev.gyre.structures.map.work;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.events.Span;
import dev.gyre.structures.Leaving;
import dev.gyre.structures.StructureException;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says which operations of a map may run at the same time.
 *
 * <p>Updates run beside updates and beside concurrent readers; quiescent readers beside all readers
 * and no update; an exclusive operation, such as growth, beside nothing. A reader never waits for
 * an update: where one runs or waits, the reader is a concurrent one. A large update that comes
 * while there is no other may enter as the sole one, beside concurrent readers; other updates then
 * wait for it. So does a launch of a user's kernel, which waits for its turn.
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
    UPDATE(0),
    SOLE_UPDATE(1),
    CONCURRENT_READ(2),
    QUIESCENT_READ(3),
    EXCLUSIVE(4);

    /** Where it is counted. */
    final int place;

    Mode(int place) {
      this.place = place;
    }

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

  /** After how many short updates it is looked again whether others are still there, at least. */
  private static final int CROWDED = 1 << 6;

  /** The same, at most. */
  private static final int MOST_CROWDED = 1 << 12;

  private final String owner;
  private final Turnstile singles;

  /** Made before anybody enters: where there is no heap left for it, nobody could leave. */
  private final Leaving reading = () -> leave(Mode.QUIESCENT_READ);

  // Guarded by this, all that follows.

  /** How many are inside, by mode. */
  private final int[] inside = new int[MODES.size()];

  /** Those who wait, in the order in which they came. */
  private final List<Waiter> waiting = new ArrayList<>();

  /** Who entered as the sole update by its turn. */
  private @Nullable Thread sole;

  /** How many short updates are still to go beside others, since lately there were some. */
  private int crowded;

  /** How many will be the next time; twice as many each time, while others are there again. */
  private int crowd = CROWDED;

  /** How many short updates were sole ones since others were there. */
  private int alone = CROWDED;

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

  /** Enters as the sole update, when other updates and quiescent readers have left. */
  public synchronized void enterSole() {
    awaitTurn(Mode.SOLE_UPDATE);
    add(Mode.SOLE_UPDATE, 1);
    sole = Thread.currentThread();
  }

  /** Enters as the sole update, if that can be at once; returns whether it could. */
  public synchronized boolean tryEnterSole() {
    boolean free = !closed && admits(Mode.SOLE_UPDATE, null) && quiet();
    add(Mode.SOLE_UPDATE, free ? 1 : 0);
    return free;
  }

  /**
   * {@link #tryEnterSole} of an update that is so short that others would wait longer to go on than
   * for its end: not for a while after others were there, which is the longer the more often that
   * was so.
   */
  public synchronized boolean tryEnterSoleForShort() {
    boolean free = crowded == 0 && tryEnterSole();
    if (free) {
      alone = Math.min(alone + 1, CROWDED);
    } else if (crowded > 0) {
      crowded--;
    } else {
      crowd = alone < CROWDED ? Math.min(2 * crowd, MOST_CROWDED) : CROWDED;
      crowded = crowd;
      alone = 0;
    }
    return free;
  }

  /** By which updates of single keys enter. */
  public Turnstile singles() {
    return singles;
  }

  /** Enters as an update of one key; returns the pass to {@link #leaveSingle leave} with. */
  public int enterSingle() {
    int pass = singles.enter();
    if (pass == Turnstile.BARRED) {
      synchronized (this) {
        // Who barred it may have seen this thread inside for a moment.
        notifyAll();
        enterUpdate();
      }
    }
    return pass;
  }

  /**
   * Leaves as an update of one key. All that the caller wrote comes before anything that it looks
   * at later, if it begins that by a volatile load, as all reads of maps do. Where there is a lock,
   * as on x86, that is a full fence by itself; where a pair of exclusive instructions is in its
   * place, as on old AArch64, the load is what holds the others back.
   */
  public void leaveSingle(int pass) {
    if (pass == Turnstile.BARRED) {
      VarHandle.fullFence();
      leave(Mode.UPDATE);
    } else if (singles.leave(pass)) {
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

  /** The same, to leave at the end of it. */
  public Leaving readQuiescent() {
    enterQuiescentRead();
    return reading;
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
    sole = mode == Mode.SOLE_UPDATE ? null : sole;
    add(mode, -1);
    if (!waiting.isEmpty()) {
      notifyAll();
    }
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
    boolean quiet = isOut(Mode.UPDATE) && isOut(Mode.SOLE_UPDATE) && !updateWaits();
    if (quiet) {
      singles.bar(true);
      quiet = singles.isEmpty();
    }
    return quiet;
  }

  private boolean updateWaits() {
    boolean waits = false;
    for (int i = 0; i < waiting.size(); i++) {
      Mode mode = waiting.get(i).mode;
      waits |= mode == Mode.UPDATE || mode == Mode.SOLE_UPDATE;
    }
    return waits;
  }

  private boolean isOut(Mode mode) {
    return inside[mode.place] == 0;
  }

  private void add(Mode mode, int change) {
    inside[mode.place] += change;
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
    for (int i = 0; i < MODES.size(); i++) {
      admits &= isOut(MODES.get(i)) || !mode.bars(MODES.get(i));
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

  /** A launch's function, by which it makes its kernel, must not wait for the launch. */
  private void requireOther(Mode mode) {
    if (Thread.currentThread().equals(sole) && mode.bars(Mode.SOLE_UPDATE)) {
      throw new StructureException(
          owner + ": the function that makes a kernel for it must not change, save or close it");
    }
  }

  /**
   * Waits for a turn; the caller then says that it is inside, before it lets go of the lock.
   *
   * @throws ClosedException if the gate was closed
   * @throws StructureException if it would wait for itself
   */
  private void awaitTurn(Mode mode) {
    requireOther(mode);
    boolean beside = mode == Mode.UPDATE || mode == Mode.CONCURRENT_READ;
    if (closed || !beside || !waiting.isEmpty() || !admits(mode, null)) {
      awaitInTurn(mode);
    }
  }

  private synchronized void awaitInTurn(Mode mode) {
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

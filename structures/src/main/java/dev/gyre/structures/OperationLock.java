package dev.gyre.structures;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Internal;
import dev.gyre.kernels.events.Span;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which operations on a structure may run at the same time. For the packages of this
 * module.
 *
 * <h2>Modes</h2>
 *
 * A shared update runs together with other shared updates and with concurrent reads. An exclusive
 * update keeps other updates out and admits concurrent reads. A quiescent read runs together with
 * all reads and no update. An exclusive operation, such as growth, runs alone. {@link Mode#bars} is
 * the table.
 *
 * <h2>Protocol: announce, then check</h2>
 *
 * An operation first announces its mode in a {@linkplain Entry stripe}, which it claims by
 * compare-and-exchange. Then it checks the stripes for announcements that it must not run together
 * with. If it finds none, it has entered. Both accesses are volatile, so that of two conflicting
 * operations at least one sees the other. This is the visible-readers table of BRAVO (Dice and
 * Kogan, "BRAVO: Biased Locking for Reader-Writer Locks", USENIX ATC 2019), extended to five modes.
 *
 * <p>A shared update need not check all stripes. Each operation that bars updates increments {@link
 * #announced} after its announcement. An update that checked all stripes and found none of them
 * stores the count that it had read before in {@link #cleared}. While the two numbers are equal, no
 * such operation is present, and an update needs only two loads.
 *
 * <h2>Waiting</h2>
 *
 * An operation that finds a conflicting one withdraws its announcement and waits in a queue, which
 * is a fair {@link ReentrantLock}. The first operation in the queue announces itself again and
 * waits until all conflicting operations have left. Later arrivals see its announcement and queue
 * behind it. A leaving thread wakes the first operation if nothing conflicts with it any more. The
 * first operation, after entering, lets the next one come to the front.
 *
 * <h2>Leaving</h2>
 *
 * A thread leaves by one volatile store, {@code entry.holder = LEFT}, and then calls {@link
 * Entry#left}. The store must be in the method that entered: a call may throw {@link
 * StackOverflowError} where entering did not, because HotSpot may have replaced the caller's frame
 * by a larger one. A store needs no stack and no heap. If {@code left} fails, only a wake-up is
 * lost, and the first operation checks again after {@link #RECHECK_NANOS}. Before it enters, each
 * operation makes sure that the stack suffices for all of it: {@link StackReserve}.
 *
 * <h2>Nested operations</h2>
 *
 * A thread that has entered may enter again, for example if its update function updates the same
 * structure. It does not wait if its first entry keeps out everything that the second one must keep
 * out. Otherwise it would wait for itself, and the second entry is refused.
 *
 * <h2>Progress</h2>
 *
 * Entering is lock-free while no conflicting operation is present; otherwise it blocks. Each
 * operation is woken at most twice. The queue is fair, so that no operation is overtaken for ever.
 *
 * <table>
 *   <caption>Racing accesses</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>announce: claim of a stripe; then load of announced, cleared, or stripes</td>
 *       <td>volatile</td><td>the same of another operation</td>
 *       <td>two conflicting operations could miss each other</td></tr>
 *   <tr><td>increment of announced; then load of stripes</td><td>volatile</td>
 *       <td>an update's claim, then its load of announced</td><td>as above</td></tr>
 *   <tr><td>leave: store of the holder; then load of first</td><td>volatile</td>
 *       <td>store of first, then load of stripes</td><td>a wake-up could be lost</td></tr>
 * </table>
 */
@Internal
public final class OperationLock extends Announcements {

  /** Mode in which an operation enters. */
  public enum Mode {
    UPDATE(0),
    EXCLUSIVE_UPDATE(1),
    CONCURRENT_READ(2),
    QUIESCENT_READ(3),
    EXCLUSIVE(4);

    static final Mode[] ALL = values();

    /** Index of its count. */
    final int place;

    final int bit;

    Mode(int place) {
      this.place = place;
      this.bit = 1 << place;
    }

    /** Returns the bits of the conflicting modes; the relation is symmetric. */
    int bars() {
      return switch (this) {
        case UPDATE -> EXCLUSIVE_UPDATE.bit | QUIESCENT_READ.bit | EXCLUSIVE.bit;
        case EXCLUSIVE_UPDATE ->
            UPDATE.bit | EXCLUSIVE_UPDATE.bit | QUIESCENT_READ.bit | EXCLUSIVE.bit;
        case CONCURRENT_READ -> EXCLUSIVE.bit;
        case QUIESCENT_READ -> UPDATE.bit | EXCLUSIVE_UPDATE.bit | EXCLUSIVE.bit;
        case EXCLUSIVE -> (1 << ALL.length) - 1;
      };
    }
  }

  /** Value of {@link Entry#holder} if no thread has entered. The thread stores it to leave. */
  public static final long LEFT = 0;

  /** Used instead of a mode while a thread reads or changes the reservation of a stripe. */
  private static final int BUSY = 1 << 5;

  private static final int BARS_UPDATE = Mode.UPDATE.bars();

  /** Checks of the first operation in the queue before it parks. */
  private static final int SPINS = 1 << 6;

  /** Time after which the first operation in the queue checks again without a wake-up. */
  private static final long RECHECK_NANOS = 50_000_000;

  private static final VarHandle HOLDER;
  private static final VarHandle RESERVED;
  private static final VarHandle REMOVED;
  private static final VarHandle ANNOUNCED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HOLDER = lookup.findVarHandle(Entry.class, "holder", long.class);
      RESERVED = lookup.findVarHandle(Entry.class, "reserved", long.class);
      REMOVED = lookup.findVarHandle(Entry.class, "removed", long.class);
      ANNOUNCED = lookup.findVarHandle(OperationLock.class, "announced", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Announcement of an operation: a stripe, which threads use one after another, or a separate
   * entry if all stripes are taken.
   */
  public final class Entry implements Releasable {

    /**
     * The thread that has entered, and its mode; {@link OperationLock#LEFT} if none. While a thread
     * has entered, only this thread writes it, to leave.
     */
    public volatile long holder;

    /** Capacity that the structure has reserved for operations that enter by this stripe. */
    @SuppressWarnings("unused") // Accessed by its handle.
    private long reserved;

    /** Number of keys that operations removed that entered by this stripe. */
    @SuppressWarnings("unused") // Accessed by its handle.
    private long removed;

    /** For the owner of the stripe: words of an arena that it has taken, from next to end. */
    public long arenaNext;

    public long arenaEnd;

    /** Number of the arena whose words these are; 0 if none. */
    public long arena;

    /** The holder under which this is counted, LEFT if none; null for a stripe. */
    private final @Nullable Long counted;

    // Padding: the holders of two stripes are on different cache lines.
    @SuppressWarnings("unused")
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9;

    private Entry(@Nullable Long counted) {
      this.counted = counted;
    }

    boolean claim(long newHolder) {
      return holder == LEFT && HOLDER.compareAndSet(this, LEFT, newHolder);
    }

    /**
     * Returns whether this is a stripe, which the caller owns with its reservation until it leaves.
     */
    public boolean isStripe() {
      return counted == null;
    }

    boolean isCountedAs(Mode mode) {
      return counted != null && (counted & mode.bit) != 0;
    }

    /** Returns whether no update runs together with this reader. */
    public boolean isQuiescent() {
      return ((int) holder & Mode.QUIESCENT_READ.bit) != 0;
    }

    /** Returns the reservation, as the owner of the stripe wrote it. */
    public long reservedPlain() {
      return (long) RESERVED.get(this);
    }

    /** Returns the reservation, ordered after everything that was written before it. */
    public long reservedVolatile() {
      return (long) RESERVED.getVolatile(this);
    }

    // release: after the caller's earlier writes
    public void reserveRelease(long amount) {
      RESERVED.setRelease(this, amount);
    }

    /** Returns the number of removed keys. No operation that left before is missed. */
    public long removedVolatile() {
      return (long) REMOVED.getVolatile(this);
    }

    /** Counts a removed key; called by the owner of the stripe. */
    public void countRemoved() {
      // release: after the slot is REMOVED
      REMOVED.setRelease(this, (long) REMOVED.get(this) + 1);
    }

    /** Claims this stripe, if it is free, to change its reservation; leave by a store. */
    public boolean tryBusy() {
      return claim(BUSY);
    }

    /**
     * Called after the holder was set to LEFT: wakes the first operation in the queue if it can
     * enter.
     */
    public void left() {
      if (counted != null || first != null) {
        OperationLock.this.left(counted);
      }
    }

    /** Leaves. Only for entries that allow it: the stack must suffice for a call. */
    @Override
    public void close() {
      holder = LEFT;
      left();
    }
  }

  /** First operation in the queue. */
  private record First(Thread thread, Entry entry, int bars) {}

  private final long recheckNanos;

  /** Entry of nested operations; its holder is meaningless. */
  private final Entry nested = new Entry(LEFT);

  /** The queue, in order of arrival. */
  private final ReentrantLock line = new ReentrantLock(true);

  /** Number of announcements that bar updates. */
  @SuppressWarnings("FieldMayBeFinal") // Written by its handle.
  private volatile long announced;

  /** Value of announced for which all announcements have left. */
  private volatile long cleared;

  /** Set by the thread at the front of the queue. */
  private volatile @Nullable First first;

  private volatile boolean closed;

  /**
   * Creates a lock.
   *
   * @param owner name of the structure, for messages
   */
  public OperationLock(String owner) {
    this(owner, RECHECK_NANOS);
  }

  /** Creates a lock with another recheck time. */
  OperationLock(String owner, long recheckNanos) {
    super(owner);
    // Initialise the classes of operations while enough stack is left: a class whose initialiser
    // overflows the stack can never be used.
    StackReserve.require();
    byte[] _ = TextBytes.of("");
    this.recheckNanos = recheckNanos;
  }

  /**
   * Enters as an update of one key; leave by a store.
   *
   * <p>Everything that the caller wrote comes before everything that it reads after leaving,
   * because a volatile store and a later volatile load keep their order.
   *
   * @throws ClosedException if it must wait and the lock is closed
   */
  public Entry enterSingle() {
    StackReserve.require();
    long thread = Thread.currentThread().threadId();
    Entry entry = stripes.get(stripeOf(thread));
    if (entry == null || !entry.claim(holder(thread, Mode.UPDATE))) {
      return enterElsewhere(entry, thread);
    }
    if (announced == cleared) {
      return entry;
    }
    // In a try block from the claim on: a call may fail.
    boolean inside = false;
    try {
      inside = admits(entry, Mode.UPDATE);
    } finally {
      if (!inside) {
        entry.holder = LEFT;
      }
    }
    if (inside) {
      return entry;
    }
    entry.left();
    return enterInLine(thread, Mode.UPDATE, 0, null);
  }

  private Entry enterElsewhere(@Nullable Entry taken, long thread) {
    if (taken != null && taken.holder == holder(thread, Mode.UPDATE)) {
      return nested;
    }
    Entry entry = tryEnter(thread, Mode.UPDATE, 0);
    return entry != null ? entry : enterInLine(thread, Mode.UPDATE, 0, null);
  }

  /** Returns whether an announced operation may enter. */
  private boolean admits(Entry entry, Mode mode) {
    if (mode == Mode.UPDATE) {
      long seen = announced;
      boolean free = seen == cleared || isFree(entry, BARS_UPDATE);
      if (free && seen != cleared) {
        cleared = seen;
      }
      return free;
    }
    announce(mode);
    return isFree(entry, mode.bars());
  }

  /**
   * Enters as an update; leave by a store.
   *
   * @throws ClosedException if the lock is closed
   */
  public Entry enterUpdate() {
    return enter(Mode.UPDATE);
  }

  /**
   * Enters as an exclusive update, after updates and quiescent reads have left.
   *
   * @throws ClosedException if the lock is closed
   */
  public Entry enterExclusiveUpdate() {
    return enter(Mode.EXCLUSIVE_UPDATE);
  }

  /**
   * Enters as an exclusive update if it need not wait, otherwise returns null; leave by a store.
   */
  public @Nullable Entry tryEnterExclusiveUpdate() {
    return closed
        ? null
        : tryEnter(Thread.currentThread().threadId(), Mode.EXCLUSIVE_UPDATE, STRIPES);
  }

  /**
   * Enters as a reader, a {@linkplain Entry#isQuiescent quiescent} one if no update runs or waits;
   * leave by a store.
   *
   * @throws ClosedException if the lock is closed
   */
  public Entry enterRead() {
    Entry entry =
        closed ? null : tryEnter(Thread.currentThread().threadId(), Mode.QUIESCENT_READ, STRIPES);
    return entry != null ? entry : enterConcurrentRead();
  }

  /**
   * Enters as a reader that only exclusive operations keep out; leave by a store.
   *
   * @throws ClosedException if the lock is closed
   */
  public Entry enterConcurrentRead() {
    return enter(Mode.CONCURRENT_READ);
  }

  /**
   * Enters as a quiescent reader, after updates have left.
   *
   * @throws ClosedException if the lock is closed
   */
  public Entry enterQuiescentRead() {
    return enter(Mode.QUIESCENT_READ);
  }

  /**
   * Enters exclusively.
   *
   * @throws ClosedException if the lock is closed
   */
  public Entry enterExclusive() {
    return enter(Mode.EXCLUSIVE);
  }

  /** Runs work exclusively. */
  public void exclusively(Runnable work) {
    try (Entry _ = enterExclusive()) {
      work.run();
    }
  }

  /**
   * Runs work exclusively, unless it is no longer needed.
   *
   * <p>If several threads want a full table to grow, the first one grows it. The others leave the
   * queue without keeping any operation out.
   *
   * @param needed called at the front of the queue, together with other operations, and once more
   *     exclusively
   */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  public void exclusivelyIf(BooleanSupplier needed, Runnable work) {
    if (!needed.getAsBoolean()) {
      return;
    }
    long thread = Thread.currentThread().threadId();
    Entry entry = closed ? null : tryEnter(thread, Mode.EXCLUSIVE, STRIPES);
    if (entry == null) {
      entry = enterInLine(thread, Mode.EXCLUSIVE, STRIPES, needed);
    }
    try (Entry _ = entry) {
      if (entry != nested && needed.getAsBoolean()) {
        work.run();
      }
    }
  }

  /** Returns about how many threads wait to enter, in time proportional to their number. */
  public int waiting() {
    // The first in line has the line, and is not among the threads that wait for it.
    return line.getQueueLength() + (line.isLocked() ? 1 : 0);
  }

  /** Returns whether shared updates run, or are about to wait. */
  public boolean hasUpdates() {
    return !isFree(nested, Mode.UPDATE.bit);
  }

  /** Refuses all further operations, including waiting ones. The caller has entered exclusively. */
  public void close() {
    closed = true;
  }

  /** Returns whether the lock is closed, without waiting. */
  public boolean isClosed() {
    return closed;
  }

  @Override
  Entry made(@Nullable Long counted) {
    return new Entry(counted);
  }

  private void requireOpen() {
    if (closed) {
      throw new ClosedException(owner);
    }
  }

  private Entry enter(Mode mode) {
    requireOpen();
    long thread = Thread.currentThread().threadId();
    Entry entry = tryEnter(thread, mode, STRIPES);
    return entry != null ? entry : enterInLine(thread, mode, STRIPES, null);
  }

  /** Enters if nothing conflicts and the lock is open, otherwise returns null. */
  private @Nullable Entry tryEnter(long thread, Mode mode, int from) {
    StackReserve.require();
    Entry entry = claim(thread, mode, from);
    boolean inside = false;
    try {
      // The lock may have been closed since the caller looked. It cannot be closed while this
      // operation keeps exclusive ones out.
      inside = admits(entry, mode) && !closed;
    } finally {
      if (!inside) {
        entry.holder = LEFT;
      }
    }
    if (inside) {
      return entry;
    }
    entry.left();
    return null;
  }

  /** Counts an announcement; later updates check all stripes. */
  private void announce(Mode mode) {
    if ((mode.bit & BARS_UPDATE) != 0) {
      long _ = (long) ANNOUNCED.getAndAdd(this, 1L);
    }
  }

  /**
   * Called after an operation has left: ends its count, and wakes the first operation in the queue
   * if it can enter.
   */
  private void left(@Nullable Long counted) {
    if (counted != null && counted != LEFT) {
      uncount(counted);
    }
    First waiting = first;
    if (waiting != null && isFree(waiting.entry, waiting.bars)) {
      LockSupport.unpark(waiting.thread);
    }
  }

  /**
   * Waits in the queue, and enters.
   *
   * @param needed if not null and false at the front of the queue, this method enters nothing and
   *     returns the entry of nested operations
   */
  private Entry enterInLine(long thread, Mode mode, int from, @Nullable BooleanSupplier needed) {
    if (isInside(thread, mode)) {
      return nested;
    }
    Span span = Span.waiting();
    line.lock();
    try {
      requireOpen();
      return needed == null || needed.getAsBoolean() ? enterFirst(thread, mode, from) : nested;
    } finally {
      line.unlock();
      span.ended(owner);
    }
  }

  /** Enters as the first operation in the queue. */
  private Entry enterFirst(long thread, Mode mode, int from) {
    Entry entry = claim(thread, mode, from);
    boolean interrupted = false;
    boolean inside = false;
    try {
      announce(mode);
      first = new First(Thread.currentThread(), entry, mode.bars());
      for (int i = 0; !inside && !closed; i++) {
        // Closed is read afterwards: an operation that left may have closed the lock.
        inside = isFree(entry, mode.bars()) && !closed;
        if (!inside && i < SPINS) {
          Thread.onSpinWait();
        } else if (!inside) {
          LockSupport.parkNanos(this, recheckNanos);
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      first = null;
      if (!inside) {
        entry.close();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (!inside) {
      throw new ClosedException(owner);
    }
    return entry;
  }
}

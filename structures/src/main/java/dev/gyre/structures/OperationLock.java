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
 * Shared updates run beside each other and beside concurrent reads. An exclusive update keeps other
 * updates out, and lets concurrent reads in. Quiescent reads run beside all reads and no update. An
 * exclusive operation, such as growth, runs alone. {@link Mode#bars} is the table.
 *
 * <h2>Protocol: announce, then look</h2>
 *
 * An operation first announces its mode in a {@linkplain Entry stripe} that it claims by
 * compare-and-exchange, and then looks for announcements that it may not run beside. If it finds
 * none, it is inside. Both accesses are volatile, so that of two operations that bar each other at
 * least one sees the other. This is the visible-readers table of BRAVO (Dice and Kogan, "BRAVO:
 * Biased Locking for Reader-Writer Locks", USENIX ATC 2019), for five modes.
 *
 * <p>A shared update need not look at all stripes. Operations that bar updates count themselves in
 * {@link #announced} after their announcement. An update that looked through all stripes, and found
 * none of them, stores the count that it had read before in {@link #cleared}. While the two numbers
 * are equal, no such operation is there, and an update needs two loads to know it.
 *
 * <h2>Waiting</h2>
 *
 * An operation that finds another in its way withdraws its announcement and waits in line, which is
 * a fair {@link ReentrantLock}. The first in line announces itself again, and waits until what it
 * may not run beside has left; later arrivals see its announcement and go to the end of the line. A
 * thread that leaves wakes the first in line if nothing is in its way any more, and the first in
 * line lets the next one come to the front. So each operation is woken at most twice, and none is
 * overtaken for ever.
 *
 * <h2>Leaving</h2>
 *
 * A thread leaves by one volatile store, {@code entry.holder = LEFT}, and then calls {@link
 * Entry#left}. The store stands in the method that entered, since a call may throw a {@link
 * StackOverflowError} where entering did not: HotSpot may have replaced the caller's frame by a
 * larger one. A store needs no stack and no heap. If {@code left} fails, all that is lost is a
 * wake-up, and the first in line looks again after {@link #RECHECK_NANOS}. Before it enters, every
 * operation makes sure that there is stack for all of it: {@link StackReserve}.
 *
 * <h2>Nested operations</h2>
 *
 * A thread that is inside already, such as one whose update function updates the same structure,
 * enters again without waiting if its first entry keeps out all that the second one must. It would
 * wait for itself otherwise, which is refused.
 *
 * <table>
 *   <caption>Accesses that race</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>announce: claim of a stripe; then load of announced, cleared, or stripes</td>
 *       <td>volatile</td><td>the same of another operation</td>
 *       <td>two that bar each other could miss each other</td></tr>
 *   <tr><td>count in announced; then load of stripes</td><td>volatile</td>
 *       <td>an update's claim, then its load of announced</td><td>as above</td></tr>
 *   <tr><td>leave: store of the holder; then load of first</td><td>volatile</td>
 *       <td>store of first, then load of stripes</td><td>a wake-up could be lost</td></tr>
 * </table>
 */
@Internal
public final class OperationLock extends Announcements {

  /** How an operation enters. */
  public enum Mode {
    UPDATE(0),
    EXCLUSIVE_UPDATE(1),
    CONCURRENT_READ(2),
    QUIESCENT_READ(3),
    EXCLUSIVE(4);

    static final Mode[] ALL = values();

    /** Where it is counted. */
    final int place;

    final int bit;

    Mode(int place) {
      this.place = place;
      this.bit = 1 << place;
    }

    /** Bits of the modes that may not run beside this one; symmetric. */
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

  /** In {@link Entry#holder}: nobody is here. The caller stores it to leave. */
  public static final long LEFT = 0;

  /** In place of a mode: a thread reads or changes what is reserved in a stripe. */
  private static final int BUSY = 1 << 5;

  private static final int BARS_UPDATE = Mode.UPDATE.bars();

  /** How often the first in line looks before it parks. */
  private static final int SPINS = 1 << 6;

  /** After how long the first in line looks again although nobody woke it. */
  private static final long RECHECK_NANOS = 50_000_000;

  private static final VarHandle HOLDER;
  private static final VarHandle RESERVED;
  private static final VarHandle ANNOUNCED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HOLDER = lookup.findVarHandle(Entry.class, "holder", long.class);
      RESERVED = lookup.findVarHandle(Entry.class, "reserved", long.class);
      ANNOUNCED = lookup.findVarHandle(OperationLock.class, "announced", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * What an operation is inside by: a stripe, which one thread after another uses, or an entry of
   * its own where all stripes are taken.
   */
  public final class Entry implements Leaving {

    /**
     * Which thread is inside, and in which mode; {@link OperationLock#LEFT} if none is. Written by
     * that thread to leave, and by nobody else while it is inside.
     */
    public volatile long holder;

    /** What the owner of the lock reserved for operations that enter by this stripe. */
    @SuppressWarnings("unused") // by its handle
    private long reserved;

    /** The holder by which this is counted, LEFT if by none; null if this is a stripe. */
    private final @Nullable Long counted;

    // Keeps the holders of two stripes on different cache lines.
    @SuppressWarnings("unused")
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13;

    private Entry(@Nullable Long counted) {
      this.counted = counted;
    }

    boolean claim(long newHolder) {
      return holder == LEFT && HOLDER.compareAndSet(this, LEFT, newHolder);
    }

    /** Whether the caller alone has this stripe, and what is reserved in it, until it leaves. */
    public boolean isStripe() {
      return counted == null;
    }

    boolean isCountedAs(Mode mode) {
      return counted != null && (counted & mode.bit) != 0;
    }

    /** Whether no update runs beside this reader. */
    public boolean isQuiescent() {
      return ((int) holder & Mode.QUIESCENT_READ.bit) != 0;
    }

    /** What is reserved here, as the thread that has the stripe wrote it. */
    public long reservedPlain() {
      return (long) RESERVED.get(this);
    }

    /** The same, after all that was written before it. */
    public long reservedVolatile() {
      return (long) RESERVED.getVolatile(this);
    }

    // release: behind what the caller wrote before
    public void reserveRelease(long amount) {
      RESERVED.setRelease(this, amount);
    }

    /** Claims this stripe, if nobody is here, to change what is reserved; leave by a store. */
    public boolean tryBusy() {
      return claim(BUSY);
    }

    /** Called when the holder was set to LEFT: wakes the first in line if it can enter. */
    public void left() {
      if (counted != null || first != null) {
        OperationLock.this.left(counted);
      }
    }

    /** Leaves. Only for entries that say so: there must be stack for a call. */
    @Override
    public void close() {
      holder = LEFT;
      left();
    }
  }

  /** The first in line. */
  private record First(Thread thread, Entry entry, int bars) {}

  private final long recheckNanos;

  /** For operations whose thread is inside already: its holder says nothing. */
  private final Entry nested = new Entry(LEFT);

  /** The line, in which operations wait in the order in which they came. */
  private final ReentrantLock line = new ReentrantLock(true);

  /** How many announcements there have been that bar updates. */
  @SuppressWarnings("FieldMayBeFinal") // written by its handle
  private volatile long announced;

  /** A number of announcements of which all have left. */
  private volatile long cleared;

  /** Set by the thread that has the line. */
  private volatile @Nullable First first;

  private volatile boolean closed;

  /**
   * A lock that nobody has.
   *
   * @param owner the name of the structure, for messages
   */
  public OperationLock(String owner) {
    this(owner, RECHECK_NANOS);
  }

  /** The same, whose first in line looks again after another time. */
  OperationLock(String owner, long recheckNanos) {
    super(owner);
    // Initialise what operations use while there is stack: a class whose initialiser overflows the
    // stack fails for ever.
    StackReserve.require();
    byte[] _ = TextBytes.of("");
    this.recheckNanos = recheckNanos;
  }

  /**
   * Enters as an update of one key; leave by a store. All that the caller wrote comes before
   * anything that it looks at after it has left, since a volatile store and a later volatile load
   * keep their order.
   *
   * @throws ClosedException if it has to wait, and the lock is closed
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
    // Inside a try from the claim on: a call may fail.
    boolean inside = false;
    try {
      inside = admits(entry, Mode.UPDATE);
    } finally {
      if (!inside) {
        entry.holder = LEFT;
      }
    }
    return inside ? entry : enterInLine(entry, thread, Mode.UPDATE, 0);
  }

  private Entry enterElsewhere(@Nullable Entry taken, long thread) {
    if (taken != null && taken.holder == holder(thread, Mode.UPDATE)) {
      return nested;
    }
    Entry entry = tryEnter(thread, Mode.UPDATE, 0);
    return entry != null ? entry : enterInLine(thread, Mode.UPDATE, 0, null);
  }

  private Entry enterInLine(Entry withdrawn, long thread, Mode mode, int from) {
    withdrawn.left();
    return enterInLine(thread, mode, from, null);
  }

  /** Whether an operation that has announced itself may go on. */
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
   * Enters as an exclusive update, which waits until updates and quiescent reads have left.
   *
   * @throws ClosedException if the lock is closed
   */
  public Entry enterExclusiveUpdate() {
    return enter(Mode.EXCLUSIVE_UPDATE);
  }

  /** Enters as an exclusive update if it need not wait, else returns null; leave by a store. */
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
   * Enters as a quiescent reader, which waits until updates have left.
   *
   * @throws ClosedException if the lock is closed
   */
  public Entry enterQuiescentRead() {
    return enter(Mode.QUIESCENT_READ);
  }

  /**
   * Enters alone.
   *
   * @throws ClosedException if the lock is closed
   */
  public Entry enterExclusive() {
    return enter(Mode.EXCLUSIVE);
  }

  /** Does something alone. */
  public void exclusively(Runnable work) {
    try (Entry _ = enterExclusive()) {
      work.run();
    }
  }

  /**
   * Does something alone, unless it is needless by then. Of threads that all want a full table to
   * grow, the first has it grow; the others leave the line without having kept anyone out.
   *
   * @param needed asked at the front of the line, where others may be inside, and once more alone
   */
  @SuppressWarnings("ReferenceEquality") // that entry, not one like it
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

  /** About how many threads wait to enter; takes time for each of them. */
  public int waiting() {
    return line.getQueueLength();
  }

  /** Refuses all further operations, also the waiting ones. The caller is inside, alone. */
  public void close() {
    closed = true;
  }

  /** Whether it is closed; the answer waits for nobody. */
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

  /** Enters if nothing is in the way, else returns null. */
  private @Nullable Entry tryEnter(long thread, Mode mode, int from) {
    StackReserve.require();
    Entry entry = claim(thread, mode, from);
    boolean inside = false;
    try {
      inside = admits(entry, mode);
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

  /** Counts an announcement that was made; updates look at all stripes after it. */
  private void announce(Mode mode) {
    if ((mode.bit & BARS_UPDATE) != 0) {
      long _ = (long) ANNOUNCED.getAndAdd(this, 1L);
    }
  }

  /** After an operation has left: ends its count, and wakes the first in line if it can enter. */
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
   * Waits in line, and enters.
   *
   * @param needed if not null and no longer true at the front of the line, nothing is entered, and
   *     the entry of nested operations is returned
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

  /** Enters as the first in line. */
  private Entry enterFirst(long thread, Mode mode, int from) {
    Entry entry = claim(thread, mode, from);
    boolean interrupted = false;
    boolean inside = false;
    try {
      announce(mode);
      first = new First(Thread.currentThread(), entry, mode.bars());
      for (int i = 0; !inside && !closed; i++) {
        inside = isFree(entry, mode.bars());
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

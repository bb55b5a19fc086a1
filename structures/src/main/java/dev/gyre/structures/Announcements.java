package dev.gyre.structures;

import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.OperationLock.Mode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Where the operations of an {@link OperationLock} announce themselves: each in a stripe that it
 * claims or, if all stripes are taken, by a count of its mode. The class of the lock extends this
 * one, so that a single-key update finds its stripe by one load.
 */
abstract class Announcements {

  /** Bits of a holder that say the mode; the thread's number is above them. */
  private static final int MODE_BITS = 8;

  /** Stripes of single keys, and as many of all other operations. */
  static final int STRIPES = Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors());

  private static final VarHandle USED;

  static {
    try {
      USED = MethodHandles.lookup().findVarHandle(Announcements.class, "used", Entry[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final String owner;

  final AtomicReferenceArray<@Nullable Entry> stripes = new AtomicReferenceArray<>(2 * STRIPES);

  /** All stripes that any thread ever claimed; a new array for each more. */
  private volatile Entry[] used = new Entry[0];

  /** How many are inside by no stripe, by mode. */
  private final AtomicIntegerArray crowd = new AtomicIntegerArray(Mode.ALL.length);

  /** The same by holder. A thread reads and changes only what it is itself. */
  private final ConcurrentHashMap<Long, Integer> crowdOfThread = new ConcurrentHashMap<>();

  Announcements(String owner) {
    this.owner = owner;
  }

  /** Makes an entry that nobody is inside by; counted by a holder, or null for a stripe. */
  abstract Entry made(@Nullable Long counted);

  /** All stripes that any thread ever claimed. */
  public final Entry[] stripes() {
    return used;
  }

  /** The stripe where a thread looks first, among those of single keys. */
  static int stripeOf(long thread) {
    long hash = thread * 0x9e3779b97f4a7c15L;
    return (int) (hash >>> 32) & (STRIPES - 1);
  }

  static long holder(long thread, Mode mode) {
    return thread << MODE_BITS | mode.bit;
  }

  /**
   * Announces an operation in a stripe or, if all are taken, by counting it.
   *
   * @param from the first of the stripes for such operations
   */
  final Entry claim(long thread, Mode mode, int from) {
    long holder = holder(thread, mode);
    int home = stripeOf(thread);
    for (int i = 0; i < STRIPES; i++) {
      int at = from + (home + i & STRIPES - 1);
      Entry entry = stripes.get(at);
      if (entry == null) {
        entry = stripe(at);
      }
      if (entry.claim(holder)) {
        return entry;
      }
    }
    Long counted = holder;
    Entry own = made(counted);
    boolean _ = own.claim(holder);
    int _ = crowdOfThread.merge(counted, 1, Integer::sum);
    crowd.incrementAndGet(mode.place);
    return own;
  }

  /** Ends the count of an operation; needs no heap, unless a thread is inside often. */
  final void uncount(Long counted) {
    crowd.decrementAndGet(Long.numberOfTrailingZeros(counted));
    Integer _ = crowdOfThread.computeIfPresent(counted, (_, many) -> many == 1 ? null : many - 1);
  }

  /** Makes a stripe: in the list of all of them first, then where threads find it. */
  private Entry stripe(int at) {
    Entry made = made(null);
    Entry[] before;
    Entry[] more;
    do {
      before = used;
      more = Arrays.copyOf(before, before.length + 1);
      more[before.length] = made;
    } while (!USED.compareAndSet(this, before, more));
    Entry other = stripes.compareAndExchange(at, null, made);
    return other == null ? made : other;
  }

  /** Whether nobody but an entry's own thread is announced in some modes. */
  @SuppressWarnings("ReferenceEquality") // that entry, not one like it
  final boolean isFree(Entry own, int bars) {
    for (Entry entry : used) {
      if (((int) entry.holder & bars) != 0 && entry != own) {
        return false;
      }
    }
    for (Mode mode : Mode.ALL) {
      int many = crowd.get(mode.place);
      if (many != 0 && (mode.bit & bars) != 0 && many > (own.isCountedAs(mode) ? 1 : 0)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the calling thread is inside in a mode that keeps out all that another one does.
   *
   * @throws StructureException if it would wait for itself
   */
  final boolean isInside(long thread, Mode mode) {
    boolean covered = false;
    for (Mode held : Mode.ALL) {
      long holder = holder(thread, held);
      if (crowdOfThread.containsKey(holder) || isInStripe(holder)) {
        if ((held.bit & mode.bars()) != 0) {
          throw new StructureException(
              owner
                  + ": a function that an operation on it calls, such as an update function, the"
                  + " function that makes a kernel for it, or the stream that it is saved to, must"
                  + " not change, move, save or close it");
        }
        covered |= (mode.bars() & ~held.bars()) == 0;
      }
    }
    return covered;
  }

  private boolean isInStripe(long holder) {
    for (Entry entry : used) {
      if (entry.holder == holder) {
        return true;
      }
    }
    return false;
  }
}

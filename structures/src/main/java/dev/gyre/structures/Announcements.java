package dev.gyre.structures;

import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.OperationLock.Mode;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Announcements of the operations of an {@link OperationLock}: each in a stripe that it claims or,
 * if all stripes are taken, in a count per mode.
 *
 * <p>The lock extends this class, so that a single-key update finds its stripe by one load.
 */
abstract class Announcements {

  /** Number of bits of a holder for the mode; the number of the thread is above them. */
  private static final int MODE_BITS = 8;

  /** Number of stripes for single keys; the other operations have as many. */
  static final int STRIPES = Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors());

  final String owner;

  final AtomicReferenceArray<@Nullable Entry> stripes = new AtomicReferenceArray<>(2 * STRIPES);

  /** All stripes that any thread ever claimed; a new stripe replaces the array. */
  private final AtomicReference<Entry[]> used = new AtomicReference<>(new Entry[0]);

  /** Number of operations without a stripe, by mode. */
  private final AtomicIntegerArray crowd = new AtomicIntegerArray(Mode.ALL.length);

  /**
   * Number of operations without a stripe, by holder. Each thread reads and changes only its own
   * numbers.
   */
  private final ConcurrentHashMap<Long, Integer> crowdOfThread = new ConcurrentHashMap<>();

  Announcements(String owner) {
    this.owner = owner;
  }

  /** Creates a free entry, counted under a holder, or null for a stripe. */
  abstract Entry made(@Nullable Long counted);

  /** Returns all stripes that any thread ever claimed. */
  public final Entry[] stripes() {
    return used.get();
  }

  /** Returns the stripe of single keys that a thread tries first. */
  static int stripeOf(long thread) {
    long hash = thread * 0x9e3779b97f4a7c15L;
    return (int) (hash >>> 32) & (STRIPES - 1);
  }

  static long holder(long thread, Mode mode) {
    return thread << MODE_BITS | mode.bit;
  }

  /**
   * Announces an operation in a stripe or, if all are taken, in a count.
   *
   * @param from first of the stripes for such operations
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

  /**
   * Ends the count of an operation. It needs no heap, unless the thread has entered several times.
   */
  final void uncount(Long counted) {
    crowd.decrementAndGet(Long.numberOfTrailingZeros(counted));
    Integer _ = crowdOfThread.computeIfPresent(counted, (_, many) -> many == 1 ? null : many - 1);
  }

  /** Creates a stripe: first in the list of all stripes, then where threads find it. */
  private Entry stripe(int at) {
    Entry made = made(null);
    Entry[] before;
    Entry[] more;
    do {
      before = used.get();
      more = Arrays.copyOf(before, before.length + 1);
      more[before.length] = made;
    } while (!used.compareAndSet(before, more));
    Entry other = stripes.compareAndExchange(at, null, made);
    return other == null ? made : other;
  }

  /** Returns whether only the entry's own thread is announced in some modes. */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  final boolean isFree(Entry own, int bars) {
    for (Entry entry : used.get()) {
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
   * Returns whether the calling thread has entered in a mode that keeps out everything that another
   * mode keeps out.
   *
   * @throws StructureException if the thread would wait for itself
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
    for (Entry entry : used.get()) {
      if (entry.holder == holder) {
        return true;
      }
    }
    return false;
  }
}

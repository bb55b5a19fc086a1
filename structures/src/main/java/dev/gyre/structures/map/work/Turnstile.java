package dev.gyre.structures.map.work;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Lets updates of single keys in and out at little cost, unless it is barred: each thread counts in
 * a stripe of its own, so that threads do not share a cache line.
 *
 * <p>Either one that enters sees that the turnstile is barred, or one that bars it sees that
 * somebody is inside: each writes and then reads, and all these accesses are volatile. So is the
 * list of the stripes that anybody ever entered by, which are all that are looked at: who enters by
 * another one lists it before it looks whether that is barred.
 *
 * <p>Beside its count, a stripe has the room that was taken ahead for keys of the table in place.
 * Who finds nobody in its stripe when it enters is <em>alone</em> there until it leaves, since
 * those who come meanwhile find it: it alone changes that room, by stores. The others do as if
 * there were none. So does who finds the turnstile barred, which therefore may come in between at
 * any time.
 *
 * <table>
 *   <caption>Accesses that race</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>count, list, barred</td><td>volatile</td><td>each other</td><td>as above</td></tr>
 *   <tr><td>room, by who is alone: load</td><td>plain, behind the count</td>
 *       <td>the count of who was alone before and left</td><td>-</td></tr>
 *   <tr><td>room, by who is alone: store</td><td>release</td><td>{@link #ahead}</td>
 *       <td>who has seen a key could count it as room: it is published later</td></tr>
 * </table>
 */
public class Turnstile {

  /** In place of a pass: it is barred, or who has none came in otherwise. */
  public static final int BARRED = 0;

  /** In place of room: that there will be. */
  public static final long EXPECTED = -1;

  /** Most keys for which room is taken ahead at a time. */
  private static final int MOST = 64;

  private static final int LINE = 16;
  private static final int STRIPES =
      Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors());

  /** In a count: the stripe is in the list; below are those inside. */
  private static final long LISTED = 1L << Integer.SIZE;

  /** Added to a stripe in the pass of who is alone there; where its room is, too. */
  private static final int ALONE = 1;

  private final AtomicLongArray cells = new AtomicLongArray((STRIPES + 1) * LINE);
  private final AtomicLongArray list = new AtomicLongArray((STRIPES - 1) / Long.SIZE + 1);
  private volatile boolean barred;

  static int stripeOf(Thread thread) {
    long hash = thread.threadId() * 0x9e3779b97f4a7c15L;
    return LINE * (1 + (int) (hash >>> 32 & (STRIPES - 1)));
  }

  /** Enters; returns the pass with which to leave, or BARRED. */
  int enter() {
    int stripe = stripeOf(Thread.currentThread());
    long before = cells.getAndIncrement(stripe);
    if (before < LISTED) {
      list(stripe, before);
    }
    if (barred) {
      long _ = cells.getAndDecrement(stripe);
      return BARRED;
    }
    return (int) before == 0 ? stripe + ALONE : stripe;
  }

  /** Lists a stripe that was not in the list; the first who is in it says so. */
  private void list(int stripe, long before) {
    int index = stripe / LINE - 1;
    long _ = list.getAndAccumulate(index / Long.SIZE, 1L << index, (bits, bit) -> bits | bit);
    if (before == 0) {
      long _ = cells.getAndAdd(stripe, LISTED);
    }
  }

  /** Leaves; returns whether somebody may be waiting for that. */
  boolean leave(int pass) {
    long _ = cells.getAndDecrement(pass & -LINE);
    return barred;
  }

  /** Says whether those who come are turned away. */
  void bar(boolean shut) {
    if (barred != shut) {
      barred = shut;
    }
  }

  /** Whether nobody is inside, and nobody will be: to be asked when barred. */
  boolean isEmpty() {
    for (int stripe = next(0); stripe != 0; stripe = next(stripe)) {
      if ((int) cells.get(stripe) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The stripe in the list that follows one, or 0. */
  private int next(int stripe) {
    int index = stripe / LINE;
    long bits = -1L << index;
    for (int word = index / Long.SIZE; word < list.length(); word++) {
      bits &= list.get(word);
      if (bits != 0) {
        return LINE * (1 + word * Long.SIZE + Long.numberOfTrailingZeros(bits));
      }
      bits = -1;
    }
    return 0;
  }

  /**
   * For how many keys room is taken at a time: the fewer the less there is, so that what all
   * threads have ahead is a small part of what is left.
   */
  public static long most(long free) {
    return Math.clamp(free / (4L * STRIPES), 1, MOST);
  }

  /** Whether there may be room ahead for who has a pass. */
  public static boolean isAlone(int pass) {
    return (pass & ALONE) != 0;
  }

  /** Takes room that is ahead; returns for how many keys, which is not above 0 if there is none. */
  public long take(int pass, long keys) {
    if (!isAlone(pass)) {
      return 0;
    }
    long there = cells.getPlain(pass);
    long taken = Math.min(there, keys);
    if (taken > 0) {
      // release: before the keys are published
      cells.setRelease(pass, there - taken);
    }
    return taken;
  }

  /** Gives back what was taken. */
  public void give(int pass, long keys) {
    put(pass, Math.max(cells.getPlain(pass), 0) + keys);
  }

  /** Says that room is about to be put ahead of who is alone, and has none. */
  public void expect(int pass) {
    put(pass, EXPECTED);
  }

  /** Puts room there that was taken from the table meanwhile. */
  public void put(int pass, long keys) {
    // release: behind what was written before, as to say that there is room
    cells.setRelease(pass, keys);
  }

  /** How much room is ahead, stripe by stripe; EXPECTED where some is about to be. */
  public long ahead() {
    long sum = 0;
    for (int stripe = next(0); stripe != 0 && sum >= 0; stripe = next(stripe)) {
      // volatile: of keys that were seen before, none is missed
      long room = cells.get(stripe + ALONE);
      sum = room == EXPECTED ? EXPECTED : sum + room;
    }
    return sum;
  }

  /**
   * Takes the room that is ahead in stripes where nobody is. The caller is inside, as a single one
   * or not: who sees it in a stripe, too, waits for it in any case. Room that was expected there is
   * none any more: whoever did has left in the middle, by an error.
   */
  public long fetch() {
    long fetched = 0;
    for (int stripe = next(0); stripe != 0; stripe = next(stripe)) {
      // As one who is alone there.
      if (cells.get(stripe + ALONE) != 0 && cells.compareAndSet(stripe, LISTED, LISTED + 1)) {
        fetched += Math.max(cells.getPlain(stripe + ALONE), 0);
        // release: as in take
        cells.setRelease(stripe + ALONE, 0);
        long _ = cells.getAndDecrement(stripe);
      }
    }
    return fetched;
  }
}

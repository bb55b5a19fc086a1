package dev.gyre.kernels.litmus;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.ThreadInts;

/**
 * Claims: a word published by the winner of a compare-and-exchange, and a flag tested and set.
 *
 * <p>A thread has one role and plays it in instances of the program, those from {@code from + lane}
 * to before {@code to} in steps of {@code lanes}. Instance i has its word x at {@code i * pad} and
 * its word y at {@code (n + i) * pad}; register r of instance i goes to {@code results[r * n + i]}.
 * Every order has a loop of its own, so that nothing is decided between the accesses.
 */
final class DeviceClaims {

  private DeviceClaims() {}

  private static final int FREE = 0;
  private static final int CLAIMED = 1;
  private static final int PUBLISHED = 2;

  static void publication(
      int code,
      int role,
      long lane,
      long lanes,
      long from,
      long to,
      long n,
      int pad,
      DeviceInts words,
      ThreadInts results) {
    if (code == LitmusCodes.code(LitmusCodes.PUBLICATION, LitmusCodes.ACQ_REL)) {
      publicationWith(LitmusCodes.ACQ_REL, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.PUBLICATION, LitmusCodes.RELAXED)) {
      publicationWith(LitmusCodes.RELAXED, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.PUBLICATION, LitmusCodes.BROKEN)) {
      checkThenAct(role, lane, lanes, from, to, n, pad, words, results);
    }
  }

  private static void publicationWith(
      int order,
      int role,
      long lane,
      long lanes,
      long from,
      long to,
      long n,
      int pad,
      DeviceInts words,
      ThreadInts results) {
    for (long i = from + lane; i < to; i += lanes) {
      long x = i * pad;
      long y = (n + i) * pad;
      int outcome = LitmusCodes.LOST;
      int before = claim(order, words, x);
      if (before == FREE) {
        outcome = LitmusCodes.WON;
        DeviceLitmusAccess.store(LitmusCodes.RELAXED, words, y, 1);
        // release: publishes y to who acquires x.
        DeviceLitmusAccess.store(order, words, x, PUBLISHED);
      } else {
        int state = DeviceLitmusAccess.load(order, words, x);
        int word = DeviceLitmusAccess.load(LitmusCodes.RELAXED, words, y);
        if (state == PUBLISHED) {
          outcome = word == 1 ? LitmusCodes.LOST_AND_READ : 0;
        }
      }
      results.set(role * n + i, outcome);
    }
  }

  private static int claim(int order, DeviceInts words, long x) {
    int before = CLAIMED;
    if (order == LitmusCodes.RELAXED) {
      before = words.compareAndExchangeRelaxed(x, FREE, CLAIMED);
    } else {
      before = words.compareAndExchangeAcqRel(x, FREE, CLAIMED);
    }
    return before;
  }

  private static void checkThenAct(
      int role,
      long lane,
      long lanes,
      long from,
      long to,
      long n,
      int pad,
      DeviceInts words,
      ThreadInts results) {
    for (long i = from + lane; i < to; i += lanes) {
      long x = i * pad;
      int before = words.loadAcquire(x);
      int outcome = LitmusCodes.LOST;
      if (before == FREE) {
        // Both may be here.
        words.storeRelease(x, CLAIMED);
        outcome = LitmusCodes.WON;
      }
      results.set(role * n + i, outcome);
    }
  }

  static void testAndSet(
      int code,
      int role,
      long lane,
      long lanes,
      long from,
      long to,
      long n,
      int pad,
      DeviceInts words,
      ThreadInts results) {
    if (code == LitmusCodes.code(LitmusCodes.TEST_AND_SET, LitmusCodes.ACQ_REL)) {
      testAndSetWith(LitmusCodes.ACQ_REL, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.TEST_AND_SET, LitmusCodes.RELAXED)) {
      testAndSetWith(LitmusCodes.RELAXED, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.TEST_AND_SET, LitmusCodes.BROKEN)) {
      testThenSet(role, lane, lanes, from, to, n, pad, words, results);
    }
  }

  private static void testAndSetWith(
      int order,
      int role,
      long lane,
      long lanes,
      long from,
      long to,
      long n,
      int pad,
      DeviceInts words,
      ThreadInts results) {
    for (long i = from + lane; i < to; i += lanes) {
      long x = i * pad;
      boolean set = false;
      if (order == LitmusCodes.RELAXED) {
        set = words.testAndSetRelaxed(x);
      } else {
        set = words.testAndSetAcqRel(x);
      }
      int outcome = LitmusCodes.WON;
      if (set) {
        outcome = LitmusCodes.LOST;
      }
      results.set(role * n + i, outcome);
    }
  }

  private static void testThenSet(
      int role,
      long lane,
      long lanes,
      long from,
      long to,
      long n,
      int pad,
      DeviceInts words,
      ThreadInts results) {
    for (long i = from + lane; i < to; i += lanes) {
      long x = i * pad;
      boolean set = words.testAcquire(x);
      int outcome = LitmusCodes.LOST;
      if (!set) {
        // Both may be here.
        words.storeRelease(x, 1);
        outcome = LitmusCodes.WON;
      }
      results.set(role * n + i, outcome);
    }
  }
}

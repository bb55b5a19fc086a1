package dev.gyre.kernels.litmus;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.ThreadInts;

/**
 * Message passing, and reads of one word twice.
 *
 * <p>A thread has one role and plays it in instances of the program, those from {@code from + lane}
 * to before {@code to} in steps of {@code lanes}. Instance i has its word x at {@code i * pad} and
 * its word y at {@code (n + i) * pad}; register r of instance i goes to {@code results[r * n + i]}.
 * Every order has a loop of its own, so that nothing is decided between the accesses.
 */
final class DeviceMessages {

  private DeviceMessages() {}

  static void messagePassing(
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
    if (code == LitmusCodes.code(LitmusCodes.MESSAGE_PASSING, LitmusCodes.RELAXED)) {
      messagePassingWith(LitmusCodes.RELAXED, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.MESSAGE_PASSING, LitmusCodes.ACQ_REL)) {
      messagePassingWith(LitmusCodes.ACQ_REL, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.MESSAGE_PASSING, LitmusCodes.SEQ_CST)) {
      messagePassingWith(LitmusCodes.SEQ_CST, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.MESSAGE_PASSING, LitmusCodes.FENCES)) {
      messagePassingWith(LitmusCodes.FENCES, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.MESSAGE_PASSING, LitmusCodes.PLAIN_DATA)) {
      plainMessage(role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.MESSAGE_PASSING, LitmusCodes.BROKEN)) {
      raisedFirst(role, lane, lanes, from, to, n, pad, words, results);
    }
  }

  private static void messagePassingWith(
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
      if (role == 0) {
        DeviceLitmusAccess.store(LitmusCodes.RELAXED, words, x, 1);
        // release: publishes x to who acquires y.
        DeviceLitmusAccess.store(order, words, y, 1);
      }
      if (role == 1) {
        int flag = DeviceLitmusAccess.load(order, words, y);
        int word = DeviceLitmusAccess.load(LitmusCodes.RELAXED, words, x);
        results.set(i, flag);
        results.set(n + i, word);
      }
    }
  }

  private static void plainMessage(
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
      if (role == 0) {
        words.set(x, 1);
        words.storeRelease(y, 1);
      }
      if (role == 1) {
        int flag = words.loadAcquire(y);
        int word = 1;
        if (flag == 1) {
          word = words.get(x);
        }
        results.set(i, flag);
        results.set(n + i, word);
      }
    }
  }

  private static void raisedFirst(
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
      if (role == 0) {
        words.storeRelease(y, 1);
        // The window in which the flag is raised and the message is not there.
        for (int spin = 0; spin < 64; spin++) {
          int _ = words.loadAcquire(y);
        }
        words.storeRelaxed(x, 1);
      }
      if (role == 1) {
        int flag = words.loadAcquire(y);
        int word = words.loadRelaxed(x);
        results.set(i, flag);
        results.set(n + i, word);
      }
    }
  }

  static void coherentReads(
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
    if (code == LitmusCodes.code(LitmusCodes.COHERENT_READS, LitmusCodes.RELAXED)) {
      coherentReadsWith(LitmusCodes.RELAXED, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.COHERENT_READS, LitmusCodes.PLAIN)) {
      coherentReadsWith(LitmusCodes.PLAIN, role, lane, lanes, from, to, n, pad, words, results);
    }
  }

  private static void coherentReadsWith(
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
      if (role == 0) {
        DeviceLitmusAccess.store(order, words, x, 1);
      }
      if (role == 1) {
        int first = DeviceLitmusAccess.load(order, words, x);
        int second = DeviceLitmusAccess.load(order, words, x);
        results.set(i, first);
        results.set(n + i, second);
      }
    }
  }
}

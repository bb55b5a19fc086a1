package dev.gyre.kernels.litmus;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.ThreadInts;

/**
 * Store buffering, load buffering, and independent reads of independent writes.
 *
 * <p>A thread has one role and plays it in instances of the program, those from {@code from + lane}
 * to before {@code to} in steps of {@code lanes}. Instance i has its word x at {@code i * pad} and
 * its word y at {@code (n + i) * pad}; register r of instance i goes to {@code results[r * n + i]}.
 * Every order has a loop of its own, so that nothing is decided between the accesses.
 */
final class DeviceBuffering {

  private DeviceBuffering() {}

  static void storeBuffering(
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
    if (code == LitmusCodes.code(LitmusCodes.STORE_BUFFERING, LitmusCodes.RELAXED)) {
      storeBufferingWith(LitmusCodes.RELAXED, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.STORE_BUFFERING, LitmusCodes.ACQ_REL)) {
      storeBufferingWith(LitmusCodes.ACQ_REL, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.STORE_BUFFERING, LitmusCodes.SEQ_CST)) {
      storeBufferingWith(LitmusCodes.SEQ_CST, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.STORE_BUFFERING, LitmusCodes.SEQ_CST_FENCES)) {
      storeBufferingWith(
          LitmusCodes.SEQ_CST_FENCES, role, lane, lanes, from, to, n, pad, words, results);
    }
  }

  private static void storeBufferingWith(
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
        DeviceLitmusAccess.store(order, words, x, 1);
        DeviceLitmusAccess.between(order);
        results.set(i, DeviceLitmusAccess.load(order, words, y));
      }
      if (role == 1) {
        DeviceLitmusAccess.store(order, words, y, 1);
        DeviceLitmusAccess.between(order);
        results.set(n + i, DeviceLitmusAccess.load(order, words, x));
      }
    }
  }

  static void loadBuffering(
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
    if (code == LitmusCodes.code(LitmusCodes.LOAD_BUFFERING, LitmusCodes.RELAXED)) {
      loadBufferingWith(LitmusCodes.RELAXED, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.LOAD_BUFFERING, LitmusCodes.ACQ_REL)) {
      loadBufferingWith(LitmusCodes.ACQ_REL, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.LOAD_BUFFERING, LitmusCodes.SEQ_CST)) {
      loadBufferingWith(LitmusCodes.SEQ_CST, role, lane, lanes, from, to, n, pad, words, results);
    }
  }

  private static void loadBufferingWith(
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
        int seen = DeviceLitmusAccess.load(order, words, x);
        DeviceLitmusAccess.store(order, words, y, 1);
        results.set(i, seen);
      }
      if (role == 1) {
        int seen = DeviceLitmusAccess.load(order, words, y);
        DeviceLitmusAccess.store(order, words, x, 1);
        results.set(n + i, seen);
      }
    }
  }

  static void independentReads(
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
    if (code == LitmusCodes.code(LitmusCodes.INDEPENDENT_READS, LitmusCodes.RELAXED)) {
      independentReadsWith(
          LitmusCodes.RELAXED, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.INDEPENDENT_READS, LitmusCodes.ACQ_REL)) {
      independentReadsWith(
          LitmusCodes.ACQ_REL, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.INDEPENDENT_READS, LitmusCodes.SEQ_CST)) {
      independentReadsWith(
          LitmusCodes.SEQ_CST, role, lane, lanes, from, to, n, pad, words, results);
    }
    if (code == LitmusCodes.code(LitmusCodes.INDEPENDENT_READS, LitmusCodes.SEQ_CST_FENCES)) {
      independentReadsWith(
          LitmusCodes.SEQ_CST_FENCES, role, lane, lanes, from, to, n, pad, words, results);
    }
  }

  private static void independentReadsWith(
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
        DeviceLitmusAccess.store(order, words, x, 1);
      }
      if (role == 1) {
        DeviceLitmusAccess.store(order, words, y, 1);
      }
      if (role == 2) {
        int first = DeviceLitmusAccess.load(order, words, x);
        DeviceLitmusAccess.between(order);
        int second = DeviceLitmusAccess.load(order, words, y);
        results.set(i, first);
        results.set(n + i, second);
      }
      if (role == 3) {
        int first = DeviceLitmusAccess.load(order, words, y);
        DeviceLitmusAccess.between(order);
        int second = DeviceLitmusAccess.load(order, words, x);
        results.set(2 * n + i, first);
        results.set(3 * n + i, second);
      }
    }
  }
}

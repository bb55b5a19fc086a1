package dev.gyre.kernels.litmus;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Fences;

/**
 * Accesses whose order is a number of {@link LitmusCodes}. Callers pass constants, so that where
 * this is inlined one access is left.
 */
final class DeviceLitmusAccess {

  /** Orders whose accesses are relaxed, as bits. */
  private static final int RELAXED_ORDERS =
      1 << LitmusCodes.RELAXED | 1 << LitmusCodes.FENCES | 1 << LitmusCodes.SEQ_CST_FENCES;

  private DeviceLitmusAccess() {}

  static void store(int order, DeviceInts words, long at, int value) {
    if (order == LitmusCodes.FENCES) {
      Fences.deviceRelease();
    }
    if (order == LitmusCodes.PLAIN) {
      words.set(at, value);
    }
    if (relaxed(order)) {
      words.storeRelaxed(at, value);
    }
    if (order == LitmusCodes.ACQ_REL) {
      words.storeRelease(at, value);
    }
    if (order == LitmusCodes.SEQ_CST) {
      words.storeSeqCst(at, value);
    }
  }

  static int load(int order, DeviceInts words, long at) {
    int value = 0;
    if (order == LitmusCodes.PLAIN) {
      value = words.get(at);
    }
    if (relaxed(order)) {
      value = words.loadRelaxed(at);
    }
    if (order == LitmusCodes.ACQ_REL) {
      value = words.loadAcquire(at);
    }
    if (order == LitmusCodes.SEQ_CST) {
      value = words.loadSeqCst(at);
    }
    if (order == LitmusCodes.FENCES) {
      Fences.deviceAcquire();
    }
    return value;
  }

  private static boolean relaxed(int order) {
    return (1 << order & RELAXED_ORDERS) != 0;
  }

  /** A fence between two accesses, where the order asks for one. */
  static void between(int order) {
    if (order == LitmusCodes.SEQ_CST_FENCES) {
      Fences.deviceSeqCst();
    }
  }
}

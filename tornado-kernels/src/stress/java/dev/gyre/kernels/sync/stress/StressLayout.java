package dev.gyre.kernels.sync.stress;

import dev.gyre.kernels.sync.SyncLayout;

/** Where the words of stress programs are. */
public final class StressLayout {

  /** Among the words of one latch, barrier or semaphore: how many arrivals there were, in order. */
  static final int TURN = 48;

  /** Among those words: how many threads are inside. */
  static final int INSIDE = 40;

  /** In a report: waits that gave up. */
  static final int STUCK = 0;

  /** In a report: looks that missed what was published, and threads that should not be inside. */
  static final int WRONG = 16;

  /** In a report: last arrivers; or what was counted, plainly, under a lock. */
  static final int COUNTED = 32;

  /** Ints of a report. */
  static final int REPORT = SyncLayout.WORDS;

  private StressLayout() {}

  /** A number that looks random, from 0 to 255; a device function. */
  static int noise(int seed, int thread, int step) {
    int mixed = (seed + thread * 0x9E3779B1 + step) * 0x85EBCA6B;
    mixed = (mixed ^ (mixed >> 15)) * 0xC2B2AE35;
    return (mixed >> 13) & 255;
  }
}

package dev.gyre.structures.map;

import java.util.ArrayList;
import java.util.List;

/**
 * A range of keys or slots that one worker does at once.
 *
 * @param from the first
 * @param to the one after the last
 */
record Step(long from, long to) {

  long size() {
    return to - from;
  }

  /** Cuts a range into steps of at most some size, and appends them. */
  static void cut(long from, long to, long size, List<Step> steps) {
    for (long at = from; at < to; at += size) {
      steps.add(new Step(at, Math.min(to, at + size)));
    }
  }

  static List<Step> cut(long from, long to, long size) {
    List<Step> steps = new ArrayList<>();
    cut(from, to, size, steps);
    return steps;
  }
}

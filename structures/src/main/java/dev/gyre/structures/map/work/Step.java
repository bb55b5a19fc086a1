package dev.gyre.structures.map.work;

import java.util.ArrayList;
import java.util.List;

/**
 * Range of keys or slots that one worker processes at once.
 *
 * @param from index of the first
 * @param to index after the last
 * @param isEntered whether the caller's elements of the range were already read
 * @param again whether an earlier launch processed the range, except keys that it could not finish
 */
public record Step(long from, long to, boolean isEntered, boolean again) {

  public Step(long from, long to) {
    this(from, to, false, false);
  }

  public long size() {
    return to - from;
  }

  /** Returns this step for a following launch. */
  public Step rest() {
    return new Step(from, to, true, true);
  }

  /** Returns this step after the caller's elements were read. */
  public Step entered() {
    return new Step(from, to, true, again);
  }

  /** Cuts a range into steps of at most some size. */
  public static List<Step> cut(long from, long to, long size) {
    List<Step> steps = new ArrayList<>();
    for (long at = from; at < to; at += size) {
      steps.add(new Step(at, Math.min(to, at + size)));
    }
    return steps;
  }
}

package dev.gyre.structures.map.work;

import java.util.ArrayList;
import java.util.List;

/**
 * A range of keys or slots that one worker does at once.
 *
 * @param from the first
 * @param to the one after the last
 * @param isEntered whether the caller's elements of the range were read already
 * @param again whether an earlier launch did the range, but for keys that it could not finish
 */
public record Step(long from, long to, boolean isEntered, boolean again) {

  public Step(long from, long to) {
    this(from, to, false, false);
  }

  public long size() {
    return to - from;
  }

  /** The rest of this step, for a following launch. */
  public Step rest() {
    return new Step(from, to, true, true);
  }

  /** The same step, once the caller's elements were read. */
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

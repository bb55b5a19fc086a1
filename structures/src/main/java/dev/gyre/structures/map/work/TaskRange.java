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
public record TaskRange(long from, long to, boolean isEntered, boolean again) {

  public TaskRange(long from, long to) {
    this(from, to, false, false);
  }

  public long size() {
    return to - from;
  }

  /** Returns this task for a following launch. */
  public TaskRange rest() {
    return new TaskRange(from, to, true, true);
  }

  /** Returns this task after the caller's elements were read. */
  public TaskRange entered() {
    return new TaskRange(from, to, true, again);
  }

  /** Cuts a range into tasks of at most some size. */
  public static List<TaskRange> cut(long from, long to, long size) {
    List<TaskRange> tasks = new ArrayList<>();
    for (long at = from; at < to; at += size) {
      tasks.add(new TaskRange(at, Math.min(to, at + size)));
    }
    return tasks;
  }
}

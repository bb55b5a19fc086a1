package dev.gyre.structures.group.device;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.group.GroupKeys;
import dev.gyre.kernels.group.GroupStates;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates that a device hands over. Groups without rows are unused.
 *
 * @param nulls number of nulls in each column, first of the values; null if a column had no null
 * @param count number of groups
 */
public record Totals(GroupStates states, List<@Nullable GroupStates> nulls, int count) {

  /**
   * Words that are keys of groups, in the slots of a table.
   *
   * @param keys number of words of a key
   * @param nullGroup group of the null key, if keys have one word
   */
  public record Words(DeviceLongs slots, int keys, int nullGroup) {

    private long slot(int group) {
      return (long) group * (keys == 1 ? 1 : GroupKeys.Two.SLOT_LONGS);
    }

    /** Returns a word of the key of a group. */
    public long word(int group, int key) {
      return slots.get(slot(group) + key + (keys == 1 ? 0 : 1));
    }

    /** Returns whether a word of the key of a group is null. */
    public boolean isNull(int group, int key) {
      long bit = key == 0 ? GroupKeys.Two.FIRST_NULL : GroupKeys.Two.SECOND_NULL;
      return keys == 1 ? group == nullGroup : (slots.get(slot(group)) & bit) != 0;
    }
  }

  /** Returns the number of rows of a group. */
  public long rows(int group) {
    return states.rows(group);
  }

  /** Returns the number of nulls of a group with rows. */
  public long nulls(int group, int column) {
    GroupStates counts = column < nulls.size() ? nulls.get(column) : null;
    return counts == null ? 0 : counts.rows(group);
  }
}

package dev.gyre.structures.group.device;

import dev.gyre.kernels.group.GroupStates;
import java.lang.foreign.MemorySegment;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/**
 * Keys and aggregates that a device hands over. Groups without rows are unused.
 *
 * @param count number of groups
 * @param keys bytes of all keys
 * @param offset returns where the key of a group begins
 * @param length returns the length of the key of a group, in bytes
 */
public record Totals(
    GroupStates states,
    int count,
    MemorySegment keys,
    IntToLongFunction offset,
    IntUnaryOperator length) {

  /** Returns the number of rows of a group. */
  public long rows(int group) {
    return states.word(group, 0, 0);
  }

  /** Returns the sum of doubles of a group with rows, as bits. */
  public long realSum(int group, int value) {
    return states.word(group, value, GroupStates.LOW);
  }

  private long high(int group, int value) {
    return states.word(group, value, GroupStates.HIGH);
  }

  /** Returns the lower 64 of the 128 bits of the sum of a group with rows. */
  public long lowerSum(int group, int value) {
    return realSum(group, value) + (high(group, value) << Integer.SIZE);
  }

  /** Returns the upper 64 of the 128 bits of the sum. */
  public long upperSum(int group, int value) {
    long low = realSum(group, value);
    long carry = Long.compareUnsigned(lowerSum(group, value), low) < 0 ? 1 : 0;
    return (low >> (Long.SIZE - 1)) + (high(group, value) >> Integer.SIZE) + carry;
  }

  /** Returns the word of the least value of a group with rows. */
  public long min(int group, int value) {
    return states.word(group, value, GroupStates.MIN) ^ Long.MIN_VALUE;
  }

  /** Returns the word of the greatest value of a group with rows. */
  public long max(int group, int value) {
    return states.word(group, value, GroupStates.MAX) ^ Long.MIN_VALUE;
  }
}

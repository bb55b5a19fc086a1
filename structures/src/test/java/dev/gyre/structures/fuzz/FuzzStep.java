package dev.gyre.structures.fuzz;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * An operation with numbers, from which its target makes keys of its own kind.
 *
 * @param values as many as there are keys
 */
@SuppressWarnings("ArrayRecordComponent") // Compared with nothing.
public record FuzzStep(String operation, long[] keys, long[] values) {

  private static final int SHOWN = 200;

  /** The first number, or 0. */
  long first() {
    return keys.length == 0 ? 0 : keys[0];
  }

  /** The same with some of the keys only. */
  FuzzStep part(int from, int to) {
    return new FuzzStep(
        operation, Arrays.copyOfRange(keys, from, to), Arrays.copyOfRange(values, from, to));
  }

  /** The same without some of the keys. */
  FuzzStep without(int from, int to) {
    return new FuzzStep(operation, without(keys, from, to), without(values, from, to));
  }

  private static long[] without(long[] all, int from, int to) {
    return LongStream.concat(Arrays.stream(all, 0, from), Arrays.stream(all, to, all.length))
        .toArray();
  }

  /** The same with one key, or value, that is plainer. */
  FuzzStep plainer(int place, boolean ofKeys) {
    FuzzStep copy = part(0, keys.length);
    (ofKeys ? copy.keys : copy.values)[place] = 0;
    return copy;
  }

  @Override
  public String toString() {
    return "%s keys=%s values=%s".formatted(operation, text(keys), text(values));
  }

  /** All of those that a small program has; the seed says the others. */
  private static String text(long[] numbers) {
    return numbers.length <= SHOWN
        ? Arrays.toString(numbers)
        : "%s ... (%d)".formatted(Arrays.toString(Arrays.copyOf(numbers, SHOWN)), numbers.length);
  }
}

package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.QUIESCENT;
import static dev.gyre.kernels.map.MapCodes.STRIPED;
import static dev.gyre.kernels.map.MapCodes.VALUES;

/**
 * Options of a kernel over a batch, as the sum of their numbers in {@link MapCodes}. Those that
 * most batches on a device have are known when the kernel is compiled: what they leave out then
 * takes neither registers nor time, and more threads run at once.
 */
public sealed interface Options {

  /** The sum of the options. */
  int sum();

  /** Whether these options of an insert, and no change of values, are known to its kernel. */
  static boolean isCounts(int sum, Change change) {
    return sum == STRIPED && change.policy() == KEEP;
  }

  /** Those of a find. */
  static Options ofFind(int sum) {
    return switch (sum) {
      case STRIPED + VALUES -> new Values();
      case STRIPED + VALUES + QUIESCENT -> new QuietValues();
      default -> new Given(sum);
    };
  }

  /** Known when the kernel is launched. */
  record Given(int sum) implements Options {}

  /** What is counted is all that is asked for. */
  record Counts() implements Options {
    @Override
    public int sum() {
      return STRIPED;
    }
  }

  /** Values are asked for. */
  record Values() implements Options {
    @Override
    public int sum() {
      return STRIPED + VALUES;
    }
  }

  /** Values are asked for, and nobody inserts. */
  record QuietValues() implements Options {
    @Override
    public int sum() {
      return STRIPED + VALUES + QUIESCENT;
    }
  }
}

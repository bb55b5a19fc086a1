package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.QUIESCENT;
import static dev.gyre.kernels.map.MapCodes.STRIPED;
import static dev.gyre.kernels.map.MapCodes.VALUES;

/**
 * Options of a kernel over a batch, as a bit set of {@link MapCodes}.
 *
 * <p>Frequent combinations are constants of the compiled kernel. Code that they exclude then needs
 * neither registers nor time, and more threads run at once.
 *
 * @since 0.1.0
 */
public sealed interface Options {

  /** Returns the bit set. */
  int sum();

  /** Returns whether the combination of an insert without a change of values is a constant. */
  static boolean isCounts(int sum, Change change) {
    return sum == STRIPED && change.policy() == KEEP;
  }

  /** Returns the options of a find. */
  static Options ofFind(int sum) {
    return switch (sum) {
      case STRIPED + VALUES -> new Values();
      case STRIPED + VALUES + QUIESCENT -> new QuietValues();
      default -> new Given(sum);
    };
  }

  /** Known at the launch. */
  record Given(int sum) implements Options {}

  /** Counts only. */
  record Counts() implements Options {
    @Override
    public int sum() {
      return STRIPED;
    }
  }

  /** Values. */
  record Values() implements Options {
    @Override
    public int sum() {
      return STRIPED + VALUES;
    }
  }

  /** Values, while no thread inserts. */
  record QuietValues() implements Options {
    @Override
    public int sum() {
      return STRIPED + VALUES + QUIESCENT;
    }
  }
}

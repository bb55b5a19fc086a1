package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceDoubles;
import dev.gyre.atomics.DeviceFloats;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.RecordSchema;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes the columns of one value by a thread of the JVM, each by a seq_cst compare-and-exchange,
 * like all accesses to single keys. Lock-free: it fails only if another one succeeded.
 */
public final class RecordValues {

  private RecordValues() {}

  /** Changes a value; returns its new words, each as its own change left it. */
  public static long[] change(
      RecordTable table,
      RecordSchema<?, ?> schema,
      long slot,
      List<Changes.@Nullable Rule> rules,
      long[] given) {
    long[] row = new long[RecordSchema.MOST];
    for (int i = 0; i < rules.size(); i++) {
      long at = table.valueAt(slot) + i;
      Changes.Rule rule = rules.get(i);
      row[i] =
          rule == null
              ? table.words.loadSeqCst(at)
              : switch (schema.valueTypes().get(i)) {
                case INT ->
                    Columns.word(change(table.ints(), 2 * at, rule, Columns.half(given[i])));
                case LONG -> change(table.words, at, rule, given[i]);
                case FLOAT ->
                    Columns.word(
                        Float.floatToRawIntBits(
                            change(
                                table.floats(),
                                2 * at,
                                rule,
                                Float.intBitsToFloat(Columns.half(given[i])))));
                case DOUBLE ->
                    Double.doubleToRawLongBits(
                        change(table.doubles(), at, rule, Double.longBitsToDouble(given[i])));
              };
    }
    return row;
  }

  private static long applied(Changes.Rule rule, long present, long given) {
    return rule.fold() == null
        ? Objects.requireNonNull(rule.apply()).result(present, given)
        : rule.fold().apply(present, given);
  }

  private static double applied(Changes.Rule rule, double present, double given) {
    if (rule.real() != null) {
      return rule.real().apply(present, given);
    }
    Change change = Objects.requireNonNull(rule.apply()).change();
    return switch (change.policy()) {
      case MapCodes.ADD -> present + given;
      case MapCodes.MIN -> Math.min(present, given);
      case MapCodes.MAX -> Math.max(present, given);
      default -> given;
    };
  }

  private static int change(DeviceInts values, long at, Changes.Rule rule, int given) {
    int before;
    int after;
    do {
      before = values.loadSeqCst(at);
      after = (int) applied(rule, before, given);
    } while (!values.compareAndSetSeqCst(at, before, after));
    return after;
  }

  private static long change(DeviceLongs values, long at, Changes.Rule rule, long given) {
    long before;
    long after;
    do {
      before = values.loadSeqCst(at);
      after = applied(rule, before, given);
    } while (!values.compareAndSetSeqCst(at, before, after));
    return after;
  }

  private static float change(DeviceFloats values, long at, Changes.Rule rule, float given) {
    float before;
    float after;
    do {
      before = values.loadSeqCst(at);
      // A sum of floats is rounded once: a double is precise enough.
      after = (float) applied(rule, before, given);
    } while (!values.compareAndSetSeqCst(at, before, after));
    return after;
  }

  private static double change(DeviceDoubles values, long at, Changes.Rule rule, double given) {
    double before;
    double after;
    do {
      before = values.loadSeqCst(at);
      after = applied(rule, before, given);
    } while (!values.compareAndSetSeqCst(at, before, after));
    return after;
  }
}

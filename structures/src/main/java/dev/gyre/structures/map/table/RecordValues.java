package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Columns.ColumnType;
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
              : change(table, at, schema.valueTypes().get(i), rule, given[i]);
    }
    return row;
  }

  /** Changes a column by the bits of its type: ints and floats are in the first half of a word. */
  private static long change(
      RecordTable table, long at, ColumnType type, Changes.Rule rule, long given) {
    long after;
    boolean done;
    do {
      if (type.bytes() == Long.BYTES) {
        long before = table.words.loadSeqCst(at);
        after = changed(type, rule, before, given);
        done = table.words.compareAndSetSeqCst(at, before, after);
      } else {
        int half = table.ints().loadSeqCst(2 * at);
        after = changed(type, rule, Columns.word(half), given);
        done = table.ints().compareAndSetSeqCst(2 * at, half, Columns.half(after));
      }
    } while (!done);
    return after;
  }

  private static long changed(ColumnType type, Changes.Rule rule, long present, long given) {
    return switch (type) {
      case INT ->
          Columns.word((int) applied(rule, (long) Columns.half(present), Columns.half(given)));
      case LONG -> applied(rule, present, given);
      // A sum of floats is rounded once: a double is precise enough.
      case FLOAT ->
          Columns.word(
              Float.floatToRawIntBits(
                  (float)
                      applied(
                          rule,
                          (double) Float.intBitsToFloat(Columns.half(present)),
                          Float.intBitsToFloat(Columns.half(given)))));
      case DOUBLE ->
          Double.doubleToRawLongBits(
              applied(rule, Double.longBitsToDouble(present), Double.longBitsToDouble(given)));
    };
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
}

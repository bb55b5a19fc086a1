package dev.gyre.bench.cli;

import dev.gyre.structures.group.GroupBy;
import dev.gyre.structures.group.GroupColumn;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Expression of the option {@code --agg}, such as {@code round(mean(x),1)}.
 *
 * @param text the expression
 * @param function name of the function
 * @param column column of the input; null for {@code count}
 * @param digits digits after the point to which the value is rounded; -1 if it is not
 */
record Aggregation(String text, String function, @Nullable String column, int digits) {

  private static final Pattern CALL =
      Pattern.compile("(count|sum|min|max|mean|distinct)\\((.+)\\)", Pattern.DOTALL);
  private static final Pattern ROUND =
      Pattern.compile("round\\((.+),\\s*([0-9]{1,4})\\s*\\)", Pattern.DOTALL);
  private static final Set<String> NEED_NUMBERS = Set.of("sum", "min", "max", "mean");

  /**
   * Reads expressions with commas between them.
   *
   * @throws IllegalArgumentException if the text is something else
   */
  static List<Aggregation> parse(String text) {
    List<Aggregation> all = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? ',' : text.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (i == text.length() || (c == ',' && depth == 0)) {
        all.add(of(text.substring(from, i).strip()));
        from = i + 1;
      }
    }
    if (all.stream().map(Aggregation::text).distinct().count() < all.size()) {
      throw new IllegalArgumentException("an expression is given twice: " + text);
    }
    return all;
  }

  private static Aggregation of(String text) {
    Matcher round = ROUND.matcher(text);
    boolean rounds = round.matches();
    String inner = rounds ? round.group(1).strip() : text;
    int digits = rounds ? Integer.parseInt(round.group(2)) : -1;
    Matcher call = CALL.matcher(inner);
    if (call.matches() && (!rounds || NEED_NUMBERS.contains(call.group(1)))) {
      // With its spaces: the names in a first row may have some.
      return new Aggregation(text, call.group(1), call.group(2), digits);
    }
    if (inner.equals("count") && !rounds) {
      return new Aggregation(text, "count", null, digits);
    }
    throw new IllegalArgumentException(
        "'%s' is none of count, count(x), sum(x), min(x), max(x), mean(x), distinct(x), and round"
                .formatted(text)
            + " of sum, min, max or mean, such as round(mean(x),1)");
  }

  /** Returns whether a column must be numbers. */
  boolean needsNumbers(String of) {
    return of.equals(column) && NEED_NUMBERS.contains(function);
  }

  /** Declares the aggregate, of a column that the batches call by another name. */
  void declare(GroupBy groups, String called) {
    GroupBy _ =
        switch (function) {
          case "count" -> column == null ? groups.count() : groups.count(called);
          case "sum" -> groups.sum(called);
          case "min" -> groups.min(called);
          case "max" -> groups.max(called);
          case "mean" -> groups.mean(called);
          default -> groups.distinct(called);
        };
  }

  /** Returns the name of the column of results. */
  String result(String called) {
    return column == null ? function : "%s(%s)".formatted(function, called);
  }

  /** Returns the value of a row in plain decimal notation. */
  String value(GroupColumn values, long row) {
    boolean whole =
        values.type() == GroupColumn.Type.LONG || values.type() == GroupColumn.Type.DECIMAL;
    if (!whole && !Double.isFinite(values.getDouble(row))) {
      return Double.toString(values.getDouble(row));
    }
    if (digits >= 0) {
      return values.decimal(row, digits).toPlainString();
    }
    return whole
        ? BigDecimal.valueOf(values.getLong(row), values.scale()).toPlainString()
        : BigDecimal.valueOf(values.getDouble(row)).stripTrailingZeros().toPlainString();
  }
}

package dev.gyre.structures.map;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.RealFold;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the columns of a {@link RecordMap} value combine with the columns of a new value.
 *
 * <pre>{@code
 * Changes changes = Changes.of("weight", Apply.ADD).and("latest", Apply.MAX);
 * }</pre>
 *
 * <p>Each named column is changed by a separate atomic operation; the others stay as they are.
 * Columns of floats and doubles support ADD, MIN, MAX and ASSIGN. The order of additions is
 * undefined, and sums of floats or doubles depend on it. A function of the user follows the rules
 * of {@link dev.gyre.kernels.map.Fold}. Immutable.
 *
 * @since 0.1.0
 */
public final class Changes {

  /**
   * Change of one column; exactly one component is not null.
   *
   * @param apply a built-in operation
   * @param fold a function of the user, for ints and longs
   * @param real a function of the user, for floats and doubles
   */
  @Internal
  public record Rule(@Nullable Apply apply, @Nullable Fold fold, @Nullable RealFold real) {}

  private final Map<String, Rule> rules;

  private Changes(Map<String, Rule> rules) {
    this.rules = rules;
  }

  private static Changes of(Map<String, Rule> others, String column, Rule rule) {
    Map<String, Rule> rules = new LinkedHashMap<>(others);
    if (rules.put(Objects.requireNonNull(column, "column"), rule) != null) {
      throw new IllegalArgumentException(
          "two changes of the column %s: it can have one".formatted(column));
    }
    return new Changes(rules);
  }

  private static Rule rule(Apply apply) {
    return new Rule(Objects.requireNonNull(apply, "apply"), null, null);
  }

  private static Rule rule(Fold fold) {
    var _ = KernelTree.of(Objects.requireNonNull(fold, "fold"));
    return new Rule(null, fold, null);
  }

  private static Rule ruleOfReal(RealFold fold) {
    var _ = KernelTree.of(Objects.requireNonNull(fold, "fold"));
    return new Rule(null, null, fold);
  }

  /** Returns a change of one column by a built-in operation. */
  public static Changes of(String column, Apply apply) {
    return of(Map.of(), column, rule(apply));
  }

  /**
   * Returns a change of one column of ints or longs by a function of the user.
   *
   * @throws dev.gyre.kernels.KernelException if the function is not a record of handles and numbers
   */
  public static Changes of(String column, Fold fold) {
    return of(Map.of(), column, rule(fold));
  }

  /**
   * Returns a change of one column of floats or doubles by a function of the user.
   *
   * @throws dev.gyre.kernels.KernelException if the function is not a record of handles and numbers
   */
  public static Changes ofReal(String column, RealFold fold) {
    return of(Map.of(), column, ruleOfReal(fold));
  }

  /** Returns these changes and one of another column by a built-in operation. */
  public Changes and(String column, Apply apply) {
    return of(rules, column, rule(apply));
  }

  /**
   * Returns these changes and one of another column by a function; see {@link #of(String, Fold)}.
   */
  public Changes and(String column, Fold fold) {
    return of(rules, column, rule(fold));
  }

  /** Returns these changes and one of another column by a function; see {@link #ofReal}. */
  public Changes andReal(String column, RealFold fold) {
    return of(rules, column, ruleOfReal(fold));
  }

  Map<String, Rule> rules() {
    return rules;
  }
}

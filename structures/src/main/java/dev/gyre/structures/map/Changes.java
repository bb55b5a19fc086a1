package dev.gyre.structures.map;

import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.RealFold;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the columns of a value that is present, where another one comes: each column that
 * is named is changed by an atomic operation of its own; the others stay as they are.
 *
 * <pre>{@code
 * Changes changes = Changes.of("weight", Apply.ADD).and("latest", Apply.MAX);
 * }</pre>
 *
 * <p>Floats and doubles know ADD, MIN, MAX and ASSIGN. In which order numbers are added is not
 * said, and a sum of floats or doubles depends on it. A function of the user's is as {@link
 * dev.gyre.kernels.map.Fold} says.
 */
public final class Changes {

  /**
   * What becomes of a column, by one of the three.
   *
   * @param apply an operation of the hardware's
   * @param fold a function of the user's, of ints and longs
   * @param real one of floats and doubles
   */
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

  /** Changes one column. */
  public static Changes of(String column, Apply apply) {
    return of(Map.of(), column, rule(apply));
  }

  /**
   * Changes one column, of ints or longs, by a function of the user's.
   *
   * @throws dev.gyre.kernels.KernelException if that is no record of handles and numbers
   */
  public static Changes of(String column, Fold fold) {
    return of(Map.of(), column, rule(fold));
  }

  /**
   * Changes one column, of floats or doubles, by a function of the user's.
   *
   * @throws dev.gyre.kernels.KernelException if that is no record of handles and numbers
   */
  public static Changes ofReal(String column, RealFold fold) {
    return of(Map.of(), column, ruleOfReal(fold));
  }

  /** Changes another column, too. */
  public Changes and(String column, Apply apply) {
    return of(rules, column, rule(apply));
  }

  /** {@link #of(String, Fold)} of another column, too. */
  public Changes and(String column, Fold fold) {
    return of(rules, column, rule(fold));
  }

  /** {@link #ofReal} of another column, too. */
  public Changes andReal(String column, RealFold fold) {
    return of(rules, column, ruleOfReal(fold));
  }

  Map<String, Rule> rules() {
    return rules;
  }
}

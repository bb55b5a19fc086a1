package dev.gyre.progress.litmus;

import dev.gyre.kernels.litmus.LitmusCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** A litmus program, with the outcome that tells orders apart. */
public enum LitmusProgram {
  MESSAGE_PASSING(LitmusCodes.MESSAGE_PASSING, 2, 2, "the flag came without the message", "1,0"),
  STORE_BUFFERING(LitmusCodes.STORE_BUFFERING, 2, 2, "neither saw the other's store", "0,0"),
  LOAD_BUFFERING(LitmusCodes.LOAD_BUFFERING, 2, 2, "both saw what was stored later", "1,1"),
  INDEPENDENT_READS(
      LitmusCodes.INDEPENDENT_READS, 4, 4, "two readers saw two stores in two orders", "1,0,1,0"),
  COHERENT_READS(LitmusCodes.COHERENT_READS, 2, 2, "a later read saw an older value", "1,0"),
  PUBLICATION(
      LitmusCodes.PUBLICATION,
      2,
      2,
      "two winners, none, or a publication without what was published",
      o -> winners(o) != 1 || o.startsWith("0") || o.endsWith("0")),
  TEST_AND_SET(LitmusCodes.TEST_AND_SET, 2, 2, "two winners, or none", o -> winners(o) != 1);

  private final int code;
  private final int roles;
  private final int registers;
  private final String weak;

  @SuppressWarnings("ImmutableEnumChecker") // Predicates without state.
  private final Predicate<String> isWeak;

  LitmusProgram(int code, int roles, int registers, String weak, String outcome) {
    this(code, roles, registers, weak, outcome::equals);
  }

  LitmusProgram(int code, int roles, int registers, String weak, Predicate<String> isWeak) {
    this.code = code;
    this.roles = roles;
    this.registers = registers;
    this.weak = weak;
    this.isWeak = isWeak;
  }

  private static int winners(String outcome) {
    int winners = 0;
    for (String register : outcome.split(",", -1)) {
      if (register.equals(String.valueOf(LitmusCodes.WON))) {
        winners++;
      }
    }
    return winners;
  }

  int code() {
    return code;
  }

  /** Threads of an instance. */
  public int roles() {
    return roles;
  }

  /** What the weak outcome means. */
  public String weak() {
    return weak;
  }

  /** Whether an outcome, as {@link #outcome} writes it, is the weak one. */
  public boolean isWeak(String outcome) {
    return isWeak.test(outcome);
  }

  /** Writes an outcome: its registers, such as {@code 1,0}. */
  String outcome(int bin) {
    List<String> values = new ArrayList<>();
    for (int r = 0; r < registers; r++) {
      values.add(String.valueOf(bin >> (2 * r) & 3));
    }
    return String.join(",", values);
  }

  /** The name in tables, such as {@code message passing}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}

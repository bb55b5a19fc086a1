package dev.gyre.progress.litmus;

import java.util.Map;
import java.util.Optional;

/**
 * Result of a litmus test.
 *
 * @param test the test
 * @param outcomes number of times each outcome was seen, by its registers, such as {@code 1,0}
 * @param seconds duration of the run
 * @param refusal why the device refused the test; empty if it ran
 */
public record LitmusResult(
    LitmusTest test, Map<String, Long> outcomes, double seconds, Optional<String> refusal) {

  /** Judgement of a result. */
  public enum Verdict {
    /** The weak outcome is forbidden and was not seen. */
    OK("ok"),
    /** A forbidden outcome was seen. */
    FORBIDDEN_SEEN("FORBIDDEN OUTCOME SEEN"),
    /** A weakened control showed the weak outcome. */
    SEEN("seen, as it may"),
    /** A weakened control never showed the weak outcome: the machine hides it, or it is rare. */
    NEVER_SEEN("never seen"),
    /** A control that must show the weak outcome did not: the tests prove nothing here. */
    CONTROL_FAILED("CONTROL SHOWED NOTHING"),
    /** The device does not support this order or scope. */
    REFUSED("refused");

    private final String label;

    Verdict(String label) {
      this.label = label;
    }

    /** Returns the verdict in words. */
    public String label() {
      return label;
    }

    /** Returns whether a run with this result has failed. */
    public boolean failed() {
      return this == FORBIDDEN_SEEN || this == CONTROL_FAILED;
    }
  }

  /** Returns the number of instances that ran. */
  public long runs() {
    return outcomes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns how many times the weak outcome was seen. */
  public long weak() {
    return outcomes.entrySet().stream()
        .filter(e -> test.program().isWeak(e.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Returns the verdict. */
  public Verdict verdict() {
    if (refusal.isPresent()) {
      return Verdict.REFUSED;
    }
    boolean seen = weak() > 0;
    return switch (test.expectation()) {
      case FORBIDDEN -> seen ? Verdict.FORBIDDEN_SEEN : Verdict.OK;
      case MUST_SHOW -> seen ? Verdict.SEEN : Verdict.CONTROL_FAILED;
      case MAY_SHOW -> seen ? Verdict.SEEN : Verdict.NEVER_SEEN;
    };
  }
}

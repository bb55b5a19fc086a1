package dev.gyre.structures;

import org.jspecify.annotations.Nullable;

/** Comparisons of answers with what a model says, for code that runs where there is no JUnit. */
public final class Checks {

  private static final int SHOWN = 400;

  private Checks() {}

  /**
   * Compares an answer with the model's.
   *
   * @throws AssertionError if they differ
   */
  public static void same(String what, @Nullable Object expected, Object actual) {
    if (!actual.equals(expected)) {
      throw new AssertionError(
          "%s: %s, not %s".formatted(what, shortened(actual), shortened(expected)));
    }
  }

  /** The same for one of many numbers; the message is composed only if they differ. */
  public static void same(String what, long of, long expected, long actual) {
    if (expected != actual) {
      throw new AssertionError("%s %d: %d, not %d".formatted(what, of, actual, expected));
    }
  }

  private static String shortened(@Nullable Object value) {
    String text = String.valueOf(value);
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }
}

package dev.gyre.kernels.tornadovm;

import java.util.List;
import java.util.stream.Stream;

/**
 * What random programs are made of. In a form, %i, %l, %f, %d and %b stand for an expression of
 * ints, of longs, of floats, of doubles, or a condition, %k for a condition that is a variable or
 * one comparison, as the backends compute two of them without a branch, %s for statements, and %m
 * for what the threads of a block do together.
 *
 * @param ints forms of int expressions
 * @param longs forms of long expressions
 * @param floats forms of float expressions; none where programs have no floating-point numbers
 * @param doubles forms of double expressions
 * @param simple forms of statements that have no others in them
 * @param statements forms of all statements
 * @param meetings forms of what the threads of a block do together; none where each is alone
 */
record FuzzForms(
    List<String> ints,
    List<String> longs,
    List<String> floats,
    List<String> doubles,
    List<String> simple,
    List<String> statements,
    List<String> meetings) {

  static final List<String> INTS =
      List.of("0", "1", "-1", "31", "32", "0x7fffffff", "0x80000000", "-42", "0xffff", "7", "255");
  static final List<String> LONGS =
      List.of(
          "0L",
          "1L",
          "-1L",
          "63L",
          "0x7fffffffffffffffL",
          "0x8000000000000000L",
          "0xffffffffL",
          "0x80000000L",
          "-42L",
          "0x9E3779B97F4A7C15L");
  static final List<String> FLOATS =
      List.of(
          "0.0f",
          "-0.0f",
          "1.0f",
          "-1.5f",
          "0.1f",
          "16777216.0f",
          "1.0e-40f",
          "Float.MIN_VALUE",
          "Float.MAX_VALUE",
          "Float.NEGATIVE_INFINITY",
          "Float.NaN");
  static final List<String> DOUBLES =
      List.of(
          "0.0",
          "-0.0",
          "1.0",
          "-1.5",
          "0.1",
          "9007199254740992.0",
          "1.0e-310",
          "Double.MIN_VALUE",
          "Double.MAX_VALUE",
          "Double.POSITIVE_INFINITY",
          "Double.NaN");
  private static final List<String> INT_FORMS =
      List.of(
          "(%i + %i)",
          "(%i - %i)",
          "(%i * %i)",
          "(%i & %i)",
          "(%i | %i)",
          "(%i ^ %i)",
          "(0 - %i)",
          "(~%i)",
          "(%i << %i)",
          "(%i >> %i)",
          "Unsigned.shiftRight(%i, %i)",
          "(%i >>> %i)",
          "(%i < %i ? %i : %i)",
          "(%l <= %l ? %i : %i)",
          "(%i == %i ? %i : %i)",
          "(a >= %i && a <= %i ? %i : %i)",
          "(Unsigned.lessThan(%i, %i) ? %i : %i)",
          "(Unsigned.lessThan(%l, %l) ? %i : %i)",
          "(int) %l",
          "cells.fetchAddRelaxed(at, %i)",
          "cells.exchangeAcqRel(at, %i)",
          "cells.compareAndExchangeSeqCst(at, %i, %i)",
          "cells.fetchMinRelaxed(at, %i)",
          "cells.fetchMaxRelaxed(at, %i)",
          "cells.fetchXorRelaxed(at, %i)",
          "(cells.compareAndSetRelaxed(at, %i, %i) ? %i : %i)",
          "cells.loadAcquire(at)");
  private static final List<String> LONG_FORMS =
      List.of(
          "(%l + %l)",
          "(%l - %l)",
          "(%l * %l)",
          "(%l & %l)",
          "(%l | %l)",
          "(%l ^ %l)",
          "(0 - %l)",
          "(~%l)",
          "(%l << %i)",
          "(%l >> %i)",
          "Unsigned.shiftRight(%l, %i)",
          "Unsigned.multiplyHigh(%l, %l)",
          "Unsigned.toLong(%i)",
          "(long) %i",
          "(%l >>> %i)",
          "((long) %i & 0xffffffffL)",
          "(%l < %l ? %l : %l)",
          "(Unsigned.lessThan(%l, %l) ? %l : %l)",
          "longs.fetchAddRelaxed(at, %l)",
          "longs.exchangeRelease(at, %l)",
          "longs.compareAndExchangeAcqRel(at, %l, %l)",
          "longs.fetchMaxAcquire(at, %l)",
          "longs.fetchMinRelaxed(at, %l)",
          "longs.fetchAndRelaxed(at, %l)",
          "longs.get(at)");

  /** NaN is never taken by its bits, which are up to the device. */
  private static final List<String> FLOAT_FORMS =
      List.of(
          "(%f + %f)",
          "(%f - %f)",
          "(%f * %f)",
          "(%f / %f)",
          "(%f * %f + %f)",
          "(%f - %f * %f)",
          "(-(%f))",
          "Math.min(%f, %f)",
          "Math.max(%f, %f)",
          "Math.abs(%f)",
          "(float) Math.sqrt(%f)",
          "(float) %d",
          "(float) %i",
          "(float) %l",
          "Float.intBitsToFloat(%i)",
          "(%f < %f ? %f : %f)",
          "(%i <= %i ? %f : %f)",
          "floats.fetchAddRelaxed(at, %f)",
          "floats.fetchMinAcquire(at, %f)",
          "floats.fetchMaxRelease(at, %f)",
          "floats.exchangeAcqRel(at, %f)",
          "floats.compareAndExchangeSeqCst(at, (float) %i, %f)",
          "floats.loadAcquire(at)");

  private static final List<String> DOUBLE_FORMS =
      List.of(
          "(%d + %d)",
          "(%d - %d)",
          "(%d * %d)",
          "(%d / %d)",
          "(%d * %d + %d)",
          "(%d - %d * %d)",
          "(-(%d))",
          "Math.min(%d, %d)",
          "Math.max(%d, %d)",
          "Math.abs(%d)",
          "Math.sqrt(%d)",
          "(double) %f",
          "(double) %i",
          "(double) %l",
          "Double.longBitsToDouble(%l)",
          "(%d >= %d ? %d : %d)",
          "(%l < %l ? %d : %d)",
          "doubles.fetchAddAcqRel(at, %d)",
          "doubles.fetchMinRelaxed(at, %d)",
          "doubles.fetchMaxRelaxed(at, %d)",
          "doubles.exchangeRelaxed(at, %d)",
          "doubles.compareAndExchangeRelaxed(at, (double) %i, %d)",
          "doubles.get(at)");
  private static final List<String> INTS_OF_FLOATS =
      List.of(
          "(int) %f",
          "(int) %d",
          "(%f < %f ? %i : %i)",
          "(%f == %f ? %i : %i)",
          "(%d >= %d ? %i : %i)",
          "(!(%d > %d) ? %i : %i)",
          "Float.floatToRawIntBits((float) %i)",
          "(floats.compareAndSetRelaxed(at, (float) %i, %f) ? %i : %i)");
  private static final List<String> LONGS_OF_FLOATS =
      List.of(
          "(long) %f",
          "(long) %d", "(%d != %d ? %l : %l)", "Double.doubleToRawLongBits((double) %l)");
  private static final List<String> SIMPLE_FLOATS =
      List.of(
          "f = %f;\n",
          "g = %f;\n",
          "x = %d;\n",
          "y = %d;\n",
          "floats.storeRelease(at, %f);\n",
          "doubles.set(at, %d);\n");
  private static final List<String> NESTED_FLOATS =
      List.of("if (%f < %f) {\n%s} else {\n%s}\n", "if (x >= %d) {\n%s}\n");
  private static final List<String> SIMPLE_FORMS =
      List.of(
          "a = %i;\n",
          "b = %i;\n",
          "c = %l;\n",
          "d = %l;\n",
          "cells.storeRelease(at, %i);\n",
          "longs.set(at, %l);\n");
  private static final List<String> NESTED_FORMS =
      List.of(
          "if (%i < %i) {\n%s} else {\n%s}\n",
          "if (%l >= %l) {\n%s}\n",
          "if (a >= %i && a <= %i) {\n%s}\n",
          "for (int i = 0; i < (%i & 7); i++) {\n%s}\n",
          "long n$ = %l & 15;\nwhile (n$ > 0) {\nn$--;\n%s}\n",
          "%s%s",
          "%s%s%s");

  /** What %k stands for; most are the variables, so that these have many readers. */
  static final List<String> CONDITION_LEAVES =
      List.of("p", "q", "p", "q", "c > %l", "d <= %l", "a == %i", "b < %i");

  static final List<String> CONDITION_FORMS =
      List.of(
          "(%l > %l)",
          "(%i == %i)",
          "(%i < %i)",
          "Unsigned.lessThan(%l, %l)",
          "!(%b)",
          "(%b && %b)",
          "(%b && %b)",
          "(%b || %b)",
          "(%b || %b)");
  private static final List<String> INT_CHOICES =
      List.of("(%b ? %i : %i)", "(%k && %k ? %i : %i)", "(%k || %k ? %i : %i)");
  private static final List<String> LONG_CHOICES =
      List.of("(%b ? %l : %l)", "(%k && %k ? %l : %l)", "(%k || %k ? %l : %l)");
  private static final List<String> ASSIGNMENTS =
      List.of("p = %b;\n", "q = %b;\n", "if (%k) {\np = %k;\n}\n", "if (%k) {\nq = %k;\n}\n");
  private static final List<String> NESTED_CONDITIONS =
      List.of(
          "if (%b) {\n%s}\n",
          "if (%k && %k) {\n%s}\n",
          "if (%k || %k) {\n%s} else {\n%s}\n",
          "long n$ = %l & 15;\nwhile (n$ > 0 && %b) {\nn$--;\n%s}\n");

  /** Numbers only. */
  static final FuzzForms NUMBERS =
      new FuzzForms(
          INT_FORMS,
          LONG_FORMS,
          List.of(),
          List.of(),
          SIMPLE_FORMS,
          both(SIMPLE_FORMS, NESTED_FORMS),
          List.of());

  /** Numbers, and the boolean variables p and q. */
  static final FuzzForms CONDITIONS =
      new FuzzForms(
          both(INT_FORMS, INT_CHOICES),
          both(LONG_FORMS, LONG_CHOICES),
          List.of(),
          List.of(),
          both(SIMPLE_FORMS, ASSIGNMENTS),
          both(NUMBERS.statements, both(ASSIGNMENTS, NESTED_CONDITIONS)),
          List.of());

  /** Numbers of all types. */
  static final FuzzForms ALL_NUMBERS =
      new FuzzForms(
          both(INT_FORMS, INTS_OF_FLOATS),
          both(LONG_FORMS, LONGS_OF_FLOATS),
          FLOAT_FORMS,
          DOUBLE_FORMS,
          both(SIMPLE_FLOATS, SIMPLE_FORMS),
          both(NUMBERS.statements, both(SIMPLE_FLOATS, both(SIMPLE_FLOATS, NESTED_FLOATS))),
          List.of());

  /** Numbers of all types, by threads that share memory and meet. */
  static final FuzzForms NUMBERS_TOGETHER =
      new FuzzForms(
          both(ALL_NUMBERS.ints, FuzzMeetings.INTS),
          both(ALL_NUMBERS.longs, FuzzMeetings.LONGS),
          both(FLOAT_FORMS, FuzzMeetings.FLOATS),
          both(DOUBLE_FORMS, FuzzMeetings.DOUBLES),
          ALL_NUMBERS.simple,
          ALL_NUMBERS.statements,
          both(FuzzMeetings.MEETINGS, FuzzMeetings.MEETINGS_OF_FLOATS));

  /** Numbers, and the boolean variables p and q, by threads that share memory and meet. */
  static final FuzzForms CONDITIONS_TOGETHER =
      new FuzzForms(
          both(CONDITIONS.ints, FuzzMeetings.INTS),
          both(CONDITIONS.longs, FuzzMeetings.LONGS),
          List.of(),
          List.of(),
          CONDITIONS.simple,
          CONDITIONS.statements,
          both(FuzzMeetings.MEETINGS, FuzzMeetings.MEETINGS_OF_CONDITIONS));

  /** Whether programs have the boolean variables p and q. */
  boolean hasConditions() {
    return simple.containsAll(ASSIGNMENTS);
  }

  private static List<String> both(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }
}

package dev.gyre.atomics.tornadovm.c;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.tornadovm.Arithmetic;

/**
 * Floats and doubles in a dialect of C.
 *
 * <p>OpenCL C may fuse a product and a sum in one expression, so that each is a separate statement
 * here. CUDA C also fuses across statements, except with functions that specify the rounding.
 */
public final class CFloats {

  private final CDialect dialect;

  public CFloats(CDialect dialect) {
    this.dialect = dialect;
  }

  /** Returns the text of arithmetic. */
  public String arithmetic(Arithmetic what, ElementType type) {
    boolean cuda = dialect == CDialect.CUDA;
    return switch (what) {
      case ADD, SUBTRACT, MULTIPLY, DIVIDE -> "$r = %s;".formatted(value(what, type, "$x", "$y"));
      case REMAINDER -> "$r = %s($x, $y);".formatted(function("fmod", type));
      case MIN, MAX -> "$r = %s;".formatted(value(what, type, "($x)", "($y)"));
      case SQRT ->
          cuda
              ? "$r = __%csqrt_rn($x);".formatted(letter(type))
              : "$r = sqrt((%s)($x));".formatted(type.primitive());
      case ABS ->
          cuda
              ? "$r = %s($x);".formatted(function("fabs", type))
              : "$r = fabs((%s)($x));".formatted(type.primitive());
      case NEGATE -> "$r = -($x);";
      case LESS -> "$r = ($x) < ($y);";
      case NOT_GREATER_OR_EQUAL -> "$r = !(($x) >= ($y));";
      case EQUAL -> "$r = ($x) == ($y);";
      case TO_INT -> whole("int", "0x7fffffff", "0x80000000", "2147483648.0", type);
      case TO_LONG ->
          whole(
              dialect.signed(Long.SIZE),
              "0x7fffffffffffffff",
              "0x8000000000000000",
              "9223372036854775808.0",
              type);
      case BITS -> "$r = %s;".formatted(dialect.whole(type, "$x"));
      case OF_BITS -> "$r = %s;".formatted(dialect.ofWhole(type, "$x"));
      case OF_INT, OF_LONG, OF_OTHER -> "$r = (%s)($x);".formatted(type.primitive());
    };
  }

  /** Returns the result for two numbers, as an expression. */
  public String value(Arithmetic what, ElementType type, String x, String y) {
    int bits = type.bytes() * Byte.SIZE;
    boolean cuda = dialect == CDialect.CUDA;
    return switch (what) {
      case ADD -> cuda ? rounded("add", type, x, y) : x + " + " + y;
      case SUBTRACT -> cuda ? rounded("sub", type, x, y) : x + " - " + y;
      case MULTIPLY -> cuda ? rounded("mul", type, x, y) : x + " * " + y;
      case DIVIDE -> cuda ? rounded("div", type, x, y) : x + " / " + y;
      // Among equal numbers only zeros differ, by their sign; NaN equals nothing.
      case MIN ->
          "(%1$s != %1$s ? %1$s : %1$s == %2$s ? %3$s(%4$s(%1$s) | %4$s(%2$s)) : %1$s < %2$s ? %1$s : %2$s)"
              .formatted(x, y, dialect.floating(bits), dialect.bits(bits));
      case MAX ->
          "(%1$s != %1$s ? %1$s : %1$s == %2$s ? %3$s(%4$s(%1$s) & %4$s(%2$s)) : %1$s > %2$s ? %1$s : %2$s)"
              .formatted(x, y, dialect.floating(bits), dialect.bits(bits));
      default -> throw new IllegalArgumentException(what.toString());
    };
  }

  private static String rounded(String name, ElementType type, String x, String y) {
    return "__%c%s_rn(%s, %s)".formatted(letter(type), name, x, y);
  }

  private static char letter(ElementType type) {
    return type == ElementType.DOUBLE ? 'd' : 'f';
  }

  /** Returns the name of a function: in OpenCL the same for both types, in CUDA not. */
  private String function(String name, ElementType type) {
    return name + (dialect == CDialect.CUDA && type == ElementType.FLOAT ? "f" : "");
  }

  /** Returns a conversion to an integer: in C, numbers that do not fit are undefined. */
  private static String whole(
      String to, String largest, String smallest, String beyond, ElementType type) {
    String bound = beyond + (type == ElementType.FLOAT ? "f" : "");
    return "$r = ($x) != ($x) ? 0 : ($x) >= %3$s ? (%1$s)%2$s : ($x) < -%3$s ? (%1$s)%4$s : (%1$s)($x);"
        .formatted(to, largest, bound, smallest);
  }
}

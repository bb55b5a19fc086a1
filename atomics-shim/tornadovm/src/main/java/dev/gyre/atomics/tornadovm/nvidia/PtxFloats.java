package dev.gyre.atomics.tornadovm.nvidia;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.tornadovm.Arithmetic;
import dev.gyre.atomics.tornadovm.UnsupportedByDeviceException;

/**
 * PTX for floats and doubles. Each rounding instruction has {@code .rn}: without it PTX fuses a
 * product and a sum.
 */
final class PtxFloats {

  private PtxFloats() {}

  static String arithmetic(Arithmetic what, ElementType type) {
    String t = type(type);
    return switch (what) {
      case ADD, SUBTRACT, MULTIPLY, DIVIDE ->
          "%s.rn.%s $r, $x, $y;".formatted(instruction(what), t);
      case REMAINDER ->
          throw new UnsupportedByDeviceException(
              "% of two of type " + type.primitive(), "PTX", "it has no such instruction");
      case MIN -> extreme("min", type);
      case MAX -> extreme("max", type);
      case SQRT -> "sqrt.rn.%s $r, $x;".formatted(t);
      case ABS -> "abs.%s $r, $x;".formatted(t);
      case NEGATE -> "neg.%s $r, $x;".formatted(t);
      case LESS -> compare("lt", t);
      // Includes unordered numbers.
      case NOT_GREATER_OR_EQUAL -> compare("ltu", t);
      case EQUAL -> compare("eq", t);
      case TO_INT -> whole(32, t);
      case TO_LONG -> whole(64, t);
      case OF_INT -> "cvt.rn.%s.s32 $r, $x;".formatted(t);
      case OF_LONG -> "cvt.rn.%s.s64 $r, $x;".formatted(t);
      case OF_OTHER ->
          type == ElementType.DOUBLE ? "cvt.f64.f32 $r, $x;" : "cvt.rn.f32.f64 $r, $x;";
      case BITS, OF_BITS -> "mov.b%d $r, $x;".formatted(type.bytes() * Byte.SIZE);
    };
  }

  private static String instruction(Arithmetic what) {
    return switch (what) {
      case ADD -> "add";
      case SUBTRACT -> "sub";
      case MULTIPLY -> "mul";
      default -> "div";
    };
  }

  /**
   * Returns a minimum or maximum. Of two zeros PTX returns the same as Java; of a number and NaN it
   * returns the number.
   */
  private static String extreme(String name, ElementType type) {
    String nan = type == ElementType.DOUBLE ? "0d7FF8000000000000" : "0f7FC00000";
    return "{ .reg .%1$s gyre_w; .reg .pred gyre_q; setp.nan.%1$s gyre_q, $x, $y; %2$s.%1$s gyre_w, $x, $y; selp.%1$s $r, %3$s, gyre_w, gyre_q; }"
        .formatted(type(type), name, nan);
  }

  private static String compare(String how, String t) {
    return "{ .reg .pred gyre_p; setp.%s.%s gyre_p, $x, $y; selp.s32 $r, 1, 0, gyre_p; }"
        .formatted(how, t);
  }

  /**
   * Returns a conversion to an integer. PTX clamps what does not fit; its result for NaN depends on
   * the width.
   */
  private static String whole(int bits, String t) {
    return "{ .reg .s%1$d gyre_w; .reg .pred gyre_q; setp.nan.%2$s gyre_q, $x, $x; cvt.rzi.s%1$d.%2$s gyre_w, $x; selp.b%1$d $r, 0, gyre_w, gyre_q; }"
        .formatted(bits, t);
  }

  /** Returns an update that is not atomic. */
  static String plainUpdate(Arithmetic what, ElementType type, String load, String store) {
    return "{ .reg .%1$s gyre_v, gyre_n; %2$s %3$s %4$s mov.%1$s $r, gyre_v; }"
        .formatted(type(type), load.formatted("gyre_v"), step(what, type), store);
  }

  /**
   * Returns an update that repeats until no other one interferes.
   *
   * @param load reads the element
   * @param swap compares it with {@code gyre_v}, and writes {@code gyre_n}; {@code gyre_s} receives
   *     the old value
   */
  static String retried(Arithmetic what, ElementType type, String load, String swap) {
    // The result is written last: within C, it may share a register with an argument.
    return "{ .reg .%1$s gyre_v, gyre_n; .reg .b%2$d gyre_s, gyre_o; .reg .pred gyre_p; %3$s gyre_again: %4$s mov.b%2$d gyre_o, gyre_v; %5$s setp.ne.b%2$d gyre_p, gyre_s, gyre_o; mov.b%2$d gyre_v, gyre_s; @gyre_p bra gyre_again; mov.%1$s $r, gyre_v; }"
        .formatted(
            type(type), type.bytes() * Byte.SIZE, load.formatted("gyre_v"), step(what, type), swap);
  }

  /** Computes {@code gyre_n} from {@code gyre_v} and the argument. */
  private static String step(Arithmetic what, ElementType type) {
    return arithmetic(what, type)
        .replace("$y", "$z")
        .replace("$x", "gyre_v")
        .replace("$z", "$x")
        .replace("$r", "gyre_n");
  }

  private static String type(ElementType type) {
    return type == ElementType.DOUBLE ? "f64" : "f32";
  }
}

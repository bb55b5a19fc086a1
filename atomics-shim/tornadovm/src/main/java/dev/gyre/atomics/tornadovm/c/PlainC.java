package dev.gyre.atomics.tornadovm.c;

import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.tornadovm.Arithmetic;
import dev.gyre.atomics.tornadovm.Meetings;
import dev.gyre.atomics.tornadovm.PlainFunction;

/**
 * Operations that are neither atomic nor ordered, in a dialect of C.
 *
 * <p>Signed overflow is undefined in C and defined in Java, so that sums are unsigned here.
 */
public final class PlainC {

  private final CDialect dialect;
  private final CFloats floats;

  public PlainC(CDialect dialect) {
    this.dialect = dialect;
    this.floats = new CFloats(dialect);
  }

  /** Returns the text of an operation of plain order or thread scope. */
  public String operation(Operation o) {
    String begin =
        "{ %1$s%2$s *gyre_a = %3$s; %2$s gyre_v = *gyre_a; "
            .formatted(dialect.global(), dialect.type(o.type()), pointer(o));
    return switch (o.kind()) {
      case GET, LOAD -> "$r = *%s;".formatted(pointer(o));
      case SET, STORE -> "*%s = $x;".formatted(pointer(o));
      case CLEAR -> "*%s = 0;".formatted(pointer(o));
      case COMPARE_AND_EXCHANGE ->
          begin + "if (%s) { *gyre_a = $y; } $r = gyre_v; }".formatted(isExpected(o));
      case COMPARE_AND_SET ->
          begin + "if (%s) { *gyre_a = $y; $r = 1; } else { $r = 0; } }".formatted(isExpected(o));
      case TEST -> begin + "$r = gyre_v != 0; }";
      case TEST_AND_SET -> begin + "*gyre_a = 1; $r = gyre_v != 0; }";
      default -> begin + "*gyre_a = %s; $r = gyre_v; }".formatted(result(o));
    };
  }

  private String isExpected(Operation o) {
    return dialect.whole(o.type(), "gyre_v") + " == " + dialect.whole(o.type(), "$x");
  }

  private String result(Operation o) {
    if (o.type().isFloating() && o.kind() != OperationKind.EXCHANGE) {
      return floats.value(Arithmetic.of(o.kind()), o.type(), "gyre_v", "($x)");
    }
    String sum =
        "(%1$s)((%2$s)gyre_v %%s (%2$s)$x)"
            .formatted(dialect.type(o.type()), dialect.unsigned(o.type()));
    String same = "(%1$s)$x".formatted(dialect.type(o.type()));
    return switch (o.kind()) {
      case EXCHANGE -> "$x";
      case FETCH_ADD -> sum.formatted("+");
      case FETCH_SUB -> sum.formatted("-");
      case FETCH_AND -> "gyre_v & $x";
      case FETCH_OR -> "gyre_v | $x";
      case FETCH_XOR -> "gyre_v ^ $x";
      case FETCH_MIN -> "min(gyre_v, %s)".formatted(same);
      case FETCH_MAX -> "max(gyre_v, %s)".formatted(same);
      default -> throw new IllegalArgumentException(o.toString());
    };
  }

  /** Returns the address of an element, as a pointer to its type. */
  private String pointer(Operation o) {
    return "((%s%s *)($a))".formatted(dialect.global(), dialect.type(o.type()));
  }

  /** Returns the text of a function; each warp has one thread. */
  public String function(PlainFunction function) {
    String uint = dialect.unsigned(Integer.SIZE);
    String ulong = dialect.unsigned(Long.SIZE);
    String signed = dialect.signed(Long.SIZE);
    return switch (function) {
      case SHIFT_RIGHT_INT -> "$r = (int)((%s)($x) >> ($y & 31));".formatted(uint);
      case SHIFT_RIGHT_LONG -> "$r = (%s)((%s)($x) >> ($y & 63));".formatted(signed, ulong);
      case LESS_THAN_INT -> "$r = (%1$s)($x) < (%1$s)($y);".formatted(uint);
      case LESS_THAN_LONG -> "$r = (%1$s)($x) < (%1$s)($y);".formatted(ulong);
      case MULTIPLY_HIGH ->
          "$r = (%1$s)%2$s((%3$s)($x), (%3$s)($y));"
              .formatted(signed, dialect.multiplyHigh(), ulong);
      case TO_LONG -> "$r = (%s)(%s)($x);".formatted(signed, uint);
      // Only a comment, which the launcher looks for.
      case MEET_BLOCK -> Meetings.BLOCK;
      case MEET_DEVICE, MEET_SYSTEM -> Meetings.GRID;
      case BARRIER -> dialect.barrier() + " " + Meetings.BARRIER;
      case LANES_WIDTH -> "$r = 1;";
      case LANES_INDEX -> "$r = 0;";
      case LANES_ANY, LANES_ALL, LANES_BALLOT, SUM_OF_PRESENT -> "$r = $x;";
      case LANES_SHUFFLE_INT, LANES_SHUFFLE_LONG, LANES_SHUFFLE_FLOAT, LANES_SHUFFLE_DOUBLE ->
          "$r = $x;";
      case LANES_SUM_INT, LANES_SUM_LONG, LANES_SUM_FLOAT, LANES_SUM_DOUBLE -> "$r = $x;";
      case LANES_PREFIX_SUM_INT,
          LANES_PREFIX_SUM_LONG,
          LANES_PREFIX_SUM_FLOAT,
          LANES_PREFIX_SUM_DOUBLE ->
          "$r = $x;";
      case GET_BYTE -> "$r = *((%s%s *)($a));".formatted(dialect.global(), dialect.signedByte());
      case GET_UNSIGNED_BYTE ->
          "$r = *((%s%s *)($a));".formatted(dialect.global(), dialect.unsignedByte());
      case SET_BYTE ->
          "*((%1$s%2$s *)($a)) = (%2$s)($x);".formatted(dialect.global(), dialect.signedByte());
    };
  }
}

package dev.gyre.atomics.tornadovm.nvidia;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.tornadovm.Meetings;
import dev.gyre.atomics.tornadovm.PlainFunction;

/** PTX of operations of the 32 threads of a warp. */
final class PtxLanes {

  private static final int WIDTH = 32;

  private static final String ALL = "0xffffffff";

  private PtxLanes() {}

  /**
   * Returns the text of a function that all threads of a warp call.
   *
   * @param adds whether the device has {@code redux.sync}
   */
  static String text(PlainFunction function, boolean adds) {
    return switch (function) {
      case LANES_WIDTH -> "mov.s32 $r, %d;".formatted(WIDTH);
      case LANES_INDEX -> "mov.u32 $r, %laneid;";
      default -> reduction(function, adds) + " " + Meetings.WARP;
    };
  }

  private static String reduction(PlainFunction function, boolean adds) {
    return switch (function) {
      case LANES_ANY -> vote("any.pred gyre_p, gyre_p");
      case LANES_ALL -> vote("all.pred gyre_p, gyre_p");
      case LANES_BALLOT ->
          "{ .reg .pred gyre_p; setp.ne.s32 gyre_p, $x, 0; vote.sync.ballot.b32 $r, gyre_p,"
              + " 0xffffffff; }";
      case LANES_SHUFFLE_INT, LANES_SHUFFLE_LONG, LANES_SHUFFLE_FLOAT, LANES_SHUFFLE_DOUBLE ->
          "{ .reg .%1$s gyre_v; .reg .b32 gyre_i; mov.%1$s gyre_v, $x; mov.b32 gyre_i, $y; %2$smov.%1$s $r, gyre_v; }"
              .formatted(type(function), move(function, "idx", "", "gyre_v", "gyre_i, 31"));
      case LANES_SUM_INT ->
          adds
              ? "{ .reg .b32 gyre_v; mov.b32 gyre_v, $x; redux.sync.add.s32 $r, gyre_v,"
                  + " 0xffffffff; }"
              : sum(function);
      case LANES_SUM_LONG, LANES_SUM_FLOAT, LANES_SUM_DOUBLE -> sum(function);
      case LANES_PREFIX_SUM_INT,
          LANES_PREFIX_SUM_LONG,
          LANES_PREFIX_SUM_FLOAT,
          LANES_PREFIX_SUM_DOUBLE ->
          prefixSum(function);
      default -> throw new IllegalArgumentException(function + " is not a lane function");
    };
  }

  private static String vote(String how) {
    return "{ .reg .pred gyre_p; setp.ne.s32 gyre_p, $x, 0; vote.sync.%s, 0xffffffff; selp.s32 $r, 1, 0, gyre_p; }"
        .formatted(how);
  }

  /**
   * Returns a butterfly sum: pairs of lanes add each other's sums, so that finally all have the
   * total.
   */
  private static String sum(PlainFunction function) {
    return steps(function, "bfly", "", "31", "");
  }

  /** The predicate is true if that lane exists. */
  private static String prefixSum(PlainFunction function) {
    return steps(function, "up", "|gyre_p", "0", "@gyre_p ");
  }

  private static String steps(
      PlainFunction function, String how, String there, String bound, String where) {
    StringBuilder text = new StringBuilder();
    for (int distance = 1; distance < WIDTH; distance *= 2) {
      text.append(move(function, how, there, "gyre_n", distance + ", " + bound))
          .append(where)
          .append(function.type().isFloating() ? "add.rn." : "add.")
          .append(type(function))
          .append(" gyre_v, gyre_v, gyre_n; ");
    }
    return "{ .reg .%1$s gyre_v, gyre_n; .reg .pred gyre_p; mov.%1$s gyre_v, $x; %2$smov.%1$s $r, gyre_v; }"
        .formatted(type(function), text);
  }

  /** Returns the text that moves {@code gyre_v} from another lane; 32 bits at a time. */
  private static String move(
      PlainFunction function, String how, String there, String into, String from) {
    String instruction =
        "shfl.sync." + how + ".b32 %s" + there + ", %s, " + from + ", " + ALL + "; ";
    return function.type().bytes() == Integer.BYTES
        ? instruction.formatted(into, "gyre_v")
        : "{ .reg .b32 gyre_l, gyre_h; mov.b64 {gyre_l, gyre_h}, gyre_v; "
            + instruction.formatted("gyre_l", "gyre_l")
            + instruction.formatted("gyre_h", "gyre_h")
            + "mov.b64 %s, {gyre_l, gyre_h}; } ".formatted(into);
  }

  private static String type(PlainFunction function) {
    ElementType type = function.type();
    return (type.isFloating() ? "f" : "s") + type.bytes() * Byte.SIZE;
  }

  /** Returns the sum over the present threads, which the first of them receives. */
  static String sumOfPresent() {
    return "{ .reg .b32 gyre_m, gyre_l, gyre_v; .reg .pred gyre_p; activemask.b32 gyre_m; "
        + "mov.b32 gyre_v, $x; redux.sync.add.s32 gyre_v, gyre_v, gyre_m; "
        + "mov.u32 gyre_l, %lanemask_lt; and.b32 gyre_l, gyre_l, gyre_m; "
        + "setp.eq.u32 gyre_p, gyre_l, 0; selp.s32 $r, gyre_v, 0, gyre_p; }";
  }
}

package dev.gyre.atomics.tornadovm.nvidia;

import dev.gyre.atomics.tornadovm.Meetings;
import dev.gyre.atomics.tornadovm.PlainFunction;

/** PTX of what the 32 threads of a warp do together. */
final class PtxLanes {

  private static final int WIDTH = 32;

  private PtxLanes() {}

  /**
   * The text of a function that all threads of a warp call.
   *
   * @param adds whether the device has {@code redux.sync}
   */
  static String text(PlainFunction function, boolean adds) {
    String text =
        switch (function) {
          case LANES_WIDTH -> "mov.s32 $r, %d;".formatted(WIDTH);
          case LANES_INDEX -> "mov.u32 $r, %laneid;";
          case LANES_ANY -> vote("any.pred gyre_p, gyre_p");
          case LANES_ALL -> vote("all.pred gyre_p, gyre_p");
          case LANES_BALLOT ->
              "{ .reg .pred gyre_p; setp.ne.s32 gyre_p, $x, 0; vote.sync.ballot.b32 $r, gyre_p,"
                  + " 0xffffffff; }";
          case LANES_SHUFFLE ->
              "{ .reg .b32 gyre_v, gyre_n; mov.b32 gyre_v, $x; mov.b32 gyre_n, $y;"
                  + " shfl.sync.idx.b32 $r, gyre_v, gyre_n, 31, 0xffffffff; }";
          case LANES_SUM ->
              adds
                  ? "{ .reg .b32 gyre_v; mov.b32 gyre_v, $x; redux.sync.add.s32 $r, gyre_v,"
                      + " 0xffffffff; }"
                  : steps(
                      "shfl.sync.bfly.b32 gyre_n, gyre_v, %d, 31, 0xffffffff; add.s32 gyre_v,"
                          + " gyre_v, gyre_n; ");
          case LANES_PREFIX_SUM ->
              // The predicate says whether there is such a lane.
              steps(
                  "shfl.sync.up.b32 gyre_n|gyre_p, gyre_v, %d, 0, 0xffffffff; @gyre_p add.s32"
                      + " gyre_v, gyre_v, gyre_n; ");
          default -> throw new IllegalArgumentException(function + " is none of lanes");
        };
    boolean together =
        function != PlainFunction.LANES_WIDTH && function != PlainFunction.LANES_INDEX;
    return together ? text + " " + Meetings.WARP : text;
  }

  private static String vote(String how) {
    return "{ .reg .pred gyre_p; setp.ne.s32 gyre_p, $x, 0; vote.sync.%s, 0xffffffff; selp.s32 $r, 1, 0, gyre_p; }"
        .formatted(how);
  }

  private static String steps(String step) {
    StringBuilder text =
        new StringBuilder("{ .reg .b32 gyre_v, gyre_n; .reg .pred gyre_p; mov.b32 gyre_v, $x; ");
    for (int distance = 1; distance < WIDTH; distance *= 2) {
      text.append(step.formatted(distance));
    }
    return text.append("mov.b32 $r, gyre_v; }").toString();
  }

  /** The first of the threads that are here together gets what all have. */
  static String sumOfPresent() {
    return "{ .reg .b32 gyre_m, gyre_l, gyre_v; .reg .pred gyre_p; activemask.b32 gyre_m; "
        + "mov.b32 gyre_v, $x; redux.sync.add.s32 gyre_v, gyre_v, gyre_m; "
        + "mov.u32 gyre_l, %lanemask_lt; and.b32 gyre_l, gyre_l, gyre_m; "
        + "setp.eq.u32 gyre_p, gyre_l, 0; selp.s32 $r, gyre_v, 0, gyre_p; }";
  }
}

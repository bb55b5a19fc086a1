package dev.gyre.atomics.tornadovm.nvidia;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.Order;
import dev.gyre.atomics.table.Scope;
import dev.gyre.atomics.table.Space;
import dev.gyre.atomics.tornadovm.Arithmetic;
import dev.gyre.atomics.tornadovm.Meetings;
import dev.gyre.atomics.tornadovm.PlainFunction;
import dev.gyre.atomics.tornadovm.Syntax;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * PTX for compute capability 7.0 and later: the only place that knows its instructions.
 *
 * <p>A sequentially consistent access is {@code fence.sc} before the acquire form (loads and
 * updates) or the relaxed form (stores), the mapping for which the PTX memory model is proved.
 * Thread scope is plain, as {@code cuda::thread_scope_thread}. Values between two instructions are
 * in registers of a nested scope.
 */
public final class PtxSyntax implements Syntax {

  /** First sleep of a wait, in nanoseconds, and number of times it doubles. */
  private static final int FIRST_SLEEP = 8;

  private static final int SLEEP_DOUBLINGS = 7;

  /** Pattern of loads that order nothing but themselves. */
  private static final Pattern LOAD =
      Pattern.compile("(ld(?:\\.relaxed\\.\\w+)?\\.global)\\.(b32|b64) \\$r, \\$a;");

  private final boolean adds;

  /**
   * @param adds whether the device has {@code redux.sync}, from compute capability 8.0 on
   */
  public PtxSyntax(boolean adds) {
    this.adds = adds;
  }

  @Override
  public String operation(Operation o) {
    String text = global(o);
    return o.space() == Space.SHARED ? text.replace(".global", ".shared") : text;
  }

  private static String global(Operation o) {
    return switch (o.kind()) {
      case GET -> "ld.global.%s $r, $a;".formatted(bits(o));
      case SET -> "st.global.%s $a, $x;".formatted(bits(o));
      case WAKE_ALL -> "";
      case PAUSE -> pause();
      case WAIT_WHILE_EQUAL ->
          throw new IllegalArgumentException(o + " is made of other operations");
      default -> o.scope() == Scope.THREAD ? plain(o) : atomic(o);
    };
  }

  private static String atomic(Operation o) {
    String fence = o.order() == Order.SEQ_CST ? "fence.sc%s; ".formatted(scope(o.scope())) : "";
    return switch (o.kind()) {
      case LOAD -> fence + load(o, "$r");
      case STORE -> fence + store(o, "$x");
      case CLEAR -> fence + store(o, "0");
      case TEST ->
          fence + "{ .reg .%s gyre_v; %s %s }".formatted(bits(o), load(o, "gyre_v"), flag(o));
      case TEST_AND_SET ->
          fence
              + "{ .reg .%s gyre_v; %s %s }"
                  .formatted(bits(o), atom(o, "exch", bits(o), "gyre_v", "1"), flag(o));
      case COMPARE_AND_EXCHANGE -> fence + atom(o, "cas", bits(o), "$r", "$x, $y");
      case COMPARE_AND_SET ->
          fence
              + "{ .reg .%1$s gyre_v; %2$s .reg .pred gyre_p; setp.eq.%1$s gyre_p, gyre_v, $x; %3$s }"
                  .formatted(bits(o), atom(o, "cas", bits(o), "gyre_v", "$x, $y"), select());
      case FETCH_SUB ->
          fence
              + "{ .reg .%1$s gyre_v; neg.%1$s gyre_v, $x; %2$s }"
                  .formatted(signed(o), atom(o, "add", unsigned(o), "$r", "gyre_v"));
      case FETCH_ADD, FETCH_MIN, FETCH_MAX -> fence + fetch(o);
      default -> fence + atom(o, name(o.kind()), typeOf(o), "$r", "$x");
    };
  }

  /**
   * Returns an update. PTX has no atomic minimum and maximum of floating-point numbers, and its
   * addition of floats flushes subnormal numbers, except in shared memory.
   */
  private static String fetch(Operation o) {
    if (o.type().isFloating()
        && o.kind() == OperationKind.FETCH_ADD
        && (o.type() == ElementType.DOUBLE || o.space() == Space.SHARED)) {
      return atom(o, "add", "f" + o.type().bytes() * Byte.SIZE, "$r", "$x");
    }
    return o.type().isFloating()
        ? PtxFloats.retried(
            Arithmetic.of(o.kind()),
            o.type(),
            "ld.relaxed%s.global.%s %%s, $a;".formatted(scope(o.scope()), bits(o)),
            atom(o, "cas", bits(o), "gyre_s", "gyre_o, gyre_n"))
        : atom(o, name(o.kind()), typeOf(o), "$r", "$x");
  }

  @Override
  public @Nullable String pair(String load) {
    Matcher m = LOAD.matcher(load);
    return m.matches() ? "%s.v2.%s {$r, $s}, $a;".formatted(m.group(1), m.group(2)) : null;
  }

  private static String load(Operation o, String into) {
    String order = o.order() == Order.RELAXED ? ".relaxed" : ".acquire";
    return "ld%s%s.global.%s %s, $a;".formatted(order, scope(o.scope()), bits(o), into);
  }

  private static String store(Operation o, String value) {
    String order = o.order() == Order.RELEASE ? ".release" : ".relaxed";
    return "st%s%s.global.%s $a, %s;".formatted(order, scope(o.scope()), bits(o), value);
  }

  private static String atom(Operation o, String name, String type, String into, String operands) {
    String order =
        switch (o.order()) {
          case RELAXED -> ".relaxed";
          case ACQUIRE, SEQ_CST -> ".acquire";
          case RELEASE -> ".release";
          default -> ".acq_rel";
        };
    return "atom%s%s.global.%s.%s %s, $a, %s;"
        .formatted(order, scope(o.scope()), name, type, into, operands);
  }

  private static String plain(Operation o) {
    String load = "ld.global.%s %%s, $a;".formatted(bits(o));
    String read = load.formatted("$r") + " ";
    String write = "st.global.%s $a, ".formatted(bits(o));
    String flag =
        "{ .reg .%1$s gyre_v; ld.global.%1$s gyre_v, $a; %2$s ".formatted(bits(o), flag(o));
    return switch (o.kind()) {
      case LOAD -> read.strip();
      case STORE -> write + "$x;";
      case CLEAR -> write + "0;";
      case EXCHANGE -> read + write + "$x;";
      case COMPARE_AND_EXCHANGE ->
          "{ .reg .pred gyre_p; %ssetp.eq.%s gyre_p, $r, $x; @gyre_p %s$y; }"
              .formatted(read, bits(o), write);
      case COMPARE_AND_SET ->
          "{ .reg .%1$s gyre_v; .reg .pred gyre_p; ld.global.%1$s gyre_v, $a; setp.eq.%1$s gyre_p, gyre_v, $x; @gyre_p %2$s$y; %3$s }"
              .formatted(bits(o), write, select());
      case TEST -> flag + "}";
      case TEST_AND_SET -> flag + write + "1; }";
      default ->
          o.type().isFloating()
              ? PtxFloats.plainUpdate(Arithmetic.of(o.kind()), o.type(), load, write + "gyre_n;")
              : "{ .reg .%1$s gyre_v; %2$s%3$s.%1$s gyre_v, $r, $x; %4$sgyre_v; }"
                  .formatted(arithmetic(o), read, name(o.kind()), write);
    };
  }

  private static String flag(Operation o) {
    return ".reg .pred gyre_p; setp.ne.%s gyre_p, gyre_v, 0; %s".formatted(bits(o), select());
  }

  private static String select() {
    return "selp.s32 $r, 1, 0, gyre_p;";
  }

  /** Returns a sleep that doubles up to a bound. {@code $x} counts the polls so far. */
  private static String pause() {
    return "{ .reg .s64 gyre_d; .reg .u32 gyre_n; min.s64 gyre_d, $x, %d; cvt.u32.s64 gyre_n, gyre_d; shl.b32 gyre_n, %d, gyre_n; nanosleep.u32 gyre_n; add.s64 $r, $x, 1; }"
        .formatted(SLEEP_DOUBLINGS, FIRST_SLEEP);
  }

  private static String name(OperationKind kind) {
    return switch (kind) {
      case EXCHANGE -> "exch";
      case FETCH_ADD -> "add";
      case FETCH_SUB -> "sub";
      case FETCH_AND -> "and";
      case FETCH_OR -> "or";
      case FETCH_XOR -> "xor";
      case FETCH_MIN -> "min";
      case FETCH_MAX -> "max";
      default -> throw new IllegalArgumentException(kind + " has no instruction in PTX");
    };
  }

  /** Returns the type for an {@code atom} instruction. */
  private static String typeOf(Operation o) {
    return switch (o.kind()) {
      case FETCH_ADD -> unsigned(o);
      case FETCH_MIN, FETCH_MAX -> signed(o);
      default -> bits(o);
    };
  }

  /** Returns the type for the plain instruction of an update. */
  private static String arithmetic(Operation o) {
    return switch (o.kind()) {
      case FETCH_AND, FETCH_OR, FETCH_XOR -> bits(o);
      default -> signed(o);
    };
  }

  private static String bits(Operation o) {
    return "b" + o.type().bytes() * Byte.SIZE;
  }

  private static String signed(Operation o) {
    return "s" + o.type().bytes() * Byte.SIZE;
  }

  private static String unsigned(Operation o) {
    return "u" + o.type().bytes() * Byte.SIZE;
  }

  private static String scope(Scope scope) {
    return switch (scope) {
      case THREAD -> throw new IllegalArgumentException("thread scope is plain");
      case BLOCK -> ".cta";
      case DEVICE -> ".gpu";
      case SYSTEM -> ".sys";
    };
  }

  @Override
  public String fence(Fence f) {
    if (f.scope() == Scope.THREAD) {
      return "";
    }
    return "fence.%s%s;".formatted(f.order() == Order.SEQ_CST ? "sc" : "acq_rel", scope(f.scope()));
  }

  @Override
  public String shared(int number, long bytes) {
    return ".shared .align 8 .b8 gyre_s%1$d[%2$d]; mov.u64 $r, gyre_s%1$d;"
        .formatted(number, bytes);
  }

  @Override
  public String arithmetic(Arithmetic what, ElementType type) {
    return PtxFloats.arithmetic(what, type);
  }

  @Override
  public String function(PlainFunction function) {
    return switch (function) {
      // Java counts shift distances modulo the width; PTX clamps them.
      case SHIFT_RIGHT_INT ->
          "{ .reg .b32 gyre_n; and.b32 gyre_n, $y, 31; shr.u32 $r, $x, gyre_n; }";
      case SHIFT_RIGHT_LONG ->
          "{ .reg .b32 gyre_n; and.b32 gyre_n, $y, 63; shr.u64 $r, $x, gyre_n; }";
      case LESS_THAN_INT ->
          "{ .reg .pred gyre_p; setp.lt.u32 gyre_p, $x, $y; %s }".formatted(select());
      case LESS_THAN_LONG ->
          "{ .reg .pred gyre_p; setp.lt.u64 gyre_p, $x, $y; %s }".formatted(select());
      case MULTIPLY_HIGH -> "mul.hi.u64 $r, $x, $y;";
      case TO_LONG -> "cvt.u64.u32 $r, $x;";
      // Only a comment, which the launcher looks for.
      case MEET_BLOCK -> Meetings.BLOCK;
      case MEET_DEVICE, MEET_SYSTEM -> Meetings.GRID;
      // Not barrier.sync: an H200 let threads pass whose warp arrived in parts (docs/tornadovm.md).
      case BARRIER -> "bar.sync 0; " + Meetings.BARRIER;
      case SUM_OF_PRESENT -> adds ? PtxLanes.sumOfPresent() : "mov.b32 $r, $x;";
      default -> bytesOrLanes(function);
    };
  }

  private String bytesOrLanes(PlainFunction function) {
    return switch (function) {
      case GET_BYTE -> "ld.global.s8 $r, $a;";
      case GET_UNSIGNED_BYTE -> "ld.global.u8 $r, $a;";
      case SET_BYTE -> "st.global.u8 $a, $x;";
      default -> PtxLanes.text(function, adds);
    };
  }
}

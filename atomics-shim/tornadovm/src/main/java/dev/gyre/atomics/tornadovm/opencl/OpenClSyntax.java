package dev.gyre.atomics.tornadovm.opencl;

import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.Order;
import dev.gyre.atomics.table.Scope;
import dev.gyre.atomics.tornadovm.Meetings;
import dev.gyre.atomics.tornadovm.PlainFunction;
import dev.gyre.atomics.tornadovm.Syntax;

/**
 * OpenCL C 3.0 with its C11 atomics: all that is known of its text.
 *
 * <p>What the device does not declare is refused. Signed overflow is undefined in C and defined in
 * Java, so sums are unsigned here. There is nothing to sleep with: a wait polls.
 */
public final class OpenClSyntax implements Syntax {

  private final OpenClFeatures features;

  public OpenClSyntax(OpenClFeatures features) {
    this.features = features;
  }

  @Override
  public String operation(Operation o) {
    return switch (o.kind()) {
      case GET -> "$r = *%s;".formatted(pointer(o));
      case SET -> "*%s = $x;".formatted(pointer(o));
      case WAKE_ALL -> "";
      case PAUSE -> "$r = $x + 1;";
      case WAIT_WHILE_EQUAL ->
          throw new IllegalArgumentException(o + " is made of other operations");
      default -> o.scope() == Scope.THREAD ? plain(o) : atomic(o);
    };
  }

  private String atomic(Operation o) {
    features.require(o, o.order(), o.scope());
    String tail = "%s, %s)".formatted(order(o.order()), scope(o.scope()));
    String object = "(volatile __global atomic_%1$s *)($a)".formatted(o.type().primitive());
    String load = "atomic_load_explicit(%s, %s".formatted(object, tail);
    String store = "atomic_store_explicit(%s, %%s, %s;".formatted(object, tail);
    String update = "atomic_%%s_explicit(%s, %%s, %s".formatted(object, tail);
    return switch (o.kind()) {
      case LOAD -> "$r = %s;".formatted(load);
      case STORE -> store.formatted("$x");
      case CLEAR -> store.formatted("0");
      case TEST -> "$r = %s != 0;".formatted(load);
      case TEST_AND_SET -> "$r = %s != 0;".formatted(update.formatted("exchange", "1"));
      case COMPARE_AND_EXCHANGE ->
          "{ %s gyre_v = $x; %s; $r = gyre_v; }"
              .formatted(o.type().primitive(), compare(o, object));
      case COMPARE_AND_SET ->
          "{ %s gyre_v = $x; $r = %s ? 1 : 0; }"
              .formatted(o.type().primitive(), compare(o, object));
      default -> "$r = %s;".formatted(update.formatted(name(o.kind()), "$x"));
    };
  }

  private static String compare(Operation o, String object) {
    Order failure =
        switch (o.order()) {
          case ACQ_REL -> Order.ACQUIRE;
          case RELEASE -> Order.RELAXED;
          default -> o.order();
        };
    return "atomic_compare_exchange_strong_explicit(%s, &gyre_v, $y, %s, %s, %s)"
        .formatted(object, order(o.order()), order(failure), scope(o.scope()));
  }

  private static String plain(Operation o) {
    String begin =
        "{ __global %1$s *gyre_a = %2$s; %1$s gyre_v = *gyre_a; "
            .formatted(o.type().primitive(), pointer(o));
    return switch (o.kind()) {
      case LOAD -> "$r = *%s;".formatted(pointer(o));
      case STORE -> "*%s = $x;".formatted(pointer(o));
      case CLEAR -> "*%s = 0;".formatted(pointer(o));
      case COMPARE_AND_EXCHANGE -> begin + "if (gyre_v == $x) { *gyre_a = $y; } $r = gyre_v; }";
      case COMPARE_AND_SET ->
          begin + "if (gyre_v == $x) { *gyre_a = $y; $r = 1; } else { $r = 0; } }";
      case TEST -> begin + "$r = gyre_v != 0; }";
      case TEST_AND_SET -> begin + "*gyre_a = 1; $r = gyre_v != 0; }";
      default -> begin + "*gyre_a = %s; $r = gyre_v; }".formatted(result(o));
    };
  }

  private static String result(Operation o) {
    String sum = "(%1$s)((u%1$s)gyre_v %%s (u%1$s)$x)".formatted(o.type().primitive());
    String same = "(%1$s)$x".formatted(o.type().primitive());
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

  private static String name(OperationKind kind) {
    return switch (kind) {
      case EXCHANGE -> "exchange";
      case FETCH_ADD -> "fetch_add";
      case FETCH_SUB -> "fetch_sub";
      case FETCH_AND -> "fetch_and";
      case FETCH_OR -> "fetch_or";
      case FETCH_XOR -> "fetch_xor";
      case FETCH_MIN -> "fetch_min";
      case FETCH_MAX -> "fetch_max";
      default -> throw new IllegalArgumentException(kind + " has no function in OpenCL C");
    };
  }

  private static String pointer(Operation o) {
    return "((__global %s *)($a))".formatted(o.type().primitive());
  }

  private static String order(Order order) {
    return switch (order) {
      case PLAIN -> throw new IllegalArgumentException("a plain access has no order");
      case RELAXED -> "memory_order_relaxed";
      case ACQUIRE -> "memory_order_acquire";
      case RELEASE -> "memory_order_release";
      case ACQ_REL -> "memory_order_acq_rel";
      case SEQ_CST -> "memory_order_seq_cst";
    };
  }

  private static String scope(Scope scope) {
    return switch (scope) {
      case THREAD -> throw new IllegalArgumentException("thread scope is plain");
      case BLOCK -> "memory_scope_work_group";
      case DEVICE -> "memory_scope_device";
      case SYSTEM -> "memory_scope_all_devices";
    };
  }

  @Override
  public String fence(Fence f) {
    if (f.scope() == Scope.THREAD) {
      return "";
    }
    features.require("fence " + f.method(), f.order(), f.scope());
    return "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, %s, %s);"
        .formatted(order(f.order()), scope(f.scope()));
  }

  @Override
  public String function(PlainFunction function) {
    return switch (function) {
      case SHIFT_RIGHT_INT -> "$r = (int)((uint)($x) >> ($y & 31));";
      case SHIFT_RIGHT_LONG -> "$r = (long)((ulong)($x) >> ($y & 63));";
      case LESS_THAN_INT -> "$r = (uint)($x) < (uint)($y);";
      case LESS_THAN_LONG -> "$r = (ulong)($x) < (ulong)($y);";
      case MULTIPLY_HIGH -> "$r = (long)mul_hi((ulong)($x), (ulong)($y));";
      case TO_LONG -> "$r = (long)(uint)($x);";
      // Nothing is done there; the launcher looks for it.
      case MEET_BLOCK -> Meetings.BLOCK;
      case MEET_DEVICE, MEET_SYSTEM -> Meetings.GRID;
      case SUM_OF_LANES -> "$r = $x;";
      case GET_BYTE -> "$r = *((__global char *)($a));";
      case GET_UNSIGNED_BYTE -> "$r = *((__global uchar *)($a));";
      case SET_BYTE -> "*((__global char *)($a)) = (char)($x);";
    };
  }
}

package dev.gyre.atomics.tornadovm.opencl;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.Order;
import dev.gyre.atomics.table.Scope;
import dev.gyre.atomics.table.Space;
import dev.gyre.atomics.tornadovm.Arithmetic;
import dev.gyre.atomics.tornadovm.PlainFunction;
import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.c.CDialect;
import dev.gyre.atomics.tornadovm.c.CFloats;
import dev.gyre.atomics.tornadovm.c.PlainC;

/**
 * OpenCL C 3.0 with C11 atomics: the only place that knows its text.
 *
 * <p>Features that the device does not declare are refused. OpenCL C has no sleep: a wait backs off
 * by counting in private memory.
 */
public final class OpenClSyntax implements Syntax {

  private static final CDialect C = CDialect.OPENCL;

  /** Number of doublings up to the longest pause, which is about as long as in PTX. */
  private static final int PAUSE_DOUBLINGS = 9;

  private final OpenClFeatures features;
  private final PlainC plain = new PlainC(C);
  private final CFloats floats = new CFloats(C);

  public OpenClSyntax(OpenClFeatures features) {
    this.features = features;
  }

  @Override
  public String operation(Operation o) {
    String text = global(o);
    return o.space() == Space.SHARED ? text.replace("__global ", "__local ") : text;
  }

  private String global(Operation o) {
    return switch (o.kind()) {
      case GET, SET -> plain.operation(o);
      case WAKE_ALL -> "";
      case PAUSE -> pause();
      case WAIT_WHILE_EQUAL ->
          throw new IllegalArgumentException(o + " is made of other operations");
      default -> o.scope() == Scope.THREAD ? plain.operation(o) : atomic(o);
    };
  }

  private String atomic(Operation o) {
    features.require(o, o.order(), o.scope());
    String tail = "%s, %s)".formatted(order(o.order()), scope(o.scope()));
    // Atomics of integers are common, and of other types rare.
    String whole = o.type().whole().primitive();
    String object = "(volatile __global atomic_%1$s *)($a)".formatted(whole);
    String load = "atomic_load_explicit(%s, %s".formatted(object, tail);
    String store = "atomic_store_explicit(%s, %%s, %s;".formatted(object, tail);
    String update = "atomic_%%s_explicit(%s, %%s, %s".formatted(object, tail);
    return switch (o.kind()) {
      case LOAD -> "$r = %s;".formatted(C.ofWhole(o.type(), load));
      case STORE -> store.formatted(C.whole(o.type(), "$x"));
      case CLEAR -> store.formatted("0");
      case TEST -> "$r = %s != 0;".formatted(load);
      case TEST_AND_SET -> "$r = %s != 0;".formatted(update.formatted("exchange", "1"));
      case COMPARE_AND_EXCHANGE ->
          "{ %s gyre_v = %s; %s; $r = %s; }"
              .formatted(
                  whole,
                  C.whole(o.type(), "$x"),
                  compare(o, object, C.whole(o.type(), "$y")),
                  C.ofWhole(o.type(), "gyre_v"));
      case COMPARE_AND_SET ->
          "{ %s gyre_v = %s; $r = %s ? 1 : 0; }"
              .formatted(
                  whole, C.whole(o.type(), "$x"), compare(o, object, C.whole(o.type(), "$y")));
      case EXCHANGE ->
          "$r = %s;"
              .formatted(
                  C.ofWhole(o.type(), update.formatted("exchange", C.whole(o.type(), "$x"))));
      default ->
          o.type().isFloating()
              ? retried(o, object)
              : "$r = %s;".formatted(update.formatted(name(o.kind()), "$x"));
    };
  }

  /** Returns an update that repeats until no other one interferes. */
  private String retried(Operation o, String object) {
    String before = C.ofWhole(o.type(), "gyre_v");
    String after = floats.value(Arithmetic.of(o.kind()), o.type(), before, "($x)");
    return "{ %s gyre_v = atomic_load_explicit(%s, %s, %s); while (!%s) { } $r = %s; }"
        .formatted(
            o.type().whole().primitive(),
            object,
            order(Order.RELAXED),
            scope(o.scope()),
            compare(o, object, C.whole(o.type(), after)),
            before);
  }

  /** Returns a count that doubles up to a bound; volatile, so that it is not removed. */
  private static String pause() {
    return "{ volatile int gyre_n = 1 << (int)min((long)($x), %dL); while (gyre_n > 0) { gyre_n = gyre_n - 1; } $r = $x + 1; }"
        .formatted(PAUSE_DOUBLINGS);
  }

  private static String compare(Operation o, String object, String desired) {
    Order failure =
        switch (o.order()) {
          case ACQ_REL -> Order.ACQUIRE;
          case RELEASE -> Order.RELAXED;
          default -> o.order();
        };
    return "atomic_compare_exchange_strong_explicit(%s, &gyre_v, %s, %s, %s, %s)"
        .formatted(object, desired, order(o.order()), order(failure), scope(o.scope()));
  }

  private static String name(OperationKind kind) {
    return switch (kind) {
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
    // Also orders both kinds of memory: an atomic orders memory of its own kind only.
    return "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, %s, %s);"
        .formatted(order(f.order()), scope(f.scope()));
  }

  @Override
  public String shared(int number, long bytes) {
    return "__local long gyre_s%1$d[%2$d]; $r = (long)gyre_s%1$d;"
        .formatted(number, Math.ceilDiv(bytes, Long.BYTES));
  }

  @Override
  public String arithmetic(Arithmetic what, ElementType type) {
    features.require(what, type);
    return floats.arithmetic(what, type);
  }

  @Override
  public String function(PlainFunction function) {
    return plain.function(function);
  }
}

package dev.gyre.atomics.generator;

import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.Order;
import dev.gyre.atomics.table.Scope;

/** Generates the bodies of the handles' methods, which the JVM runs. */
final class HandleBodies {

  private HandleBodies() {}

  static String body(Operation o) {
    if (o.kind().form() == OperationKind.Form.WAIT) {
      return wait(o);
    }
    return switch (o.kind()) {
      case PAUSE -> "    return Backoff.pause(address(index), polls);\n";
      case WAKE_ALL -> "    Backoff.wakeAll(address(index));\n";
      default -> o.scope() == Scope.THREAD ? plain(o) : atomic(o);
    };
  }

  /** The loop has one exit and no jump out of it: a shape that every device compiler gets right. */
  private static String wait(Operation o) {
    return """
        $T seen = load$Order(index);
        long polls = seen == value ? 0 : pollLimit;
        while (polls < pollLimit) {
          polls = pause(index, polls);
          seen = load$Order(index);
          polls = seen == value ? polls : pollLimit;
        }
        return seen;
    """
        .replace("$Order", o.order().suffix())
        .replace("$T", o.type().primitive());
  }

  private static String plain(Operation o) {
    String t = o.type().primitive();
    String read = "    " + t + " before = get(index);\n";
    return switch (o.kind()) {
      case GET -> get(o, "get");
      case SET -> set(o, "set", "value");
      case LOAD -> "    return get(index);\n";
      case STORE -> "    set(index, value);\n";
      case EXCHANGE -> read + "    set(index, operand);\n    return before;\n";
      case COMPARE_AND_EXCHANGE ->
          read
              + "    if (%s == %s) {\n".formatted(bits(o, "before"), bits(o, "expected"))
              + "      set(index, desired);\n"
              + "    }\n"
              + "    return before;\n";
      case COMPARE_AND_SET ->
          "    boolean equal = %s == %s;\n".formatted(bits(o, "get(index)"), bits(o, "expected"))
              + "    if (equal) {\n      set(index, desired);\n    }\n    return equal;\n";
      case TEST -> "    return get(index) != 0;\n";
      case TEST_AND_SET ->
          "    boolean before = get(index) != 0;\n    set(index, 1);\n    return before;\n";
      case CLEAR -> "    set(index, 0);\n";
      default -> read + "    set(index, " + result(o.kind()) + ");\n    return before;\n";
    };
  }

  /** Returns the expression that compares elements by their bits. */
  private static String bits(Operation o, String value) {
    return switch (o.type()) {
      case FLOAT -> "Float.floatToRawIntBits(" + value + ")";
      case DOUBLE -> "Double.doubleToRawLongBits(" + value + ")";
      default -> value;
    };
  }

  private static String result(OperationKind kind) {
    return switch (kind) {
      case FETCH_ADD -> "before + operand";
      case FETCH_SUB -> "before - operand";
      case FETCH_AND -> "before & operand";
      case FETCH_OR -> "before | operand";
      case FETCH_XOR -> "before ^ operand";
      case FETCH_MIN -> "Math.min(before, operand)";
      case FETCH_MAX -> "Math.max(before, operand)";
      default -> throw new IllegalArgumentException(kind.toString());
    };
  }

  private static String atomic(Operation o) {
    String update = updateMode(o.order());
    return switch (o.kind()) {
      case GET -> get(o, "get");
      case SET -> set(o, "set", "value");
      case LOAD -> get(o, loadMode(o.order()));
      case STORE -> set(o, storeMode(o.order()), "value");
      case EXCHANGE -> call(o, "getAndSet" + update, "operand");
      case COMPARE_AND_EXCHANGE -> call(o, "compareAndExchange" + update, "expected, desired");
      case COMPARE_AND_SET ->
          // The strong form has one mode, which is the strongest.
          access(
              "return %s.compareAndSet(segment, offset(index), expected, desired)"
                  .formatted(o.type().name()));
      case FETCH_ADD ->
          o.type().isFloating() ? retried(o) : call(o, "getAndAdd" + update, "operand");
      case FETCH_SUB -> call(o, "getAndAdd" + update, "-operand");
      case FETCH_AND -> call(o, "getAndBitwiseAnd" + update, "operand");
      case FETCH_OR -> call(o, "getAndBitwiseOr" + update, "operand");
      case FETCH_XOR -> call(o, "getAndBitwiseXor" + update, "operand");
      case FETCH_MIN, FETCH_MAX -> retried(o);
      case TEST -> "    return load" + o.order().suffix() + "(index) != 0;\n";
      case TEST_AND_SET -> "    return exchange" + o.order().suffix() + "(index, 1) != 0;\n";
      case CLEAR -> "    store" + o.order().suffix() + "(index, 0);\n";
      case WAIT_WHILE_EQUAL, PAUSE, WAKE_ALL -> throw new IllegalArgumentException(o.toString());
    };
  }

  /** Returns a loop that repeats while other threads change the element in between. */
  private static String retried(Operation o) {
    return """
        $T before = loadRelaxed(index);
        $T seen = compareAndExchange$Order(index, before, $result);
        while ($seen != $before) {
          before = seen;
          seen = compareAndExchange$Order(index, before, $result);
        }
        return before;
    """
        .replace("$result", result(o.kind()))
        .replace("$seen", bits(o, "seen"))
        .replace("$before", bits(o, "before"))
        .replace("$Order", o.order().suffix())
        .replace("$T", o.type().primitive());
  }

  private static String get(Operation o, String mode) {
    return access(
        "return (%s) %s.%s(segment, offset(index))"
            .formatted(o.type().primitive(), varHandle(o), mode));
  }

  private static String set(Operation o, String mode, String value) {
    return access("%s.%s(segment, offset(index), %s)".formatted(varHandle(o), mode, value));
  }

  private static String varHandle(Operation o) {
    boolean plain = o.kind() == OperationKind.GET || o.kind() == OperationKind.SET;
    return plain ? "PLAIN" : o.type().name();
  }

  private static String call(Operation o, String mode, String arguments) {
    return access(
        "return (%s) %s.%s(segment, offset(index), %s)"
            .formatted(o.type().primitive(), o.type().name(), mode, arguments));
  }

  /**
   * HotSpot compiles the handler only if an access reaches it, so that it costs an access within
   * bounds almost nothing.
   */
  private static String access(String statement) {
    return """
        try {
          $statement;
        } catch (IndexOutOfBoundsException _) {
          throw outOfBounds(index);
        }
    """
        .replace("$statement", statement);
  }

  private static String loadMode(Order order) {
    return switch (order) {
      case RELAXED -> "getOpaque";
      case ACQUIRE -> "getAcquire";
      default -> "getVolatile";
    };
  }

  private static String storeMode(Order order) {
    return switch (order) {
      case RELAXED -> "setOpaque";
      case RELEASE -> "setRelease";
      default -> "setVolatile";
    };
  }

  /** Relaxed updates are acquire, the next stronger mode: there is no opaque update. */
  private static String updateMode(Order order) {
    return switch (order) {
      case RELAXED, ACQUIRE -> "Acquire";
      case RELEASE -> "Release";
      default -> "";
    };
  }
}

package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.OperationTable;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Result and effect of every operation, one thread, against a model in {@code long}s. */
class HandleValuesTest {

  private static final long UNTOUCHED = 0x1234_5678_9ABC_DEF0L;

  static List<Operation> operations() {
    return OperationTable.operations();
  }

  private static long[] extremes(ElementType type) {
    return switch (type) {
      case INT -> new long[] {0, 1, -1, 77, Integer.MAX_VALUE, Integer.MIN_VALUE};
      case LONG -> new long[] {0, 1, -1, 77L << 32, Long.MAX_VALUE, Long.MIN_VALUE};
      case FLOAT -> bits(type, Float.MIN_VALUE, Float.MAX_VALUE);
      case DOUBLE -> bits(type, Double.MIN_VALUE, Double.MAX_VALUE);
    };
  }

  private static long[] bits(ElementType type, double smallest, double largest) {
    return DoubleStream.of(
            0.0, -0.0, 1, -1.5, smallest, largest, Double.POSITIVE_INFINITY, Double.NaN)
        .mapToLong(d -> Methods.element(type, d))
        .toArray();
  }

  @ParameterizedTest
  @MethodSource("operations")
  void resultAndEffect(Operation o) {
    try (Memory memory = Memory.ofBytes(3L * o.type().bytes())) {
      Object handle = Methods.handle(o, memory);
      for (long before : extremes(o.type())) {
        for (long operand : extremes(o.type())) {
          for (long neighbour = 0; neighbour < 3; neighbour += 2) {
            set(handle, o, neighbour, UNTOUCHED);
          }
          set(handle, o, 1, before);
          check(handle, o, before, operand);
          assertThat(get(handle, o, 0)).isEqualTo(Methods.truncate(o.type(), UNTOUCHED));
          assertThat(get(handle, o, 2)).isEqualTo(Methods.truncate(o.type(), UNTOUCHED));
        }
      }
    }
  }

  private static void check(Object handle, Operation o, long before, long operand) {
    long desired = ~operand;
    long pollLimit = 3;
    long result =
        switch (o.kind().form()) {
          case COMPARE -> Methods.call(handle, o, 1, operand, desired);
          case WAIT -> Methods.call(handle, o, 1, operand, pollLimit);
          case PAUSE -> Methods.call(handle, o, 1, 5);
          default -> Methods.call(handle, o, 1, operand);
        };
    long after = get(handle, o, 1);
    assertThat(result)
        .as("result of %s on %d with %d", o, before, operand)
        .isEqualTo(expectedResult(o, before, operand));
    assertThat(after)
        .as("element after %s on %d with %d", o, before, operand)
        .isEqualTo(Methods.truncate(o.type(), expectedAfter(o, before, operand, desired)));
  }

  private static long expectedResult(Operation o, long before, long operand) {
    return switch (o.kind()) {
      case SET, STORE, CLEAR, WAKE_ALL -> 0;
      case COMPARE_AND_SET -> before == operand ? 1 : 0;
      case TEST, TEST_AND_SET -> before != 0 ? 1 : 0;
      case PAUSE -> 6;
      default -> before;
    };
  }

  private static long expectedAfter(Operation o, long before, long operand, long desired) {
    return switch (o.type()) {
      case INT, LONG -> expectedAfter(o.kind(), before, operand, desired);
      case FLOAT -> {
        float a = Float.intBitsToFloat((int) before);
        float b = Float.intBitsToFloat((int) operand);
        yield switch (o.kind()) {
          case FETCH_ADD -> Float.floatToRawIntBits(a + b);
          case FETCH_MIN -> Float.floatToRawIntBits(Math.min(a, b));
          case FETCH_MAX -> Float.floatToRawIntBits(Math.max(a, b));
          default -> expectedAfter(o.kind(), before, operand, desired);
        };
      }
      case DOUBLE -> {
        double a = Double.longBitsToDouble(before);
        double b = Double.longBitsToDouble(operand);
        yield switch (o.kind()) {
          case FETCH_ADD -> Double.doubleToRawLongBits(a + b);
          case FETCH_MIN -> Double.doubleToRawLongBits(Math.min(a, b));
          case FETCH_MAX -> Double.doubleToRawLongBits(Math.max(a, b));
          default -> expectedAfter(o.kind(), before, operand, desired);
        };
      }
    };
  }

  private static long expectedAfter(OperationKind kind, long before, long operand, long desired) {
    return switch (kind) {
      case SET, STORE, EXCHANGE -> operand;
      case COMPARE_AND_EXCHANGE, COMPARE_AND_SET -> before == operand ? desired : before;
      case FETCH_ADD -> before + operand;
      case FETCH_SUB -> before - operand;
      case FETCH_AND -> before & operand;
      case FETCH_OR -> before | operand;
      case FETCH_XOR -> before ^ operand;
      case FETCH_MIN -> Math.min(before, operand);
      case FETCH_MAX -> Math.max(before, operand);
      case TEST_AND_SET -> 1;
      case CLEAR -> 0;
      case GET, LOAD, TEST, WAIT_WHILE_EQUAL, PAUSE, WAKE_ALL -> before;
    };
  }

  private static long get(Object handle, Operation o, long index) {
    return Methods.call(handle, plain(OperationKind.GET, o), index);
  }

  private static void set(Object handle, Operation o, long index, long value) {
    Methods.call(handle, plain(OperationKind.SET, o), index, value);
  }

  private static Operation plain(OperationKind kind, Operation o) {
    return new Operation(kind, kind.orders().getFirst(), o.scope(), o.type(), o.space());
  }
}

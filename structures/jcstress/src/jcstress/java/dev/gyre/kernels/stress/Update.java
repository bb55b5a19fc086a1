package dev.gyre.kernels.stress;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.OperationTable;
import dev.gyre.atomics.table.Scope;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.function.Predicate;

/**
 * Two calls of one read-modify-write operation, on one element that begins as {@code initial}, and
 * what they may give: what they give one after the other, in either order.
 */
record Update(
    Operation operation, MethodHandle first, MethodHandle second, long initial, List<Ends> legal) {

  /** Results of the two calls, and the element after both. */
  record Ends(long first, long second, long element) {}

  /** Every read-modify-write operation of the scopes that are asked for. */
  static Update[] table(Predicate<Scope> scopes) {
    return OperationTable.operations().stream()
        .filter(o -> scopes.test(o.scope()) && updates(o.kind()))
        .map(Update::of)
        .toArray(Update[]::new);
  }

  private static boolean updates(OperationKind kind) {
    return kind == OperationKind.TEST_AND_SET
        || kind.form() == OperationKind.Form.UPDATE
        || kind.form() == OperationKind.Form.COMPARE;
  }

  private static Update of(Operation o) {
    MethodHandle first = Calls.bind(o, operands(o.kind(), 1));
    MethodHandle second = Calls.bind(o, operands(o.kind(), 2));
    long initial =
        o.kind() == OperationKind.FETCH_AND || o.kind() == OperationKind.FETCH_MIN ? 3 : 0;
    long index = Cells.first(o.type(), Cells.take());
    Cells.set(o.type(), index, initial);
    long a = Calls.call(first, index);
    long b = Calls.call(second, index);
    Ends inOrder = new Ends(a, b, Cells.get(o.type(), index));
    Cells.set(o.type(), index, initial);
    b = Calls.call(second, index);
    a = Calls.call(first, index);
    return new Update(
        o, first, second, initial, List.of(inOrder, new Ends(a, b, Cells.get(o.type(), index))));
  }

  private static long[] operands(OperationKind kind, long operand) {
    return switch (kind.form()) {
      case COMPARE -> new long[] {0, operand};
      case UPDATE -> new long[] {operand};
      default -> new long[0];
    };
  }

  ElementType type() {
    return operation.type();
  }

  /** "one after the other", or what went wrong. */
  String verdict(long firstResult, long secondResult, long element) {
    Ends ends = new Ends(firstResult, secondResult, element);
    return legal.contains(ends) ? "one after the other" : operation + ": " + ends;
  }
}

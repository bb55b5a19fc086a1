package dev.gyre.atomics.table;

import java.util.ArrayList;
import java.util.List;

/**
 * Every operation of the shim: kind x order x scope x element type.
 *
 * <p>The handles of {@code dev.gyre.atomics} are generated from this table, and every device
 * backend lowers it row by row; a row without a lowering fails that backend's tests.
 */
public final class OperationTable {

  private static final List<Operation> OPERATIONS = enumerate();
  private static final List<Fence> FENCES = enumerateFences();

  private OperationTable() {}

  /** All operations on handles, by scope, then type, then kind, then order. */
  public static List<Operation> operations() {
    return OPERATIONS;
  }

  /** All operations of one handle, by kind, then order. */
  public static List<Operation> operations(Scope scope, ElementType type) {
    return OPERATIONS.stream().filter(o -> o.scope() == scope && o.type() == type).toList();
  }

  /** All fences, by scope, then order. */
  public static List<Fence> fences() {
    return FENCES;
  }

  private static List<Operation> enumerate() {
    List<Operation> all = new ArrayList<>();
    for (Scope scope : Scope.values()) {
      for (ElementType type : ElementType.values()) {
        for (OperationKind kind : OperationKind.values()) {
          if (kind.isOn(type)) {
            for (Order order : kind.orders()) {
              all.add(new Operation(kind, order, scope, type));
            }
          }
        }
      }
    }
    return List.copyOf(all);
  }

  private static List<Fence> enumerateFences() {
    List<Fence> all = new ArrayList<>();
    for (Scope scope : Scope.values()) {
      for (Order order : Fence.ORDERS) {
        all.add(new Fence(scope, order));
      }
    }
    return List.copyOf(all);
  }
}

package dev.gyre.atomics.table;

import java.util.ArrayList;
import java.util.List;

/**
 * Table of all operations of the shim: kind x order x scope x element type.
 *
 * <p>The build generates the handles of {@code dev.gyre.atomics} from this table, and every device
 * backend lowers it row by row. A row without a lowering fails the tests of that backend.
 */
public final class OperationTable {

  private static final List<Operation> OPERATIONS = enumerate();
  private static final List<Fence> FENCES = enumerateFences();

  private OperationTable() {}

  /**
   * Returns all operations of handles, by scope, then type, then kind, then order; the operations
   * on shared memory are last.
   */
  public static List<Operation> operations() {
    return OPERATIONS;
  }

  /** Returns all operations of a handle to global memory, by kind, then order. */
  public static List<Operation> operations(Scope scope, ElementType type) {
    return operations(Space.GLOBAL, scope, type);
  }

  /** Returns all operations of a handle to shared memory, by kind, then order. */
  public static List<Operation> shared(ElementType type) {
    return operations(Space.SHARED, Scope.BLOCK, type);
  }

  private static List<Operation> operations(Space space, Scope scope, ElementType type) {
    return OPERATIONS.stream()
        .filter(o -> o.space() == space && o.scope() == scope && o.type() == type)
        .toList();
  }

  /** Returns all fences, by scope, then order. */
  public static List<Fence> fences() {
    return FENCES;
  }

  private static List<Operation> enumerate() {
    List<Operation> all = new ArrayList<>();
    for (Scope scope : Scope.values()) {
      addAll(all, Space.GLOBAL, scope);
    }
    addAll(all, Space.SHARED, Scope.BLOCK);
    return List.copyOf(all);
  }

  private static void addAll(List<Operation> all, Space space, Scope scope) {
    for (ElementType type : ElementType.values()) {
      for (OperationKind kind : OperationKind.values()) {
        if (kind.isOn(type)) {
          for (Order order : kind.orders()) {
            all.add(new Operation(kind, order, scope, type, space));
          }
        }
      }
    }
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

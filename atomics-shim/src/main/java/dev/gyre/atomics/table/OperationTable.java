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

  /**
   * All operations on handles, by scope, then type, then kind, then order; those on what a block
   * shares are the last.
   */
  public static List<Operation> operations() {
    return OPERATIONS;
  }

  /** All operations of one handle, by kind, then order. */
  public static List<Operation> operations(Scope scope, ElementType type) {
    return operations(Space.GLOBAL, scope, type);
  }

  /** All operations of the handle of what a block shares, by kind, then order. */
  public static List<Operation> shared(ElementType type) {
    return operations(Space.SHARED, Scope.BLOCK, type);
  }

  private static List<Operation> operations(Space space, Scope scope, ElementType type) {
    return OPERATIONS.stream()
        .filter(o -> o.space() == space && o.scope() == scope && o.type() == type)
        .toList();
  }

  /** All fences, by scope, then order. */
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

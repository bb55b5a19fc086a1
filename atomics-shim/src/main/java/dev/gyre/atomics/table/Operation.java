package dev.gyre.atomics.table;

/**
 * One method of one handle: a kind of operation at an order, a scope and an element type.
 *
 * @param kind what it does
 * @param order its memory order; one of {@code kind.orders()}
 * @param scope the threads among which it is atomic
 * @param type the type of the element
 * @param space which memory the element is in; what is shared by a block has its scope
 */
public record Operation(
    OperationKind kind, Order order, Scope scope, ElementType type, Space space) {

  public Operation {
    if (!kind.orders().contains(order)) {
      throw new IllegalArgumentException(kind + " has no order " + order);
    }
    if (!kind.isOn(type)) {
      throw new IllegalArgumentException("there is no " + kind + " of a " + type.primitive());
    }
    if (space == Space.SHARED && scope != Scope.BLOCK) {
      throw new IllegalArgumentException("only a block shares memory, not " + scope);
    }
  }

  /** An operation on an element that every thread of the device reaches. */
  public Operation(OperationKind kind, Order order, Scope scope, ElementType type) {
    this(kind, order, scope, type, Space.GLOBAL);
  }

  /** Name of the method, such as {@code loadAcquire}. */
  public String method() {
    return kind.method() + order.suffix();
  }

  /** Simple name of the class that has the method, such as {@code DeviceInts}. */
  public String handle() {
    return (space == Space.SHARED ? "Shared" : scope.prefix()) + type.suffix();
  }

  @Override
  public String toString() {
    return handle() + "." + method();
  }
}

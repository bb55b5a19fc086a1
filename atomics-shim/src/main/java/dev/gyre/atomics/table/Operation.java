package dev.gyre.atomics.table;

/**
 * A method of a handle: a kind of operation with an order, a scope and an element type.
 *
 * @param kind what the operation does
 * @param order its memory order; one of {@code kind.orders()}
 * @param scope the threads among which it is atomic; block scope in shared memory
 * @param type the type of the element
 * @param space the memory of the element
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
      throw new IllegalArgumentException("shared memory has block scope, not " + scope);
    }
  }

  /** Creates an operation on global memory. */
  public Operation(OperationKind kind, Order order, Scope scope, ElementType type) {
    this(kind, order, scope, type, Space.GLOBAL);
  }

  /** Returns the name of the method, such as {@code loadAcquire}. */
  public String method() {
    return kind.method() + order.suffix();
  }

  /** Returns the simple name of the class of the method, such as {@code DeviceInts}. */
  public String handle() {
    return (space == Space.SHARED ? "Shared" : scope.prefix()) + type.suffix();
  }

  @Override
  public String toString() {
    return handle() + "." + method();
  }
}

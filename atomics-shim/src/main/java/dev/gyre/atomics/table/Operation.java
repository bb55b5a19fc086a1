package dev.gyre.atomics.table;

/**
 * One method of one handle: a kind of operation at an order, a scope and an element type.
 *
 * @param kind what it does
 * @param order its memory order; one of {@code kind.orders()}
 * @param scope the threads among which it is atomic
 * @param type the type of the element
 */
public record Operation(OperationKind kind, Order order, Scope scope, ElementType type) {

  public Operation {
    if (!kind.orders().contains(order)) {
      throw new IllegalArgumentException(kind + " has no order " + order);
    }
    if (!kind.isOn(type)) {
      throw new IllegalArgumentException("there is no " + kind + " of a " + type.primitive());
    }
  }

  /** Name of the method, such as {@code loadAcquire}. */
  public String method() {
    return kind.method() + order.suffix();
  }

  /** Simple name of the class that has the method, such as {@code DeviceInts}. */
  public String handle() {
    return scope.prefix() + type.suffix();
  }

  @Override
  public String toString() {
    return handle() + "." + method();
  }
}

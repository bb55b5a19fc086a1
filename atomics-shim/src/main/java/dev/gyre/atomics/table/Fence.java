package dev.gyre.atomics.table;

import java.util.List;
import java.util.Locale;

/**
 * A fence, as {@code cuda::atomic_thread_fence}: orders the accesses around it among the threads of
 * a scope.
 *
 * @param scope the threads among which it orders
 * @param order one of {@link #ORDERS}
 */
public record Fence(Scope scope, Order order) {

  /** The orders that fences come in. */
  public static final List<Order> ORDERS =
      List.of(Order.ACQUIRE, Order.RELEASE, Order.ACQ_REL, Order.SEQ_CST);

  public Fence {
    if (!ORDERS.contains(order)) {
      throw new IllegalArgumentException("no fence has order " + order);
    }
  }

  /** Name of the method, such as {@code deviceAcquire}. */
  public String method() {
    return scope.prefix().toLowerCase(Locale.ROOT) + order.suffix();
  }
}

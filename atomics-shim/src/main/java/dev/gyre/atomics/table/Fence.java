package dev.gyre.atomics.table;

import java.util.List;
import java.util.Locale;

/**
 * A fence, which orders the accesses around it among the threads of a scope, as {@code
 * cuda::atomic_thread_fence} does.
 *
 * @param scope the threads that observe the order
 * @param order one of {@link #ORDERS}
 */
public record Fence(Scope scope, Order order) {

  /** All orders of fences. */
  public static final List<Order> ORDERS =
      List.of(Order.ACQUIRE, Order.RELEASE, Order.ACQ_REL, Order.SEQ_CST);

  public Fence {
    if (!ORDERS.contains(order)) {
      throw new IllegalArgumentException("no fence has order " + order);
    }
  }

  /** Returns the name of the method, such as {@code deviceAcquire}. */
  public String method() {
    return scope.prefix().toLowerCase(Locale.ROOT) + order.suffix();
  }
}

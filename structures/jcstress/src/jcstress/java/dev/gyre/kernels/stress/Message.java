package dev.gyre.kernels.stress;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.OperationTable;
import dev.gyre.atomics.table.Order;
import dev.gyre.atomics.table.Scope;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A way of passing a message: an operation that raises a flag, and one that looks at it.
 *
 * @param raise {@code long (long index)}; raises the flag, which is {@code lowered} at first
 * @param look {@code long (long index)}; the result is 1 where the flag is raised, else 0
 */
record Message(String name, ElementType type, MethodHandle raise, MethodHandle look, long lowered) {

  private static final Set<Order> RELEASES = Set.of(Order.RELEASE, Order.ACQ_REL, Order.SEQ_CST);
  private static final Set<Order> ACQUIRES = Set.of(Order.ACQUIRE, Order.ACQ_REL, Order.SEQ_CST);
  private static final Set<Order> RELAXED = Set.of(Order.RELAXED);

  /** Polls of a waiting look: enough to go round its loop. */
  private static final long POLLS = 3;

  /** One side of a message. */
  private record Side(String name, MethodHandle call, long lowered, long raised) {}

  /** Every release operation with every acquire operation of the same handle, fences included. */
  static List<Message> ordered() {
    List<Message> all = new ArrayList<>();
    for (Scope scope : List.of(Scope.BLOCK, Scope.DEVICE, Scope.SYSTEM)) {
      for (ElementType type : ElementType.values()) {
        List<Side> raises = raises(scope, type, RELEASES);
        for (Order order : RELEASES) {
          raises.add(fencedStore(new Fence(scope, order), type));
        }
        add(all, type, scope, raises, ACQUIRES);
      }
    }
    return all;
  }

  /** Relaxed operations, and at thread scope plain ones: nothing is ordered. */
  static List<Message> unordered() {
    List<Message> all = new ArrayList<>();
    for (Scope scope : Scope.values()) {
      for (ElementType type : ElementType.values()) {
        add(all, type, scope, raises(scope, type, RELAXED), RELAXED);
      }
    }
    return all;
  }

  private static void add(
      List<Message> all, ElementType type, Scope scope, List<Side> raises, Set<Order> orders) {
    for (Side raise : raises) {
      List<Side> looks = looks(scope, type, orders, raise.lowered(), raise.raised());
      if (orders.equals(ACQUIRES)) {
        for (Order order : orders) {
          looks.add(fencedLoad(new Fence(scope, order), type, raise.lowered()));
        }
      }
      for (Side look : looks) {
        String name = raise.name() + " -> " + look.name();
        all.add(new Message(name, type, raise.call(), look.call(), raise.lowered()));
      }
    }
  }

  private static List<Side> raises(Scope scope, ElementType type, Set<Order> orders) {
    List<Side> sides = new ArrayList<>();
    for (Operation o : OperationTable.operations(scope, type)) {
      if (orders.contains(o.order())) {
        switch (o.kind()) {
          case LOAD, TEST, WAIT_WHILE_EQUAL -> {}
          case CLEAR, FETCH_AND -> sides.add(raise(o, 1, 0));
          case FETCH_SUB -> sides.add(raise(o, 0, -1));
          case FETCH_MIN -> sides.add(raise(o, 0, -1));
          default -> sides.add(raise(o, 0, 1));
        }
      }
    }
    return sides;
  }

  private static Side raise(Operation o, long lowered, long raised) {
    long[] operands =
        switch (o.kind().form()) {
          case COMPARE -> new long[] {lowered, raised};
          case FLAG, CLEAR -> new long[0];
          default -> new long[] {o.kind() == OperationKind.FETCH_SUB ? 1 : raised};
        };
    return new Side(o.toString(), Calls.bind(o, operands), lowered, raised);
  }

  /** Looks leave the flag as it is, but for those that raise it themselves when it was lowered. */
  private static List<Side> looks(
      Scope scope, ElementType type, Set<Order> orders, long lowered, long raised) {
    List<Side> sides = new ArrayList<>();
    for (Operation o : OperationTable.operations(scope, type)) {
      if (orders.contains(o.order())) {
        switch (o.kind()) {
          case STORE, CLEAR -> {}
          case LOAD -> sides.add(look(o, lowered));
          case TEST, TEST_AND_SET -> sides.add(look(o, lowered == 0 ? 0 : 1));
          case WAIT_WHILE_EQUAL -> sides.add(look(o, lowered, lowered, POLLS));
          case EXCHANGE -> sides.add(look(o, lowered, lowered));
          case COMPARE_AND_EXCHANGE -> sides.add(look(o, lowered, raised, raised));
          case COMPARE_AND_SET -> sides.add(look(o, 0, raised, raised));
          case FETCH_AND -> sides.add(look(o, lowered, -1));
          case FETCH_MIN -> sides.add(look(o, lowered, Integer.MAX_VALUE));
          case FETCH_MAX -> sides.add(look(o, lowered, Integer.MIN_VALUE));
          default -> sides.add(look(o, lowered, 0));
        }
      }
    }
    return sides;
  }

  /** {@code unseen} is the result where the flag is not raised. */
  private static Side look(Operation o, long unseen, long... operands) {
    MethodHandle seen = MethodHandles.insertArguments(DIFFERS, 0, unseen);
    return new Side(
        o.toString(), MethodHandles.filterReturnValue(Calls.bind(o, operands), seen), 0, 0);
  }

  private static Side fencedStore(Fence fence, ElementType type) {
    Operation store = new Operation(OperationKind.STORE, Order.RELAXED, fence.scope(), type);
    MethodHandle first = MethodHandles.dropArguments(Calls.fence(fence), 0, long.class);
    return new Side(
        "Fences." + fence.method() + ", " + store,
        MethodHandles.foldArguments(Calls.bind(store, 1), first),
        0,
        1);
  }

  private static Side fencedLoad(Fence fence, ElementType type, long lowered) {
    Operation load = new Operation(OperationKind.LOAD, Order.RELAXED, fence.scope(), type);
    Side look = look(load, lowered);
    MethodHandle then =
        MethodHandles.foldArguments(
            MethodHandles.identity(long.class),
            MethodHandles.dropArguments(Calls.fence(fence), 0, long.class));
    return new Side(
        load + ", Fences." + fence.method(),
        MethodHandles.filterReturnValue(look.call(), then),
        0,
        0);
  }

  private static final MethodHandle DIFFERS = differs();

  private static MethodHandle differs() {
    try {
      return MethodHandles.lookup()
          .findStatic(
              Message.class,
              "oneIfDifferent",
              MethodType.methodType(long.class, long.class, long.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  // Found by its name, above.
  @SuppressWarnings("UnusedMethod")
  private static long oneIfDifferent(long a, long b) {
    return a == b ? 0 : 1;
  }
}

package dev.gyre.atomics.table;

import static dev.gyre.atomics.table.Order.ACQUIRE;
import static dev.gyre.atomics.table.Order.ACQ_REL;
import static dev.gyre.atomics.table.Order.PLAIN;
import static dev.gyre.atomics.table.Order.RELAXED;
import static dev.gyre.atomics.table.Order.RELEASE;
import static dev.gyre.atomics.table.Order.SEQ_CST;

import java.util.List;

/** Kind of an operation, and the orders that exist for it. */
public enum OperationKind {
  GET("get", Form.LOAD, PLAIN),
  SET("set", Form.STORE, PLAIN),
  LOAD("load", Form.LOAD, RELAXED, ACQUIRE, SEQ_CST),
  STORE("store", Form.STORE, RELAXED, RELEASE, SEQ_CST),
  EXCHANGE("exchange", Form.UPDATE, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
  COMPARE_AND_EXCHANGE(
      "compareAndExchange", Form.COMPARE, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
  COMPARE_AND_SET("compareAndSet", Form.COMPARE, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
  FETCH_ADD("fetchAdd", Form.UPDATE, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
  FETCH_SUB("fetchSub", Form.UPDATE, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
  FETCH_AND("fetchAnd", Form.UPDATE, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
  FETCH_OR("fetchOr", Form.UPDATE, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
  FETCH_XOR("fetchXor", Form.UPDATE, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
  FETCH_MIN("fetchMin", Form.UPDATE, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
  FETCH_MAX("fetchMax", Form.UPDATE, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
  TEST("test", Form.FLAG, RELAXED, ACQUIRE, SEQ_CST),
  TEST_AND_SET("testAndSet", Form.FLAG, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST),
  CLEAR("clear", Form.CLEAR, RELAXED, RELEASE, SEQ_CST),
  WAIT_WHILE_EQUAL("waitWhileEqual", Form.WAIT, RELAXED, ACQUIRE, SEQ_CST),
  PAUSE("pause", Form.PAUSE, PLAIN),
  WAKE_ALL("wakeAll", Form.WAKE, PLAIN);

  /** Parameters and result of an operation; T is the element type. */
  public enum Form {
    /** {@code T (long index)}. */
    LOAD,
    /** {@code void (long index, T value)}. */
    STORE,
    /** {@code T (long index, T operand)}; the result is the old value. */
    UPDATE,
    /** {@code (long index, T expected, T desired)}; the result is the old value, or success. */
    COMPARE,
    /** {@code boolean (long index)}; the result is whether the flag was set before. */
    FLAG,
    /** {@code void (long index)}. */
    CLEAR,
    /** {@code T (long index, T value, long pollLimit)}; a loop of LOAD and PAUSE on each target. */
    WAIT,
    /** {@code long (long index, long polls)}; one step of back-off. */
    PAUSE,
    /** {@code void (long index)}. */
    WAKE
  }

  private final String method;
  private final Form form;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Order> orders;

  OperationKind(String method, Form form, Order... orders) {
    this.method = method;
    this.form = form;
    this.orders = List.of(orders);
  }

  /** Returns the start of the method's name, without the suffix of the order. */
  public String method() {
    return method;
  }

  /** Returns the parameters and the result. */
  public Form form() {
    return form;
  }

  /** Returns the orders of this kind; orders that C++ forbids for it are absent. */
  public List<Order> orders() {
    return orders;
  }

  /**
   * Returns whether the operation exists for a type. Floating-point elements have no bit
   * operations, no flags and no waits.
   */
  public boolean isOn(ElementType type) {
    return !type.isFloating()
        || switch (this) {
          case GET,
              SET,
              LOAD,
              STORE,
              EXCHANGE,
              COMPARE_AND_EXCHANGE,
              COMPARE_AND_SET,
              FETCH_ADD,
              FETCH_MIN,
              FETCH_MAX ->
              true;
          default -> false;
        };
  }

  /**
   * Returns whether the operation is Java code that calls other operations of the table, on every
   * target. Each backend must lower all other operations.
   */
  public boolean composite() {
    return form == Form.WAIT;
  }
}

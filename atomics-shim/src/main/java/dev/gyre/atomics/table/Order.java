package dev.gyre.atomics.table;

/**
 * Memory order of an operation, as in C++ {@code std::memory_order}.
 *
 * <p>{@link #PLAIN} is not an order: the access is not atomic, and a race with a write is an error
 * of the program.
 */
public enum Order {
  PLAIN(""),
  RELAXED("Relaxed"),
  ACQUIRE("Acquire"),
  RELEASE("Release"),
  ACQ_REL("AcqRel"),
  SEQ_CST("SeqCst");

  private final String suffix;

  Order(String suffix) {
    this.suffix = suffix;
  }

  /** Returns the end of the names of methods with this order, such as {@code Acquire}. */
  public String suffix() {
    return suffix;
  }
}

package dev.gyre.atomics.table;

/**
 * Memory order of an operation, in the sense of C++ {@code std::memory_order}.
 *
 * <p>{@link #PLAIN} is not an order: the access is not atomic, and racing with a write is an error
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

  /** The end of the names of methods that have this order, such as {@code Acquire}. */
  public String suffix() {
    return suffix;
  }
}

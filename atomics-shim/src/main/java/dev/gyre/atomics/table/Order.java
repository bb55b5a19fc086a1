package dev.gyre.atomics.table;

/** A memory order, from the weakest to the strongest. */
public enum Order {
  /** Atomic, and ordered with nothing else. */
  RELAXED("Relaxed"),
  /** Later accesses stay after this load. */
  ACQUIRE("Acquire"),
  /** Earlier accesses stay before this store. */
  RELEASE("Release"),
  /** Acquire for the load and release for the store of one read-modify-write. */
  ACQ_REL("AcqRel"),
  /** Acquire and release, in one order that all threads agree on. */
  SEQ_CST("SeqCst");

  private final String suffix;

  Order(String suffix) {
    this.suffix = suffix;
  }

  /** The end of the name of each method with this order, as in {@code loadAcquire}. */
  public String suffix() {
    return suffix;
  }
}

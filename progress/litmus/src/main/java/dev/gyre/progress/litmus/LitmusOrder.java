package dev.gyre.progress.litmus;

/** How the accesses of a litmus test are ordered. */
public enum LitmusOrder {
  PLAIN("plain", new Order.Plain()),
  RELAXED("relaxed", new Order.Relaxed()),
  ACQ_REL("release / acquire", new Order.ReleaseAcquire()),
  SEQ_CST("seq_cst", new Order.SeqCst()),
  FENCES("release / acquire fences", new Order.Fences()),
  SEQ_CST_FENCES("seq_cst fences", new Order.SeqCstFences()),
  /**
   * As {@link #ACQ_REL}, with plain accesses to the message, which is read only if the flag was
   * seen.
   */
  PLAIN_DATA("release / acquire, plain data", new Order.ReleaseAcquire()),
  /** As {@link #ACQ_REL}, with a load and a store in place of the update in the middle. */
  NO_UPDATE("release / acquire, no update", new Order.ReleaseAcquire()),
  /** The steps of the program are wrong, whatever the order. */
  BROKEN("steps broken", new Order.ReleaseAcquire());

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // Records without components.
  private final Order order;

  LitmusOrder(String label, Order order) {
    this.label = label;
    this.order = order;
  }

  Order order() {
    return order;
  }

  /** Returns the order in words. */
  public String label() {
    return label;
  }
}

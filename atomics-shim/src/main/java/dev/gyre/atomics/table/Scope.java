package dev.gyre.atomics.table;

/**
 * Set of threads that may access an object at the same time, as {@code cuda::thread_scope}.
 *
 * <p>If two threads access an object and the scope of either access does not include the other
 * thread, the accesses race.
 */
public enum Scope {
  /** The thread itself: accesses are not atomic at all. */
  THREAD("Thread"),
  /** The threads of one block (OpenCL: work-group; PTX: {@code .cta}). */
  BLOCK("Block"),
  /** The threads of one device (PTX: {@code .gpu}). */
  DEVICE("Device"),
  /** All threads of the machine, host and devices (PTX: {@code .sys}). */
  SYSTEM("System");

  private final String prefix;

  Scope(String prefix) {
    this.prefix = prefix;
  }

  /** Returns the start of the names of handles with this scope, such as {@code Device}. */
  public String prefix() {
    return prefix;
  }
}

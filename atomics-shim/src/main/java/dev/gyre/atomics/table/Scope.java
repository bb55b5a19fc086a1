package dev.gyre.atomics.table;

/**
 * The set of threads that may use one object at the same time, as {@code cuda::thread_scope}.
 *
 * <p>Two threads that use one object through different scopes, not each within the other's, race.
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

  /** The start of the names of handles that have this scope, such as {@code Device}. */
  public String prefix() {
    return prefix;
  }
}

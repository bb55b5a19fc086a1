package dev.gyre.kernels.map;

import dev.gyre.atomics.Internal;

/**
 * Whether keys can be removed from a table: a constant of the compiled kernel. Code for removal is
 * compiled only for tables that allow it.
 *
 * @since 0.1.0
 */
@Internal
public sealed interface Removal {

  /** Returns whether keys can be removed. */
  boolean isAllowed();

  /** Returns the strategy of a table. */
  static Removal of(boolean allowed) {
    return allowed ? new Allowed() : new Refused();
  }

  /** Keys stay until the table is cleared. */
  record Refused() implements Removal {
    @Override
    public boolean isAllowed() {
      return false;
    }
  }

  /** Keys can be removed. */
  record Allowed() implements Removal {
    @Override
    public boolean isAllowed() {
      return true;
    }
  }
}

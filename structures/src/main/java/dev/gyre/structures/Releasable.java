package dev.gyre.structures;

import dev.gyre.atomics.Internal;

/** End of an operation, as a resource. For the packages of this module. */
@Internal
@FunctionalInterface
public interface Releasable extends AutoCloseable {
  @Override
  void close();
}

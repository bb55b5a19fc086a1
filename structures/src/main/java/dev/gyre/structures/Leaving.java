package dev.gyre.structures;

import dev.gyre.atomics.Internal;

/** The end of what was begun, as a resource. For the packages of this module. */
@Internal
@FunctionalInterface
public interface Leaving extends AutoCloseable {
  @Override
  void close();
}

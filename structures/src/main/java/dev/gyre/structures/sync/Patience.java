package dev.gyre.structures.sync;

import dev.gyre.atomics.GyreException;
import dev.gyre.kernels.sync.SyncLayout;
import java.util.function.IntSupplier;

/** Waits of JVM threads, which have no limit but interrupts. */
final class Patience {

  static final long FOR_EVER = Long.MAX_VALUE;

  private Patience() {}

  static void require(String what, IntSupplier wait) {
    if (wait.getAsInt() == SyncLayout.STUCK) {
      throw new GyreException("interrupted while waiting for " + what);
    }
  }
}

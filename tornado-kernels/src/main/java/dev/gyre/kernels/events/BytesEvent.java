package dev.gyre.kernels.events;

import jdk.jfr.DataAmount;
import jdk.jfr.Label;

/** Event with a number of bytes. */
abstract class BytesEvent extends GyreEvent {

  private static final double NANOS = 1e9;

  private final transient long start = System.nanoTime();

  @Label("Bytes")
  @DataAmount
  long bytes;

  @Label("Bytes per second")
  @DataAmount
  long bytesPerSecond;

  /** See {@link Span#moved}. */
  final void moved(String what, long bytes) {
    end();
    if (shouldCommit()) {
      this.bytes = bytes;
      bytesPerSecond = (long) (NANOS * bytes / Math.max(1, System.nanoTime() - start));
      finish(what);
    }
  }
}

package dev.gyre.kernels.events;

import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A kernel ran, or threads of the JVM ran the steps of a bulk operation. */
@Name("dev.gyre.Kernel")
@Label("Kernel")
final class KernelEvent extends GyreEvent {

  @Label("Target")
  @Nullable String target;

  @Label("Threads")
  long threads;

  @Label("Time on the device")
  @Timespan(Timespan.NANOSECONDS)
  long deviceTime;

  /** See {@link Span#ran}. */
  void ran(String kernel, String target, long threads, long deviceNanos) {
    end();
    if (shouldCommit()) {
      this.target = target;
      this.threads = threads;
      deviceTime = deviceNanos;
      finish(kernel);
    }
  }
}

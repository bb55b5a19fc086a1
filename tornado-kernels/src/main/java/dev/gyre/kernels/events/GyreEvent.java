package dev.gyre.kernels.events;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Event with a duration, which begins with its creation. */
@Category("Gyre")
@StackTrace(false)
abstract class GyreEvent extends Event {

  @Label("What")
  @Nullable String what;

  GyreEvent() {
    begin();
  }

  /**
   * Ends the event, and records it if a recording is active.
   *
   * @param what name of the kernel or structure
   */
  final void finish(String what) {
    this.what = what;
    commit();
  }
}

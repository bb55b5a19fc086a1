package dev.gyre.kernels.events;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Something that took time; it begins when it is made. */
@Category("Gyre")
@StackTrace(false)
abstract class GyreEvent extends Event {

  @Label("What")
  @Nullable String what;

  GyreEvent() {
    begin();
  }

  /**
   * Ends it, and records it if somebody wants it.
   *
   * @param what name of the kernel or structure
   */
  final void finish(String what) {
    this.what = what;
    commit();
  }
}

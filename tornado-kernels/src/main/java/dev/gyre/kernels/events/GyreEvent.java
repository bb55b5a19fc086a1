package dev.gyre.kernels.events;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/**
 * Event with a duration, which begins with its creation. Shorter ones than the threshold are not
 * recorded, unless the recording sets another.
 */
@Category("Gyre")
@StackTrace(false)
@Threshold("1 ms")
abstract class GyreEvent extends Event {

  @Label("What")
  @Nullable String what;

  GyreEvent() {
    begin();
  }

  /**
   * Ends the event, and records it if a recording is active. If the heap or the stack does not
   * suffice for that, the event is lost: its work is done, and may have entered a lock.
   *
   * @param what name of the kernel or structure
   */
  final void finish(String what) {
    this.what = what;
    try {
      commit();
    } catch (OutOfMemoryError | StackOverflowError e) {
      // The event is lost.
    }
  }
}

package dev.gyre.kernels.events;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Duration of some work, which becomes an event only during a recording: loading the event classes
 * alone costs a process a tenth of a second.
 */
public final class Span {

  private static final Span UNSEEN = new Span(null);

  private final @Nullable GyreEvent event;

  private Span(@Nullable GyreEvent event) {
    this.event = event;
  }

  private static boolean isSeen() {
    return FlightRecorder.isInitialized();
  }

  /** Begins a kernel, or the steps of a bulk operation by threads of the JVM; see {@link #ran}. */
  public static Span kernel() {
    return isSeen() ? new Span(new KernelEvent()) : UNSEEN;
  }

  /** Begins the compilation of a kernel; see {@link #ended}. */
  public static Span compilation() {
    return isSeen() ? new Span(new CompileEvent()) : UNSEEN;
  }

  /** Begins a copy of a memory to or from a device; see {@link #moved}. */
  public static Span copy() {
    return isSeen() ? new Span(new CopyEvent()) : UNSEEN;
  }

  /**
   * Begins a copy of a caller's input to where kernels use it, or of results to the caller; see
   * {@link #moved}.
   */
  public static Span staging() {
    return isSeen() ? new Span(new StagingEvent()) : UNSEEN;
  }

  /** Begins the growth of a structure; see {@link #moved}. */
  public static Span growth() {
    return isSeen() ? new Span(new GrowthEvent()) : UNSEEN;
  }

  /** Begins a wait of an operation for others on the same structure; see {@link #ended}. */
  public static Span waiting() {
    return isSeen() ? new Span(new WaitEvent()) : UNSEEN;
  }

  /** Returns whether it is recorded. */
  public boolean isRecorded() {
    return event != null && event.isEnabled();
  }

  /** Ends the work of a kernel or structure with this name. */
  public void ended(String what) {
    if (event != null) {
      event.finish(what);
    }
  }

  /** Ends a transfer of a number of bytes. */
  public void moved(String what, long bytes) {
    if (event instanceof BytesEvent moved) {
      moved.moved(what, bytes);
    }
  }

  /**
   * Ends a kernel.
   *
   * @param target label of the target
   * @param threads number of device threads
   * @param deviceNanos duration by the device, in nanoseconds; 0 if unknown
   */
  public void ran(String kernel, String target, long threads, long deviceNanos) {
    if (event instanceof KernelEvent ran) {
      ran.ran(kernel, target, threads, deviceNanos);
    }
  }
}

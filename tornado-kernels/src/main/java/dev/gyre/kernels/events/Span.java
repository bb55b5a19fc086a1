package dev.gyre.kernels.events;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Something that takes time, from when it is begun to the one of its methods that ends it. It
 * becomes an event only where the Flight Recorder is in use: to know of its events alone costs a
 * process a tenth of a second.
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

  /** A kernel runs, or threads of the JVM do the steps of a bulk operation; see {@link #ran}. */
  public static Span kernel() {
    return isSeen() ? new Span(new KernelEvent()) : UNSEEN;
  }

  /** A kernel is compiled; see {@link #ended}. */
  public static Span compilation() {
    return isSeen() ? new Span(new CompileEvent()) : UNSEEN;
  }

  /** A memory is copied to or from a device; see {@link #moved}. */
  public static Span copy() {
    return isSeen() ? new Span(new CopyEvent()) : UNSEEN;
  }

  /** What a caller gave is brought to where kernels work on it, or back; see {@link #moved}. */
  public static Span staging() {
    return isSeen() ? new Span(new StagingEvent()) : UNSEEN;
  }

  /** A structure gets other room, of so many bytes; see {@link #moved}. */
  public static Span growth() {
    return isSeen() ? new Span(new GrowthEvent()) : UNSEEN;
  }

  /** An operation waits for others on the same structure; see {@link #ended}. */
  public static Span waiting() {
    return isSeen() ? new Span(new WaitEvent()) : UNSEEN;
  }

  /** Whether somebody records it. */
  public boolean isRecorded() {
    return event != null && event.isEnabled();
  }

  /** Ends it: of a kernel or structure of this name. */
  public void ended(String what) {
    if (event != null) {
      event.finish(what);
    }
  }

  /** Ends it: so many bytes were moved. */
  public void moved(String what, long bytes) {
    if (event instanceof BytesEvent moved) {
      moved.moved(what, bytes);
    }
  }

  /**
   * Ends it: a kernel ran.
   *
   * @param target label of the target
   * @param threads device threads
   * @param deviceNanos how long the device says that it took; 0 where it does not
   */
  public void ran(String kernel, String target, long threads, long deviceNanos) {
    if (event instanceof KernelEvent ran) {
      ran.ran(kernel, target, threads, deviceNanos);
    }
  }
}

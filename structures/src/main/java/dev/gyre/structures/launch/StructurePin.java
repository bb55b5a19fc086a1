package dev.gyre.structures.launch;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.Launcher;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The pin of one launch on one structure.
 *
 * <p>Structures implement it. A launch calls {@link #enter} and {@link #leave} on one thread, once
 * or several times.
 *
 * @param <R> the type of the structure's refs
 */
@Internal
public abstract class StructurePin<R> {

  /** State of a kernel at the end of its launch. */
  protected enum LaunchEnd {
    /** The kernel did not begin. */
    NOT,
    /** The kernel ended, and its counts are valid. */
    ENDED,
    /** The kernel failed on a device at an unknown point. */
    UNKNOWN
  }

  private static final AtomicLong STRUCTURES = new AtomicLong();

  final long order;
  final String name;
  final Launcher launcher;
  private @Nullable R ref;

  /**
   * Creates a pin that is not in use.
   *
   * @param order number of the structure
   * @param name name of the structure, for errors
   * @param launcher launcher of the structure
   */
  protected StructurePin(long order, String name, Launcher launcher) {
    this.order = order;
    this.name = name;
    this.launcher = launcher;
  }

  /**
   * Returns a number for a new structure. Launches pin several structures in the order of their
   * numbers.
   */
  public static long nextOrder() {
    return STRUCTURES.incrementAndGet();
  }

  /**
   * Pins the structure until {@link #leave}. If this method throws, nothing is pinned.
   *
   * @param lease number of the launch, for the ref
   * @return a ref to the structure
   */
  protected abstract R enter(long lease);

  /** Ends {@link #enter}. */
  protected abstract void leave(LaunchEnd ran);

  /**
   * Adds capacity for keys that were FULL in the last launch, if the structure has a capacity.
   *
   * @param launches number of launches so far
   * @return whether another launch may have more to do
   */
  protected boolean makeCapacity(long launches) {
    return false;
  }

  /** Calls {@link #enter} and keeps the ref. */
  final void begin(long lease) {
    ref = enter(lease);
  }

  /** Returns the ref of the running launch. */
  final R ref() {
    return Objects.requireNonNull(ref, "entered");
  }
}

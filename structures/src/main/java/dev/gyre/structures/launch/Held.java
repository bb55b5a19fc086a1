package dev.gyre.structures.launch;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.Launcher;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What one launch holds of one structure. Structures implement it, and launches call it, all on one
 * thread: {@link #enter} and {@link #leave}, once or several times.
 *
 * @param <R> the type of the structure's refs
 */
@Internal
public abstract class Held<R> {

  /** What is known of a kernel when its launch is over. */
  protected enum Ran {
    /** It did not begin. */
    NOT,
    /** It has ended, and what it counted can be read. */
    ENDED,
    /** It failed on a device: nobody knows how far it came. */
    UNKNOWN
  }

  private static final AtomicLong STRUCTURES = new AtomicLong();

  private @Nullable R ref;

  /** For subclasses. */
  protected Held() {}

  /** A number for a new structure: launches hold several in the order of their numbers. */
  public static long nextOrder() {
    return STRUCTURES.incrementAndGet();
  }

  /** The number of the structure. */
  protected abstract long order();

  /** Name of the structure, for errors. */
  protected abstract String name();

  /** The launcher that it belongs to. */
  protected abstract Launcher launcher();

  /**
   * Keeps the structure as it is until {@link #leave}; nothing is held where this throws.
   *
   * @param lease for the ref
   * @return a ref on it
   */
  protected abstract R enter(long lease);

  /** The end of {@link #enter}. */
  protected abstract void leave(Ran ran);

  /**
   * Makes room for keys that found none in the last launch.
   *
   * @param launches how many there were so far
   * @return whether another launch may find more to do
   */
  protected abstract boolean makeRoom(long launches);

  /** {@link #enter}, keeping the ref. */
  final void begin(long lease) {
    ref = enter(lease);
  }

  /** The ref of the launch that goes on. */
  final R ref() {
    return Objects.requireNonNull(ref, "entered");
  }
}

package dev.gyre.atomics;

import org.jspecify.annotations.Nullable;

/**
 * Makes the waits of a JVM thread ignore interrupts until it is closed.
 *
 * <p>An interrupt normally ends the waits of {@code waitWhileEqual}, so that the thread that
 * launched a kernel can stop it. A structure that works on the calling thread must instead finish
 * its operation. While a thread is patient, its waits go on when it is interrupted. Close restores
 * the interrupt status. Poll limits still end waits.
 *
 * <pre>{@code
 * try (UninterruptibleScope _ = UninterruptibleScope.begin()) {
 *   // Waits of this thread ignore interrupts here.
 * }
 * }</pre>
 *
 * <p>A scope belongs to the thread that began it; only that thread may close it.
 *
 * @since 0.1.0
 */
public final class UninterruptibleScope implements AutoCloseable {

  /** Whether an interrupt was ignored. */
  private boolean interrupted;

  private static final ThreadLocal<@Nullable UninterruptibleScope> OF_THREAD = new ThreadLocal<>();

  private UninterruptibleScope() {}

  /**
   * Makes the calling thread patient until it closes the result.
   *
   * @return null if the thread is patient already; try-with-resources accepts null
   */
  public static @Nullable UninterruptibleScope begin() {
    UninterruptibleScope begun = OF_THREAD.get() == null ? new UninterruptibleScope() : null;
    if (begun != null) {
      OF_THREAD.set(begun);
    }
    return begun;
  }

  /**
   * Ends the scope of the calling thread, which must be the thread that began it. If an interrupt
   * was ignored, interrupts the thread again.
   */
  @Override
  public void close() {
    OF_THREAD.remove();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns whether the calling thread is interrupted and not patient. Clears the interrupt status
   * of a patient thread until {@link #close}.
   */
  static boolean endsWait() {
    if (!Thread.currentThread().isInterrupted()) {
      return false;
    }
    UninterruptibleScope scope = OF_THREAD.get();
    if (scope != null) {
      scope.interrupted |= Thread.interrupted();
    }
    return scope == null;
  }
}

package dev.gyre.atomics;

import org.jspecify.annotations.Nullable;

/**
 * Has a thread of the JVM wait to the end for others that are about to publish, although it is
 * interrupted; the interrupt status is there again afterwards.
 *
 * <p>An interrupt ends the waits of {@code waitWhileEqual}, so that whoever launched a kernel can
 * stop it. Work that a thread does for itself has nobody to stop it, and is to end as it would have
 * without the interrupt. Their poll limits end waits all the same.
 */
public final class Patience implements AutoCloseable {

  /** Whether the thread was interrupted since it became patient. */
  private boolean interrupted;

  private static final ThreadLocal<@Nullable Patience> OF_THREAD = new ThreadLocal<>();

  private Patience() {}

  /** Makes the calling thread patient until it closes this; null where it is patient already. */
  public static @Nullable Patience begin() {
    Patience begun = OF_THREAD.get() == null ? new Patience() : null;
    if (begun != null) {
      OF_THREAD.set(begun);
    }
    return begun;
  }

  /** By the thread that began. */
  @Override
  public void close() {
    OF_THREAD.remove();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether an interrupt ends a wait of the calling thread; a patient one is told afterwards. */
  static boolean endsWait() {
    if (!Thread.currentThread().isInterrupted()) {
      return false;
    }
    Patience patience = OF_THREAD.get();
    if (patience != null) {
      patience.interrupted |= Thread.interrupted();
    }
    return patience == null;
  }
}

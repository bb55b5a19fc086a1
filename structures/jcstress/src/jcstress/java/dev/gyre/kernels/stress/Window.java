package dev.gyre.kernels.stress;

/** The moment between two steps that a mutant has wrongly apart. */
public final class Window {

  private Window() {}

  /** Lets other threads get between the steps, so that a short run shows what may happen there. */
  // A hint; the bad outcome is possible without it, and rare.
  @SuppressWarnings("ThreadPriorityCheck")
  public static void open() {
    Thread.yield();
  }
}

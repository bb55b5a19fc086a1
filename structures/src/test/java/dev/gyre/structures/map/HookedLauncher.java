package dev.gyre.structures.map;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.Others;

/** Two workers of the JVM, and something that is done before each launch. */
final class HookedLauncher extends ForwardingLauncher {

  private final Runnable beforeLaunch;

  HookedLauncher(Runnable beforeLaunch) {
    super(JvmLauncher.ofWorkers(2));
    this.beforeLaunch = beforeLaunch;
  }

  /** Starts a thread, and returns when it waits for another one or has ended. */
  static void startAndLetWait(Thread thread) {
    thread.start();
    Others.await(
        () ->
            !thread.isAlive() || Others.waits(thread) || thread.getState() == Thread.State.BLOCKED);
  }

  @Override
  public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    beforeLaunch.run();
    return launcher.start(kernel, shape, mode);
  }
}

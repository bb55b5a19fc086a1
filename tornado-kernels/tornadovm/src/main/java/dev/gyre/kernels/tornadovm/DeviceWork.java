package dev.gyre.kernels.tornadovm;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A piece of work in a device's queue: it is run, or dropped before it begins. Nothing stops what
 * has begun.
 */
final class DeviceWork<T> extends FutureTask<T> {

  private final String what;
  private final Runnable whenOver;

  /** Set by the first who runs or drops it. */
  private final AtomicBoolean decided = new AtomicBoolean();

  /**
   * Work that waits.
   *
   * @param what names it in errors
   * @param whenOver runs once, before those who wait for this are told
   */
  DeviceWork(String what, Callable<T> work, Runnable whenOver) {
    super(
        () -> {
          try {
            return work.call();
          } finally {
            whenOver.run();
          }
        });
    this.what = what;
    this.whenOver = whenOver;
  }

  String what() {
    return what;
  }

  @Override
  public void run() {
    if (decided.compareAndSet(false, true)) {
      super.run();
    }
  }

  /** Has this end without having begun, and returns whether it had not. */
  boolean drop(Throwable why) {
    boolean waits = decided.compareAndSet(false, true);
    if (waits) {
      whenOver.run();
      setException(why);
    }
    return waits;
  }
}

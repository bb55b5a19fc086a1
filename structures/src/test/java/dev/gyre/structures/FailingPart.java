package dev.gyre.structures;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import java.util.concurrent.atomic.AtomicInteger;

/** A part of a group: two workers of the JVM that count launches, of which some fail. */
public final class FailingPart extends ForwardingLauncher {

  private final AtomicInteger launches = new AtomicInteger();
  private volatile int left = Integer.MAX_VALUE;
  private volatile boolean closed;

  /** Workers of the JVM. */
  public FailingPart() {
    super(JvmLauncher.ofWorkers(2));
  }

  /** Has all launches fail but so many. */
  public void failAfter(int good) {
    left = launches.get() + good;
  }

  /** How many launches there were, with those that failed. */
  public int launches() {
    return launches.get();
  }

  public boolean isClosed() {
    return closed;
  }

  @Override
  public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    if (launches.incrementAndGet() > left) {
      throw new LaunchException("any", device(), "it does so for a test", null);
    }
    return launcher.start(kernel, shape, mode);
  }

  @Override
  public void close() {
    closed = true;
    super.close();
  }
}

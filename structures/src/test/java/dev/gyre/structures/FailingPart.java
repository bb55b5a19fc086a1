package dev.gyre.structures;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A part of a group: two workers of the JVM, or what passes for a device, that count launches, of
 * which some fail.
 */
public final class FailingPart extends ForwardingLauncher {

  private final AtomicInteger launches = new AtomicInteger();
  private volatile int left = Integer.MAX_VALUE;
  private volatile boolean closed;

  /** Memories of others that its kernels reach at the moment; none where it reaches no other. */
  private final List<Memory> reached = Collections.synchronizedList(new ArrayList<>());

  private volatile boolean reaches;
  private volatile boolean failsToLeave;

  /** Workers of the JVM. */
  public FailingPart() {
    super(JvmLauncher.ofWorkers(2));
  }

  private FailingPart(Device device) {
    super(JvmLauncher.ofWorkers(2), device);
  }

  /** One that passes for a device. */
  public static FailingPart asDevice() {
    return new FailingPart(deviceOnJvm(2));
  }

  /** Has its kernels reach the memories of others. */
  public void reachOthers() {
    reaches = true;
  }

  /** Has what ends that its kernels reach memories of others fail, having done so. */
  public void failToLeave() {
    failsToLeave = true;
  }

  /** Whether its kernels were given memories of others, and still have them. */
  public boolean isReaching() {
    return !reached.isEmpty();
  }

  @Override
  public Optional<Runnable> reach(Launcher there, Memory... memories) {
    List<Memory> given = List.of(memories);
    if (!reaches) {
      return Optional.empty();
    }
    reached.addAll(given);
    return Optional.of(
        () -> {
          given.forEach(reached::remove);
          if (failsToLeave) {
            throw new GyreException("it does so for a test");
          }
        });
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

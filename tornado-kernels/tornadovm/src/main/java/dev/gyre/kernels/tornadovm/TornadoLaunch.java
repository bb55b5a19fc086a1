package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchException;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Launch in a device's queue. A running launch cannot be stopped. */
final class TornadoLaunch implements Launch {

  private final Kernel kernel;
  private final Device device;
  private final DeviceQueue queue;
  private final DeviceWork<LaunchTimes> times;

  TornadoLaunch(Kernel kernel, Device device, DeviceQueue queue, DeviceWork<LaunchTimes> times) {
    this.kernel = kernel;
    this.device = device;
    this.queue = queue;
    this.times = times;
  }

  @Override
  public void join() {
    try {
      LaunchTimes _ =
          queue.await(
              kernel.name(),
              times,
              interrupt -> {
                boolean _ = cancel(interrupt);
              });
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    }
  }

  private GyreException failure(@Nullable Throwable cause) {
    return switch (cause) {
      case LaunchException known -> known;
      // It had not begun when its launcher was closed.
      case ClosedException closed -> LaunchCancelledException.of(kernel.name(), device, closed);
      case null, default ->
          new LaunchException(kernel.name(), device, String.valueOf(cause), cause);
    };
  }

  @Override
  public boolean cancel() {
    return cancel(null);
  }

  private boolean cancel(@Nullable Throwable why) {
    return times.drop(new LaunchCancelledException(kernel.name(), device, why));
  }

  @Override
  public boolean isDone() {
    return times.isDone();
  }

  @Override
  public OptionalLong kernelNanos() {
    return once(LaunchTimes::kernel);
  }

  @Override
  public OptionalLong transferNanos() {
    return once(LaunchTimes::transfer);
  }

  @Override
  public OptionalLong compileNanos() {
    return once(LaunchTimes::compile);
  }

  private OptionalLong once(ToLongFunction<LaunchTimes> part) {
    return times.state() == Future.State.SUCCESS
        ? OptionalLong.of(part.applyAsLong(times.resultNow()))
        : OptionalLong.empty();
  }
}

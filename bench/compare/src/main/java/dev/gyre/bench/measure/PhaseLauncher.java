package dev.gyre.bench.measure;

import dev.gyre.atomics.Memory;
import dev.gyre.bench.device.MeasuredLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A launcher that sums up what another one spends its time on. For one call at a time; where its
 * launches and copies overlap, they may add up to more than the call took.
 */
final class PhaseLauncher extends MeasuredLauncher {

  private final List<Launch> launches = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong copyNanos = new AtomicLong();

  PhaseLauncher(Launcher launcher) {
    super(launcher);
  }

  /**
   * Times of a call, in nanoseconds.
   *
   * @param kernel on the device
   * @param transfer to the device and back
   * @param compile of kernels
   * @param endToEnd of the whole call, as its user sees it
   */
  record Phases(long kernel, long transfer, long compile, long endToEnd) {}

  /** Runs a call, and takes it apart. */
  synchronized Phases measure(Runnable call) {
    launches.clear();
    copyNanos.set(0);
    long start = System.nanoTime();
    call.run();
    long endToEnd = System.nanoTime() - start;
    return new Phases(
        sum(Launch::kernelNanos),
        sum(Launch::transferNanos) + copyNanos.get(),
        sum(Launch::compileNanos),
        endToEnd);
  }

  private long sum(Function<Launch, OptionalLong> part) {
    return launches.stream().mapToLong(launch -> part.apply(launch).orElse(0)).sum();
  }

  @Override
  public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    Launch launch = launcher.start(kernel, shape, mode);
    launches.add(launch);
    return launch;
  }

  @Override
  public void readBack(Memory... memories) {
    long start = System.nanoTime();
    launcher.readBack(memories);
    var _ = copyNanos.addAndGet(System.nanoTime() - start);
  }

  @Override
  public void readBack(Memory memory, long bytes) {
    long start = System.nanoTime();
    launcher.readBack(memory, bytes);
    var _ = copyNanos.addAndGet(System.nanoTime() - start);
  }

  @Override
  public void readBack(Memory memory, Memory to, long at, long bytes) {
    long start = System.nanoTime();
    launcher.readBack(memory, to, at, bytes);
    var _ = copyNanos.addAndGet(System.nanoTime() - start);
  }
}

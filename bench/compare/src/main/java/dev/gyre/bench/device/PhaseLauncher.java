package dev.gyre.bench.device;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.ClearLongs;
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
 * A launcher that sums up what another launcher spends its time on, for one call at a time. If
 * launches and copies of a call overlap, the parts may add up to more than the call took.
 */
final class PhaseLauncher extends MeasuredLauncher {

  private final List<Launch> launches = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong copyNanos = new AtomicLong();
  private final boolean clearsByKernel;
  private boolean apart = true;

  /**
   * Makes a launcher.
   *
   * @param clearsByKernel whether a kernel clears memory, so that its time is known
   */
  PhaseLauncher(Launcher launcher, boolean clearsByKernel) {
    super(launcher);
    this.clearsByKernel = clearsByKernel;
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

  /** Runs a call, and takes it apart: each kernel of a chain is started alone. */
  Phases measure(Runnable call) {
    return measure(call, true);
  }

  /** Returns the nanoseconds of a call that runs as it does for users, with chains as wholes. */
  long nanos(Runnable call) {
    return measure(call, false).endToEnd;
  }

  private synchronized Phases measure(Runnable call, boolean takeApart) {
    apart = takeApart;
    launches.clear();
    copyNanos.set(0);
    long start = System.nanoTime();
    call.run();
    long endToEnd = System.nanoTime() - start;
    launches.forEach(Launch::join);
    Phases phases =
        new Phases(
            sum(Launch::kernelNanos),
            sum(Launch::transferNanos) + copyNanos.get(),
            sum(Launch::compileNanos),
            endToEnd);
    apart = true;
    return phases;
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
  public void clear(Memory... memories) {
    if (!apart || !clearsByKernel) {
      launcher.clear(memories);
      return;
    }
    for (Memory memory : memories) {
      long length = Math.ceilDiv(memory.byteSize(), Long.BYTES);
      start(
              new ClearLongs(ThreadLongs.of(memory), length),
              launcher.shapeFor(Math.max(1, length)),
              LaunchMode.STRIDED)
          .join();
    }
  }

  @Override
  public void runAndReadBack(Kernel kernel, LaunchShape shape, Memory... memories) {
    runChain(List.of(new ChainLink(kernel, shape)), memories);
  }

  @Override
  public void runChain(List<ChainLink> links, Memory... memories) {
    if (apart) {
      super.runChain(links, memories);
    } else {
      launcher.runChain(links, memories);
    }
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

package dev.gyre.bench.device;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;

/**
 * A launcher that has another one do all: measurements override what they are about. Chains are
 * kernels one after another, each of which is started here.
 */
class MeasuredLauncher implements Launcher {

  protected final Launcher launcher;

  protected MeasuredLauncher(Launcher launcher) {
    this.launcher = launcher;
  }

  @Override
  public Device device() {
    return launcher.device();
  }

  @Override
  public void requireOpen() {
    launcher.requireOpen();
  }

  @Override
  public LaunchShape shapeFor(long items) {
    return launcher.shapeFor(items);
  }

  @Override
  public int blocksAtOnce(Kernel kernel, int blockSize) {
    return launcher.blocksAtOnce(kernel, blockSize);
  }

  @Override
  public LaunchShape shapeForEach(long items) {
    return launcher.shapeForEach(items);
  }

  @Override
  public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    return launcher.start(kernel, shape, mode);
  }

  @Override
  public void readBack(Memory... memories) {
    launcher.readBack(memories);
  }

  @Override
  public void readBack(Memory memory, long bytes) {
    launcher.readBack(memory, bytes);
  }

  @Override
  public void hostWrote(Memory memory, long bytes) {
    launcher.hostWrote(memory, bytes);
  }

  @Override
  public void prefetch(Memory memory, long bytes) {
    launcher.prefetch(memory, bytes);
  }

  @Override
  public void hostWrote(Memory... memories) {
    launcher.hostWrote(memories);
  }

  @Override
  public void prefetch(Memory... memories) {
    launcher.prefetch(memories);
  }

  @Override
  public boolean copiesInPlace(Memory memory) {
    return launcher.copiesInPlace(memory);
  }

  @Override
  public boolean usesInPlace(Memory memory) {
    return launcher.usesInPlace(memory);
  }

  @Override
  public void prefetch(Memory memory, Memory from, long at, long bytes) {
    launcher.prefetch(memory, from, at, bytes);
  }

  @Override
  public void readBack(Memory memory, Memory to, long at, long bytes) {
    launcher.readBack(memory, to, at, bytes);
  }

  @Override
  public void clear(Memory... memories) {
    launcher.clear(memories);
  }

  @Override
  public void close() {
    launcher.close();
  }
}

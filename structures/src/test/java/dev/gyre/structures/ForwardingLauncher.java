package dev.gyre.structures;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryRange;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import java.lang.foreign.MemorySegment;

/**
 * Forwards to another launcher what each launcher must do itself, and closes it; all else is as
 * {@link Launcher} says. Tests override what they are about.
 */
public class ForwardingLauncher implements Launcher {

  /** As many as a small map has regions. */
  private static final int MOST_IN_BLOCK = 32;

  protected final Launcher launcher;
  private final Device device;

  protected ForwardingLauncher(Launcher launcher) {
    this(launcher, launcher.device());
  }

  protected ForwardingLauncher(Launcher launcher, Device device) {
    this.launcher = launcher;
    this.device = device;
  }

  /** What threads of the JVM pass for, which then do what a device does. */
  public static Device deviceOnJvm(int units) {
    return new Device(Target.OPENCL, "the JVM", units);
  }

  /**
   * The shape with blocks of fewer threads: kernels go by the one they are given, and each thread
   * of a block is a thread of the JVM, slow to wait at a barrier.
   */
  protected static LaunchShape onJvm(LaunchShape shape) {
    return new LaunchShape(shape.blocks(), Math.min(shape.blockSize(), MOST_IN_BLOCK));
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public LaunchShape shapeFor(long items) {
    return launcher.shapeFor(items);
  }

  @Override
  public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    return launcher.start(kernel, shape, mode);
  }

  /** In memory of the JVM's, where that passes for a device. */
  @Override
  public void clear(Memory... memories) {
    if (device.target() == launcher.device().target()) {
      launcher.clear(memories);
    } else {
      for (Memory memory : memories) {
        MemorySegment _ = memory.segment().fill((byte) 0);
      }
    }
  }

  @Override
  public void readBack(MemoryRange... ranges) {
    launcher.readBack(ranges);
  }

  @Override
  public void hostWrote(MemoryRange... ranges) {
    launcher.hostWrote(ranges);
  }

  @Override
  public void close() {
    launcher.close();
  }

  /** The threads of a launcher, as those of a device; the caller closes the launcher. */
  public static Launcher borrowedAsDevice(Launcher launcher) {
    return new ForwardingLauncher(launcher, deviceOnJvm(1)) {
      @Override
      public void close() {}
    };
  }
}

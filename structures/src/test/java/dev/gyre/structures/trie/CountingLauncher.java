package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.kernels.Target;
import dev.gyre.structures.TargetUnderTest;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The device of the test, or threads of the JVM that pass for one, and how many bytes came home
 * from it.
 */
final class CountingLauncher implements Launcher {

  private final Launcher launcher;
  private final boolean onJvm;
  private final AtomicLong home = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private volatile @Nullable Memory pinned;

  CountingLauncher() {
    Launcher device = TargetUnderTest.device();
    this.onJvm = device == null;
    this.launcher = device == null ? JvmLauncher.ofWorkers(2) : device;
  }

  /** Bytes that came home since the last time. */
  long home() {
    return home.getAndSet(0);
  }

  @Override
  public Device device() {
    return onJvm ? new Device(Target.OPENCL, "the JVM", 2) : launcher.device();
  }

  @Override
  public LaunchShape shapeFor(long items) {
    return launcher.shapeFor(items);
  }

  @Override
  public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    return launcher.start(kernel, shape, mode);
  }

  @Override
  public void runAndReadBack(Kernel kernel, LaunchShape shape, Memory... memories) {
    count(memories);
    launcher.runAndReadBack(kernel, shape, memories);
  }

  @Override
  public void readBack(Memory... memories) {
    count(memories);
    launcher.readBack(memories);
  }

  private void count(Memory... memories) {
    for (Memory memory : memories) {
      home.getAndAdd(memory.byteSize());
    }
  }

  @Override
  public void readBack(Memory memory, long bytes) {
    home.getAndAdd(bytes);
    launcher.readBack(memory, bytes);
  }

  @Override
  public void hostWrote(Memory... memories) {
    launcher.hostWrote(memories);
  }

  @Override
  public void hostWrote(Memory memory, long bytes) {
    launcher.hostWrote(memory, bytes);
  }

  @Override
  public void prefetch(Memory... memories) {
    launcher.prefetch(memories);
  }

  @Override
  public void prefetch(Memory memory, long bytes) {
    launcher.prefetch(memory, bytes);
  }

  /** Bytes that were sent from where they lie, since the last time. */
  long sent() {
    return sent.getAndSet(0);
  }

  /** Pinned memory; other memory, where the target has none. */
  Memory pinned(long bytes) {
    try {
      Memory made = onJvm ? Memory.ofBytes(bytes) : launcher.memory(MemoryKind.PINNED, bytes);
      pinned = made;
      return made;
    } catch (MemoryKindException e) {
      return Memory.ofBytes(bytes);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // That memory.
  public boolean copiesInPlace(Memory memory) {
    return onJvm ? memory == pinned : launcher.copiesInPlace(memory);
  }

  @Override
  public void prefetch(Memory memory, Memory from, long at, long bytes) {
    sent.getAndAdd(bytes);
    launcher.prefetch(memory, from, at, bytes);
  }

  @Override
  public void clear(Memory... memories) {
    for (Memory memory : memories) {
      if (onJvm) {
        memory.segment().fill((byte) 0);
      }
    }
    launcher.clear(memories);
  }

  @Override
  public void close() {
    if (onJvm) {
      launcher.close();
    }
  }
}
